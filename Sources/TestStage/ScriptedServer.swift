// SPDX-License-Identifier: Apache-2.0
public import DBus
public import EventLoop

/// A scripted notification server: a real peer on a private bus, which behaves like the server of a desktop, and may
/// misbehave on cue.
///
///     let bus = try PrivateBus(services: ["dev.suzu.Center": "/usr/bin/suzud"])
///     let server = try await ScriptedServer.start(like: .gnome48, on: bus)
///     let center = try await bus.center()
///     try await TeaTimer(app: center.app("org.example.Tea")).start(.zero)
///     let popup = try await server.popup(titled: "Tea is ready")
///     try await server.click("Thanks", on: popup)
///
/// ``posted`` has what it was sent. With a ``ServerProfile`` it draws, refuses and reports what the recorded server
/// does; the script says what it does instead.
public actor ScriptedServer {
  /// A received `Notify` call.
  public struct Posted: Sendable {
    /// The caller.
    public let poster: BusName
    /// The arguments, as in the specification.
    public let appName: String, replaces: UInt32, icon: String, summary: String, body: String
    /// Keys and labels, alternating.
    public let actions: [String]
    /// The hints.
    public let hints: [String: Value]
    /// Milliseconds; -1 and 0 have special meanings.
    public let timeout: Int32
    /// The number to return: the replaced one, or the next.
    public let number: UInt32

    /// The keys of the actions.
    public var keys: [String] { stride(from: 0, to: actions.count, by: 2).map { actions[$0] } }
  }

  /// The reaction to a `Notify` call.
  public enum Answer: Sendable {
    /// Return the replaced number, or the next one.
    case number
    /// Return this number.
    case exactly(UInt32)
    /// Return an error.
    case refuse(ErrorName, String)
    /// Do not answer until ``release(_:)``.
    case hold
    /// Return other values than a number.
    case values([Value])
    /// Close the server's connection.
    case die
    /// Send these signals before returning the number, which they may contain.
    case say(@Sendable (Posted) -> [Signal])
  }

  /// The bus name of notification servers.
  public static let busName: BusName = "org.freedesktop.Notifications"
  static let path: ObjectPath = "/org/freedesktop/Notifications"
  static let interface: InterfaceName = "org.freedesktop.Notifications"

  let connection: Connection
  /// The behavior of the recorded server; nil for a server that only does what the test says.
  let profile: ServerProfile?
  /// What the recorded server draws.
  var popups: [Popup] = []
  /// The tests that wait for a notification.
  var waits: [Int: Wait] = [:]
  var lastWait = 0
  /// When each text came last.
  var lastTexts: [String: ContinuousClock.Instant] = [:]
  private let ownLoop: OwnedLoop?
  private var script: @Sendable (Posted) -> Answer
  private var lastNumber: UInt32
  private var held: [(Posted, CheckedContinuation<Answer, Never>)] = []
  /// The received `Notify` calls.
  public nonisolated let posted = Inbox<Posted>()
  /// The received `CloseNotification` calls.
  public nonisolated let closed = Inbox<UInt32>()
  /// The received queries.
  public nonisolated let questions = Inbox<MemberName>()
  private var answersQuestions: Bool
  /// How many queries it must still refuse as unknown.
  private var refusedQuestions: Int
  private var answersCloses = true

  /// The connection's loop.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { connection.loop.asUnownedSerialExecutor() }

  /// Starts a server that behaves like a recorded one, and owns the name of notification servers.
  ///
  /// - Parameters:
  ///   - profile: the recorded server.
  ///   - bus: the bus of the test.
  ///   - loop: the loop that it runs on; nil for a thread of its own.
  ///   - script: what it does with each notification. ``Answer/number`` is what the recorded server does.
  public static func start(
    like profile: ServerProfile = .standard, on bus: PrivateBus, loop: EventLoop? = nil,
    script: @escaping @Sendable (Posted) -> Answer = { _ in .number }
  ) async throws -> ScriptedServer {
    let owned = try loop == nil ? OwnedLoop() : nil
    guard let loop = loop ?? owned?.loop else { throw TestFailure("a server needs a loop") }
    let connection = try await bus.connect(on: loop)
    let server = ScriptedServer(
      connection, profile, owned, firstNumber: profile.firstNumber, true, 0, script)
    try await connection.export(
      server.table(profile.name, profile.version, profile.capabilities, true), at: path)
    try await server.takeName()
    return server
  }

  /// Starts a server that only does what the test says: exports the interface and, by default, requests the name.
  package static func start(
    on bus: PrivateBus, _ loop: EventLoop, name: String = "scripted", version: String = "1",
    capabilities: [String] = ["actions", "body", "body-markup"],
    firstNumber: UInt32 = 1, describesItself: Bool = true, answersQuestions: Bool = true, refusedQuestions: Int = 0,
    ownsName: Bool = true, script: @escaping @Sendable (Posted) -> Answer = { _ in .number }
  ) async throws -> ScriptedServer {
    let connection = try await bus.connect(on: loop)
    let server = ScriptedServer(
      connection, nil, nil, firstNumber: firstNumber, answersQuestions, refusedQuestions, script)
    try await connection.export(server.table(name, version, capabilities, describesItself), at: path)
    if ownsName { try await server.takeName() }
    return server
  }

  private init(
    _ connection: Connection, _ profile: ServerProfile?, _ ownLoop: OwnedLoop?, firstNumber: UInt32,
    _ answersQuestions: Bool, _ refusedQuestions: Int, _ script: @escaping @Sendable (Posted) -> Answer
  ) {
    self.connection = connection
    self.profile = profile
    self.ownLoop = ownLoop
    lastNumber = firstNumber - 1
    self.answersQuestions = answersQuestions
    self.refusedQuestions = refusedQuestions
    self.script = script
  }

  /// The connection retains the table, and the table retains the server, until the connection is closed.
  private nonisolated func table(
    _ name: String, _ version: String, _ capabilities: [String], _ describesItself: Bool
  ) -> Interface {
    let questions = [
      Method("GetCapabilities", out: ["capabilities": "as"]) { _ in
        try await self.pass("GetCapabilities")
        return [.strings(capabilities)]
      },
      Method("GetServerInformation", out: ["name": "s", "vendor": "s", "version": "s", "spec_version": "s"]) { _ in
        try await self.pass("GetServerInformation")
        return [
          .string(name), .string(self.profile?.vendor ?? "Suzu"), .string(version),
          .string(self.profile?.specification ?? "1.2"),
        ]
      },
    ]
    return Interface(
      Self.interface,
      methods: [
        Method(
          "Notify",
          in: [
            "app_name": "s", "replaces_id": "u", "app_icon": "s", "summary": "s", "body": "s", "actions": "as",
            "hints": "a{sv}", "expire_timeout": "i",
          ], out: ["id": "u"]
        ) { try await self.notify($0) },
        Method("CloseNotification", in: ["id": "u"]) { try await self.close($0) },
      ] + (describesItself ? questions : []))
  }

  // MARK: Calls

  private func notify(_ call: UntypedCall) async throws -> [Value] {
    let arguments = call.arguments
    guard case .int32(let timeout) = arguments[7], let replaces = arguments[1].uint32 else {
      throw TestFailure("'Notify' with other types than the table has")
    }
    let isKnown = replaces != 0 && accepts(replaces)
    if !isKnown { lastNumber += 1 }
    let posted = Posted(
      poster: call.sender, appName: arguments[0].string ?? "", replaces: replaces, icon: arguments[2].string ?? "",
      summary: arguments[3].string ?? "", body: arguments[4].string ?? "", actions: arguments[5].strings ?? [],
      hints: arguments[6].properties ?? [:], timeout: timeout, number: isKnown ? replaces : lastNumber)
    let answer = script(posted)
    self.posted.put(posted)
    return try await carryOut(answer, posted)
  }

  private func carryOut(_ answer: Answer, _ posted: Posted) async throws -> [Value] {
    switch answer {
    case .number:
      try await draw(posted)
      return [.uint32(posted.number)]
    case .exactly(let number): return [.uint32(number)]
    case .refuse(let name, let message): throw RemoteError(name, message)
    case .values(let values): return values
    case .hold:
      let answer = await connection.loop.withContinuation { held.append((posted, $0)) }
      return try await carryOut(answer, posted)
    case .die:
      await connection.close()
      clearScreen()
      return []
    case .say(let signals):
      for signal in signals(posted) { try await connection.emit(signal) }
      return [.uint32(posted.number)]
    }
  }

  private func close(_ call: UntypedCall) async throws -> [Value] {
    let number = call.arguments[0].uint32 ?? 0
    closed.put(number)
    if profile != nil { try await close(number) }
    if !answersCloses { _ = await connection.loop.withContinuation { held.append((Self.noCall, $0)) } }
    return []
  }

  private static let noCall = Posted(
    poster: .bus, appName: "", replaces: 0, icon: "", summary: "", body: "", actions: [], hints: [:], timeout: 0,
    number: 0)

  private func pass(_ question: MemberName) async throws {
    questions.put(question)
    if refusedQuestions > 0 {
      refusedQuestions -= 1
      throw RemoteError("org.freedesktop.DBus.Error.UnknownMethod", "there is nothing yet at this path")
    }
    if !answersQuestions { _ = await connection.loop.withContinuation { held.append((Self.noCall, $0)) } }
  }

  // MARK: Control

  /// Replaces the script.
  public func follow(_ script: @escaping @Sendable (Posted) -> Answer) { self.script = script }

  /// Whether to answer queries and closes; ``release(_:)`` answers those held back.
  public func setAnswers(questions: Bool = true, closes: Bool = true) {
    answersQuestions = questions
    answersCloses = closes
  }

  /// Answers all held calls, oldest first.
  public func release(_ answer: Answer = .number) {
    let waiting = held
    held = []
    for (_, continuation) in waiting { continuation.resume(returning: answer) }
  }

  /// Answers the oldest held call.
  public func releaseFirst(_ answer: Answer = .number) {
    if !held.isEmpty { held.removeFirst().1.resume(returning: answer) }
  }

  /// Requests the name; ``dropName()`` releases it.
  public func takeName() async throws {
    let reply = try await connection.requestName(Self.busName, .doNotQueue)
    guard reply == .owner else { throw TestFailure("another program is the notification server") }
  }

  /// Releases the name, but keeps answering.
  public func dropName() async throws { try await connection.releaseName(Self.busName) }

  /// Disconnects without notice, as in a crash. A test ends each server so; its thread ends with it.
  public func die() async {
    await connection.close()
    clearScreen()
    release()
    ownLoop?.stop()
  }

  /// Waits until a peer has received all signals sent before: the bus keeps the order of one sender.
  public func reach(_ peer: BusName) async throws {
    try await connection.call(MethodCall(to: peer, "/", "org.freedesktop.DBus.Peer", "Ping"))
  }

  /// Calls a method from the server's connection: the bus keeps its order with the server's signals.
  @discardableResult
  package func call(_ call: MethodCall) async throws -> [Value] { try await connection.call(call) }

  /// Sends a signal.
  public func emit(_ signal: Signal) async throws { try await connection.emit(signal) }

  /// The same for an object of the peer.
  public func ping(_ peer: BusName, _ path: ObjectPath) async throws {
    try await connection.call(MethodCall(to: peer, path, "org.freedesktop.DBus.Peer", "Ping"))
  }

  /// Reports a pressed button.
  public func press(_ number: UInt32, _ key: String, to receiver: BusName? = nil) async throws {
    try await emit(Self.actionInvoked(number, key, to: receiver))
  }

  /// Reports a closed notification.
  public func tellClosed(_ number: UInt32, reason: UInt32, to receiver: BusName? = nil) async throws {
    try await emit(Self.notificationClosed(number, reason: reason, to: receiver))
  }

  /// `ActionInvoked`
  public static func actionInvoked(_ number: UInt32, _ key: String, to receiver: BusName? = nil) -> Signal {
    Signal(path, interface, "ActionInvoked", [.uint32(number), .string(key)], to: receiver)
  }

  /// `NotificationClosed`
  public static func notificationClosed(_ number: UInt32, reason: UInt32, to receiver: BusName? = nil) -> Signal {
    Signal(path, interface, "NotificationClosed", [.uint32(number), .uint32(reason)], to: receiver)
  }

  /// `NotificationReplied`
  public static func replied(_ number: UInt32, _ text: String) -> Signal {
    Signal(path, interface, "NotificationReplied", [.uint32(number), .string(text)])
  }

  /// `ActivationToken`
  public static func activationToken(_ number: UInt32, _ token: String) -> Signal {
    Signal(path, interface, "ActivationToken", [.uint32(number), .string(token)])
  }
}
