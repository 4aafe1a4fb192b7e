// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
internal import NotificationModel

/// `dev.suzu.Center1` as a table of methods, signals and properties; `dbus/dev.suzu.Center1.xml` describes the same
/// interface.
enum CenterInterface {
  static func table(of center: Center) -> Interface {
    Interface(
      CenterBus.interface, bounds: .names,
      methods: [
        method("Notify", in: ["request": "a{sv}"], out: ["id": "s"], bounds: .request) { call in
          let rights = await center.rights(of: Caller(call.sender))
          try rights.checkIsKnown()
          return [.string(try await center.notify(call, rights))]
        },
        method("NotifyMany", in: ["requests": "aa{sv}"], out: ["ids": "as"], bounds: .requests) { call in
          let rights = await center.rights(of: Caller(call.sender))
          return [.strings(try await center.notifyMany(call, rights))]
        },
        method("Cancel", in: ["app": "s", "ids": "as"], out: ["count": "u"], bounds: .ids) { call in
          let rights = await center.rights(of: Caller(call.sender))
          let (app, ids) = try appAndIDs(call, of: rights)
          return [.uint32(UInt32(try await center.cancel(app, ids, rights, from: Caller(call.sender))))]
        },
        method("Dismiss", in: ["app": "s", "ids": "as"], out: ["count": "u"], bounds: .ids) { call in
          let rights = await center.rights(of: Caller(call.sender))
          let (app, ids) = try appAndIDs(call, of: rights)
          return [.uint32(UInt32(try await center.dismiss(app, ids, rights, from: Caller(call.sender))))]
        },
        method("Pending", in: page, out: ["requests": "aa{sv}"]) { call in
          [try await center.list(.pending, try await page(call, center))]
        },
        method("Delivered", in: page, out: ["requests": "aa{sv}"]) { call in
          [try await center.list(.delivered, try await page(call, center))]
        },
        method("History", in: page, out: ["requests": "aa{sv}"]) { call in
          [try await center.list(.history, try await page(call, center))]
        },
        method("Next", in: ["request": "a{sv}", "count": "u"], out: ["dates": "ax"], bounds: .request) { call in
          let rights = await center.rights(of: Caller(call.sender))
          try rights.checkIsKnown()
          guard case .uint32(let count) = call.arguments[1] else { throw mismatch }
          guard count <= mostDates else {
            throw CenterError(.limitExceeded, "'count' is \(count); the limit is \(mostDates)")
          }
          let dates = try await center.next(
            try request(call.arguments[0], of: rights, needsTitle: false), Int(count))
          return [.array(of: .int64, dates.map { .int64($0) })]
        },
        method("Respond", in: ["app": "s", "id": "s", "action": "s", "options": "a{sv}"], bounds: .reply) { call in
          let rights = await center.rights(of: Caller(call.sender))
          try rights.checkIsKnown()
          guard case .string(let app) = call.arguments[0], case .string(let id) = call.arguments[1],
            case .string(let action) = call.arguments[2]
          else { throw mismatch }
          try rights.checkAll("answering for the user")
          let reply = call.arguments[3].properties?["reply"]?.string
          try checkReply(reply)
          try await center.respond(app, id, action, reply: reply)
          return []
        },
        method("Watch", in: ["enabled": "b"]) { call in
          if call.arguments[0].boolean == true {
            try await center.rights(of: Caller(call.sender)).checkAll("watching everything")
            try await center.watch(Caller(call.sender))
          } else {
            await center.unwatch(Caller(call.sender))
          }
          return []
        },
      ] + categoryMethods(of: center) + appMethods(of: center) + handlerMethods(of: center),
      signals: CenterEvent.signals,
      properties: [
        Property("Version", "s", changes: .constant) { .string(ProductVersion.text) },
        Property("PendingCount", "u", changes: .silent, for: { await pendingCount($0, center) }),
        Property("Server", "s") { .string(await center.serverName) },
        Property("Health", "a{sv}", changes: .silent, for: { await health($0, center) }),
        Property("Capabilities", "as") { .strings(await center.capabilities) },
      ])
  }

  private static func pendingCount(_ caller: BusName?, _ center: Center) async -> Value {
    .uint32(UInt32(await center.pendingCount(for: await rights(of: caller, center))))
  }

  /// Sandboxed programs do not see the user's folders and files, nor their errors.
  private static func health(_ caller: BusName?, _ center: Center) async -> Value {
    .properties(await rights(of: caller, center) == .all ? await center.health.properties : [:])
  }

  private static func rights(of caller: BusName?, _ center: Center) async -> Rights {
    guard let caller else { return .none }
    return await center.rights(of: Caller(caller))
  }

  private static let page: KeyValuePairs<String, Signature> = ["app": "s", "offset": "u", "limit": "u"]

  /// The most dates that one `Next` finds.
  private static let mostDates: UInt32 = 10_000

  /// Turns the dictionary of a call into a checked request.
  static func request(
    _ argument: Value, of rights: Rights, needsTitle: Bool = true
  ) throws(CenterError) -> NotificationRequest {
    do {
      if rights != .all { return try sandboxedRequest(argument, of: rights) }
      let argument = needsTitle ? argument : titled(argument)
      // Most requests consist of plain values, which take a third of the time. The errors are those of the bus.
      if let request = try? argument.plain?.decode(as: NotificationRequest.self) { return request }
      return try ValueDecoder().decode(NotificationRequest.self, from: argument)
    } catch {
      throw refusal(error)
    }
  }

  /// Adds the `app` that a sandboxed program may leave out.
  private static func sandboxedRequest(_ argument: Value, of rights: Rights) throws -> NotificationRequest {
    try rights.checkIsKnown()
    var words = argument.properties ?? [:]
    if let app = rights.ownApp, words["app"] == nil { words["app"] = .string(app) }
    let request = try request(.properties(words), of: .all, needsTitle: false)
    try rights.check(request)
    return request
  }

  private static func page(_ call: IncomingCall, _ center: Center) async throws -> Page {
    guard case .string(let app) = call.arguments[0], case .uint32(let offset) = call.arguments[1],
      case .uint32(let limit) = call.arguments[2]
    else { throw mismatch }
    let caller = Caller(call.sender)
    let reader = await center.rights(of: caller)
    return Page(
      app: try reader.narrowed(app.isEmpty ? nil : app), caller: caller, reader: reader, offset: Int(offset),
      limit: limit == 0 ? Page.most : min(Int(limit), Page.most))
  }

  /// The center's error for any error that reading a request can throw.
  static func refusal(_ error: any Error) -> CenterError {
    switch error {
    case let error as CenterError: error
    case DecodingError.dataCorrupted(let context) where context.underlyingError is RequestError:
      CenterError(.invalidRequest, context.debugDescription)
    case let error as DecodingError: CenterError(.invalidRequest, error.summary)
    default: CenterError(.invalidRequest, "\(error)")
    }
  }

  /// Adds a title, which `Next` does not require.
  private static func titled(_ argument: Value) -> Value {
    guard case .dictionary(let dictionary) = argument, !dictionary.entries.contains(where: { $0.key == "title" }),
      var words = argument.properties
    else { return argument }
    words["title"] = "-"
    return .properties(words)
  }

  /// Never seen: the bus layer has already compared the arguments with the table. Returned instead of a crash if they
  /// differ.
  static let mismatch = RemoteError(.invalidArgs, "the arguments do not fit the method")
}
