// SPDX-License-Identifier: Apache-2.0
public import DBus
public import EventLoop

/// A scripted notification server: a real peer on the bus, which may misbehave.
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

  private let connection: Connection
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

  /// Starts a server: exports the interface and, by default, requests the name.
  public static func start(
    on bus: PrivateBus, _ loop: EventLoop, name: String = "scripted", version: String = "1",
    capabilities: [String] = ["actions", "body", "body-markup"],
    firstNumber: UInt32 = 1, describesItself: Bool = true, answersQuestions: Bool = true, refusedQuestions: Int = 0,
    ownsName: Bool = true, script: @escaping @Sendable (Posted) -> Answer = { _ in .number }
  ) async throws -> ScriptedServer {
    let connection = try await bus.connect(on: loop)
    let server = ScriptedServer(connection, firstNumber: firstNumber, answersQuestions, refusedQuestions, script)
    try await connection.export(server.table(name, version, capabilities, describesItself), at: path)
    if ownsName { try await server.takeName() }
    return server
  }

  private init(
    _ connection: Connection, firstNumber: UInt32, _ answersQuestions: Bool, _ refusedQuestions: Int,
    _ script: @escaping @Sendable (Posted) -> Answer
  ) {
    self.connection = connection
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
        return [.string(name), "Suzu", .string(version), "1.2"]
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
    if replaces == 0 { lastNumber += 1 }
    let posted = Posted(
      poster: call.sender, appName: arguments[0].string ?? "", replaces: replaces, icon: arguments[2].string ?? "",
      summary: arguments[3].string ?? "", body: arguments[4].string ?? "", actions: arguments[5].strings ?? [],
      hints: arguments[6].properties ?? [:], timeout: timeout, number: replaces == 0 ? lastNumber : replaces)
    let answer = script(posted)
    self.posted.put(posted)
    return try await carryOut(answer, posted)
  }

  private func carryOut(_ answer: Answer, _ posted: Posted) async throws -> [Value] {
    switch answer {
    case .number: return [.uint32(posted.number)]
    case .exactly(let number): return [.uint32(number)]
    case .refuse(let name, let message): throw RemoteError(name, message)
    case .values(let values): return values
    case .hold:
      let answer = await withCheckedContinuation { held.append((posted, $0)) }
      return try await carryOut(answer, posted)
    case .die:
      await connection.close()
      return []
    case .say(let signals):
      for signal in signals(posted) { try await connection.emit(signal) }
      return [.uint32(posted.number)]
    }
  }

  private func close(_ call: UntypedCall) async throws -> [Value] {
    closed.put(call.arguments[0].uint32 ?? 0)
    if !answersCloses { _ = await withCheckedContinuation { held.append((Self.noCall, $0)) } }
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
    if !answersQuestions { _ = await withCheckedContinuation { held.append((Self.noCall, $0)) } }
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

  /// Disconnects without notice, as in a crash.
  public func die() async {
    await connection.close()
    release()
  }

  /// Waits until a peer has received all signals sent before: the bus keeps the order of one sender.
  public func reach(_ peer: BusName) async throws {
    try await connection.call(MethodCall(to: peer, "/", "org.freedesktop.DBus.Peer", "Ping"))
  }

  /// Sends a signal.
  public func emit(_ signal: Signal) async throws { try await connection.emit(signal) }

  /// Returns when `peer` has received everything that was sent to it before: the bus keeps the order of one sender.
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
