// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import NotificationModel

/// `dev.suzu.Center1` as a table: what the center offers on the bus. `dbus/dev.suzu.Center1.xml` says the same.
enum CenterInterface {
  static let busName: BusName = "dev.suzu.Center"
  static let path: ObjectPath = "/dev/suzu/Center"
  static let name: InterfaceName = "dev.suzu.Center1"

  static let invalidRequest: ErrorName = "dev.suzu.Error.InvalidRequest"
  static let notFound: ErrorName = "dev.suzu.Error.NotFound"
  static let limitExceeded: ErrorName = "dev.suzu.Error.LimitExceeded"
  static let unavailable: ErrorName = "dev.suzu.Error.Unavailable"

  /// The longest request, in bytes on the wire.
  static let longestRequest = 256 << 10

  static func table(of center: Center) -> Interface {
    Interface(
      name,
      methods: [
        Method("Notify", in: ["request": "a{sv}"], out: ["id": "s"]) { call in
          [.string(await center.notify(try request(call.arguments[0])))]
        },
        Method("Cancel", in: ["app": "s", "ids": "as"], out: ["count": "u"]) { call in
          let (app, ids) = try appAndIDs(call)
          return [.uint32(UInt32(await center.cancel(app, ids)))]
        },
        Method("Dismiss", in: ["app": "s", "ids": "as"], out: ["count": "u"]) { call in
          let (app, ids) = try appAndIDs(call)
          return [.uint32(UInt32(await center.dismiss(app, ids)))]
        },
        Method("Respond", in: ["app": "s", "id": "s", "action": "s", "options": "a{sv}"]) { call in
          guard case .string(let app) = call.arguments[0], case .string(let id) = call.arguments[1],
            case .string(let action) = call.arguments[2]
          else { throw mismatch }
          let reply = call.arguments[3].properties?["reply"]?.string
          try await center.respond(app, id, action, reply: reply)
          return []
        },
        Method("Watch", in: ["enabled": "b"]) { call in
          if call.arguments[0].boolean == true {
            try await center.watchers.add(call.sender)
          } else {
            await center.watchers.remove(call.sender)
          }
          return []
        },
      ],
      signals: [
        SignalDescription("Delivered", ["app": "s", "id": "s", "details": "a{sv}"]),
        SignalDescription("Responded", ["response": "t", "app": "s", "id": "s", "action": "s", "details": "a{sv}"]),
        SignalDescription("Closed", ["app": "s", "id": "s", "reason": "s"]),
        SignalDescription("Outcome", ["response": "t", "outcome": "s"]),
      ],
      properties: [
        Property("Version", "s", changes: .constant) { .string(Version.text) },
        Property("PendingCount", "u", changes: .silent) { .uint32(UInt32(await center.pendingCount)) },
        Property("Server", "s") { .string(await center.serverName) },
        Property("Capabilities", "as") { .strings(await center.capabilities) },
      ])
  }

  /// The dictionary of a call as a request, checked once and for all.
  private static func request(_ argument: Value) throws(RemoteError) -> NotificationRequest {
    do {
      let bytes = try argument.encodedSize()
      guard bytes <= longestRequest else {
        throw RemoteError(limitExceeded, "a request of \(bytes) bytes; at most \(longestRequest) are taken")
      }
      return try ValueDecoder().decode(NotificationRequest.self, from: argument)
    } catch let error as RemoteError {
      throw error
    } catch let error as DecodingError {
      throw RemoteError(invalidRequest, error.summary)
    } catch {
      throw RemoteError(invalidRequest, "\(error)")
    }
  }

  private static func appAndIDs(_ call: IncomingCall) throws(RemoteError) -> (app: String, ids: [String]) {
    guard case .string(let app) = call.arguments[0], let ids = call.arguments[1].strings else { throw mismatch }
    return (app, ids)
  }

  /// The bus layer has compared the arguments with the table, so this is never seen; but it is no reason to end.
  private static let mismatch = RemoteError(.invalidArgs, "the arguments do not fit the method")
}
