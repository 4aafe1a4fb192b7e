// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Freedesktop
import TestSupport
import Testing

/// A display that records what it is asked to draw.
actor RecordingDisplay: NotificationDisplay {
  enum Drawing: Hashable, Sendable {
    case shown(ServerNotification, UInt32)
    case closed(UInt32)
  }

  struct Refusal: Error {}

  private let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  let drawings: AsyncStream<Drawing>
  private let continuation: AsyncStream<Drawing>.Continuation
  private(set) var shown: [UInt32] = []
  private var isRefusing = false

  init(on loop: EventLoop) {
    self.loop = loop
    (drawings, continuation) = AsyncStream.makeStream()
  }

  func refuse(_ isRefusing: Bool) { self.isRefusing = isRefusing }

  func show(_ notification: ServerNotification, as number: UInt32) throws {
    if isRefusing { throw RemoteError("org.freedesktop.Notifications.Error.ExcessNotificationGeneration", "enough") }
    shown.append(number)
    continuation.yield(.shown(notification, number))
  }

  func close(_ number: UInt32) { continuation.yield(.closed(number)) }
}

/// Server and client side on one bus, each with its own connection.
struct ServerStand {
  static let bus: BusName = "org.freedesktop.Notifications"
  static let path: ObjectPath = "/org/freedesktop/Notifications"
  static let interface: InterfaceName = "org.freedesktop.Notifications"
  static let information = ServerInformation(name: "stand", vendor: "Suzu", version: "1", specVersion: "1.2")
  static let capabilities: [Capability] = [.actions, .body, Capability(rawValue: "x-own")]

  let bus: PrivateBus
  let loop: EventLoop
  let serverConnection: Connection
  let display: RecordingDisplay
  let service: ExportedNotificationServer
  let clientConnection: Connection
  let server: NotificationServerClient

  init(_ bus: PrivateBus, _ loop: EventLoop) async throws {
    self.bus = bus
    self.loop = loop
    serverConnection = try await bus.connect(on: loop)
    display = RecordingDisplay(on: loop)
    service = ExportedNotificationServer(
      on: serverConnection, information: Self.information, capabilities: Self.capabilities, display: display)
    clientConnection = try await bus.connect(on: loop)
    // Test servers do not need time to become ready.
    var limits = NotificationServerClient.Limits()
    limits.refusing = .zero
    server = NotificationServerClient(on: clientConnection, limits: limits)
  }

  /// Runs `body` with a stand whose service already owns the name.
  static func run<T: Sendable>(
    on bus: PrivateBus? = nil, _ body: @Sendable (ServerStand) async throws -> T
  ) async throws -> T {
    try await withBus(bus ?? PrivateBus()) { loop, bus in
      let stand = try await ServerStand(bus, loop)
      #expect(try await stand.service.start())
      let result = try await body(stand)
      await stand.close()
      return result
    }
  }

  /// Follows the server, and waits until it appears.
  func follow() async throws -> Reader<ServerEvent> {
    let events = Reader(try await server.events())
    try await events.expectAppearance()
    return events
  }

  func close() async {
    await clientConnection.close()
    await serverConnection.close()
  }

  /// Emits a valid or invalid server signal from any connection.
  static func emit(
    _ member: MemberName, _ arguments: [Value], from connection: Connection, to receiver: BusName? = nil
  ) async throws {
    try await connection.emit(Signal(path, interface, member, arguments, to: receiver))
  }

  /// Exports a server with only the given methods.
  static func exportServer(_ methods: [DBus.Method], on connection: Connection) async throws {
    try await connection.export(Interface(interface, methods: methods), at: path)
    #expect(try await connection.requestName(bus) == .owner)
  }

  static let notifySignature: KeyValuePairs<String, Signature> = [
    "app_name": "s", "replaces_id": "u", "app_icon": "s", "summary": "s", "body": "s", "actions": "as",
    "hints": "a{sv}", "expire_timeout": "i",
  ]
}

extension Reader<ServerEvent> {
  @discardableResult
  func expectAppearance() async throws -> ServerState {
    guard case .appeared(let state)? = await next() else { throw TestFailure("no server appeared") }
    return state
  }
}

extension Reader<RecordingDisplay.Drawing> {
  func shown() async throws -> (notification: ServerNotification, number: UInt32) {
    guard case .shown(let notification, let number)? = await next() else { throw TestFailure("nothing was shown") }
    return (notification, number)
  }
}

extension AsyncStream where Element: Sendable {
  /// The next element, for streams that are read in several places of one test.
  func first() async -> Element? {
    for await element in self { return element }
    return nil
  }
}
