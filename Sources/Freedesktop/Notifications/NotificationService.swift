// SPDX-License-Identifier: Apache-2.0
public import DBus
internal import EventLoop

/// Where a program that is a notification server draws.
public protocol NotificationDisplay: Sendable {
  /// Draws a notification, or draws it anew where `number` is on the screen already.
  func show(_ notification: ServerNotification, as number: UInt32) async throws
  /// Takes it away because a program asked for that.
  func close(_ number: UInt32) async
}

/// The server's half: exports `org.freedesktop.Notifications`, gives the numbers and sends the signals.
///
/// Signals go to the connection that posted, and to nobody else: what a user clicks is not everybody's business.
public actor NotificationService {
  private let connection: Connection
  private let display: any NotificationDisplay
  private let information: ServerInformation
  private let capabilities: [Capability]
  private var lastNumber: UInt32 = 0
  private var posters: [UInt32: BusName] = [:]

  /// The connection's loop.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { connection.loop.asUnownedSerialExecutor() }

  /// A service that draws on `display`; ``start()`` offers it.
  public init(
    on connection: Connection, information: ServerInformation, capabilities: [Capability],
    display: any NotificationDisplay
  ) {
    self.connection = connection
    self.information = information
    self.capabilities = capabilities
    self.display = display
  }

  /// Exports the interface and takes the name; false where somebody else has it.
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
    // Anybody may replace one that is there, as `notify-send --replace-id` does from a new process each time; whoever
    // did so last hears of the clicks.
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

  // MARK: What the user did

  /// A button, or the notification itself (`default`), was pressed.
  public func invoked(_ number: UInt32, key: String) async {
    await tell(number, "ActionInvoked", .string(key))
  }

  /// Goes before ``invoked(_:key:)``, where there is a token.
  public func activationToken(_ number: UInt32, _ token: String) async {
    await tell(number, "ActivationToken", .string(token))
  }

  /// The user wrote an answer.
  public func replied(_ number: UInt32, text: String) async {
    await tell(number, "NotificationReplied", .string(text))
  }

  /// It is gone from the screen; its number is void from here on.
  public func closed(_ number: UInt32, _ reason: ClosedReason) async {
    await tell(number, "NotificationClosed", .uint32(reason.rawValue))
    posters[number] = nil
  }

  private func tell(_ number: UInt32, _ member: MemberName, _ argument: Value) async {
    guard let poster = posters[number] else { return }
    let signal = Signal(
      NotificationsBus.path, NotificationsBus.interface, member, [.uint32(number), argument], to: poster)
    // Where the bus is gone, the poster and its notification are gone for us too.
    try? await connection.emit(signal)
  }
}
