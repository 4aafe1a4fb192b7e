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
        Method(NotificationsBus.notify) {
          [weak self] _, appName, replaced, icon, summary, body, actions, hints, timeout, call in
          let notification = ServerNotification(
            appName: appName, icon: icon, summary: summary, body: body, actions: ServerNotification.actions(actions),
            hints: hints, expiry: ServerNotification.Expiry(milliseconds: timeout))
          guard let self else { throw Self.gone }
          return try await notify(notification, replacing: replaced, for: call.sender)
        },
        Method(NotificationsBus.closeNotification) { [weak self] _, number, _ in try await self?.close(number) },
        Method(NotificationsBus.getCapabilities) { [capabilities] _, _ in capabilities.map(\.rawValue) },
        Method(NotificationsBus.getServerInformation) { [information] _, _ in
          (information.name, information.vendor, information.version, information.specVersion)
        },
      ],
      signals: [
        NotificationsBus.notificationClosed, NotificationsBus.actionInvoked, NotificationsBus.activationToken,
        NotificationsBus.notificationReplied,
      ])
  }

  /// The server has been released.
  private static var gone: RemoteError { RemoteError(.failed, "the notification server has ended") }

  // MARK: Calls

  private func notify(
    _ notification: ServerNotification, replacing replaced: UInt32, for poster: BusName
  ) async throws -> UInt32 {
    // Any program may replace a notification, as `notify-send --replace-id` does from a new process each time; the
    // latest poster gets the signals.
    let formerPoster = posters[replaced]
    let number = formerPoster == nil ? nextNumber() : replaced
    posters[number] = poster
    do {
      try await display.show(notification, as: number)
    } catch {
      if posters[number] == poster { posters[number] = formerPoster }
      throw error
    }
    return number
  }

  private func nextNumber() -> UInt32 {
    repeat { lastNumber &+= 1 } while lastNumber == 0 || posters[lastNumber] != nil
    return lastNumber
  }

  private func close(_ number: UInt32) async throws {
    guard posters[number] != nil else {
      throw RemoteError("org.freedesktop.Notifications.Error.InvalidId", "there is no such notification")
    }
    await display.close(number)
    await closed(number, .closed)
  }

  // MARK: User actions

  /// Reports that the user clicked a button, or the notification itself (`default`).
  public func invoked(_ number: UInt32, key: String) async {
    await tell(number, NotificationsBus.actionInvoked, key)
  }

  /// Reports an activation token. Call it before ``invoked(_:key:)``.
  public func activationToken(_ number: UInt32, _ token: String) async {
    await tell(number, NotificationsBus.activationToken, token)
  }

  /// Reports that the user wrote a reply.
  public func replied(_ number: UInt32, text: String) async {
    await tell(number, NotificationsBus.notificationReplied, text)
  }

  /// Reports that the notification was closed; its number becomes invalid.
  public func closed(_ number: UInt32, _ reason: ClosedReason) async {
    await tell(number, NotificationsBus.notificationClosed, reason.rawValue)
    posters[number] = nil
  }

  private func tell<Argument: BusType>(
    _ number: UInt32, _ signal: SignalDescription<(UInt32, Argument)>, _ argument: Argument
  ) async {
    guard let poster = posters[number] else { return }
    // If the bus is gone, the poster and its notification are gone as well.
    try? await connection.emit(
      Signal(signal, NotificationsBus.path, NotificationsBus.interface, to: poster, number, argument))
  }
}
