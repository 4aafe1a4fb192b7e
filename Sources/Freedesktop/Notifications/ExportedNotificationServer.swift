// SPDX-License-Identifier: Apache-2.0
public import DBus
internal import EventLoop

/// Draws notifications for a program that is a notification server.
public protocol NotificationDisplay: Sendable {
  /// Draws a notification, or redraws the one that is shown as `number`.
  func show(_ notification: ServerNotification, as number: UInt32) async throws
  /// Removes a notification because a program asked for that.
  func close(_ number: UInt32) async
}

/// The server side: exports `org.freedesktop.Notifications`, assigns the numbers and sends the signals.
///
/// Signals go only to the connection that posted the notification: the user's clicks are private.
public actor ExportedNotificationServer {
  private let connection: Connection
  private let display: any NotificationDisplay
  private let information: ServerInformation
  private let capabilities: [Capability]
  private var lastNumber: UInt32 = 0
  private var posters: [UInt32: BusName] = [:]

  /// The connection's loop.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { connection.loop.asUnownedSerialExecutor() }

  /// Makes a service that draws on `display`; ``start()`` exports it.
  public init(
    on connection: Connection, information: ServerInformation, capabilities: [Capability],
    display: any NotificationDisplay
  ) {
    self.connection = connection
    self.information = information
    self.capabilities = capabilities
    self.display = display
  }

  /// Exports the interface and requests the name; returns false if another program owns it.
  public func start() async throws(CallError) -> Bool {
    do throws(BusError) {
      try await connection.export(table(), at: NotificationsBus.path)
    } catch {
      throw .failed(error)
    }
    let reply = try await connection.requestName(NotificationsBus.name, .doNotQueue)
    return reply == .owner || reply == .alreadyOwner
  }

  private func table() -> Interface {
    // A picture may come as bytes: 16 MiB are one of 2000 by 2000 points.
    Interface(
      NotificationsBus.interface, bounds: Bounds(bytes: 16 << 20),
      methods: [
        Method(
          "Notify",
          in: [
            "app_name": "s", "replaces_id": "u", "app_icon": "s", "summary": "s", "body": "s", "actions": "as",
            "hints": "a{sv}", "expire_timeout": "i",
          ], out: ["id": "u"]
        ) { [weak self] in try await self?.notify($0) ?? [] },
        Method("CloseNotification", in: ["id": "u"]) { [weak self] in try await self?.close($0) ?? [] },
        Method("GetCapabilities", out: ["capabilities": "as"]) { [capabilities] _ in
          [.strings(capabilities.map(\.rawValue))]
        },
        Method(
          "GetServerInformation", out: ["name": "s", "vendor": "s", "version": "s", "spec_version": "s"]
        ) { [information] _ in
          [
            .string(information.name), .string(information.vendor), .string(information.version),
            .string(information.specVersion),
          ]
        },
      ],
      signals: [
        SignalDescription("NotificationClosed", ["id": "u", "reason": "u"]),
        SignalDescription("ActionInvoked", ["id": "u", "action_key": "s"]),
        SignalDescription("ActivationToken", ["id": "u", "activation_token": "s"]),
        SignalDescription("NotificationReplied", ["id": "u", "text": "s"]),
      ])
  }

  // MARK: Calls

  private func notify(_ call: IncomingCall) async throws -> [Value] {
    guard let notification = ServerNotification(arguments: call.arguments), let replaced = call.arguments[1].uint32
    else { throw RemoteError(.invalidArgs, "'Notify' takes 'susssasa{sv}i'") }
    // Any program may replace a notification, as `notify-send --replace-id` does from a new process each time; the
    // latest poster gets the signals.
    let formerPoster = posters[replaced]
    let number = formerPoster == nil ? nextNumber() : replaced
    posters[number] = call.sender
    do {
      try await display.show(notification, as: number)
    } catch {
      if posters[number] == call.sender { posters[number] = formerPoster }
      throw error
    }
    return [.uint32(number)]
  }

  private func nextNumber() -> UInt32 {
    repeat { lastNumber &+= 1 } while lastNumber == 0 || posters[lastNumber] != nil
    return lastNumber
  }

  private func close(_ call: IncomingCall) async throws -> [Value] {
    guard let number = call.arguments[0].uint32, posters[number] != nil else {
      throw RemoteError("org.freedesktop.Notifications.Error.InvalidId", "there is no such notification")
    }
    await display.close(number)
    await closed(number, .closed)
    return []
  }

  // MARK: User actions

  /// Reports that the user clicked a button, or the notification itself (`default`).
  public func invoked(_ number: UInt32, key: String) async {
    await tell(number, "ActionInvoked", .string(key))
  }

  /// Reports an activation token. Call it before ``invoked(_:key:)``.
  public func activationToken(_ number: UInt32, _ token: String) async {
    await tell(number, "ActivationToken", .string(token))
  }

  /// Reports that the user wrote a reply.
  public func replied(_ number: UInt32, text: String) async {
    await tell(number, "NotificationReplied", .string(text))
  }

  /// Reports that the notification was closed; its number becomes invalid.
  public func closed(_ number: UInt32, _ reason: ClosedReason) async {
    await tell(number, "NotificationClosed", .uint32(reason.rawValue))
    posters[number] = nil
  }

  private func tell(_ number: UInt32, _ member: MemberName, _ argument: Value) async {
    guard let poster = posters[number] else { return }
    let signal = Signal(
      NotificationsBus.path, NotificationsBus.interface, member, [.uint32(number), argument], to: poster)
    // If the bus is gone, the poster and its notification are gone as well.
    try? await connection.emit(signal)
  }
}
