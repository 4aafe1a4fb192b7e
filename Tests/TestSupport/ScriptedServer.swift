// SPDX-License-Identifier: Apache-2.0
public import DBus
public import EventLoop

/// A notification server that does what the test says: a real peer on the bus, and not always a polite one.
public actor ScriptedServer {
  /// One `Notify` as it arrived.
  public struct Posted: Sendable {
    /// Who posted.
    public let poster: BusName
    /// The arguments of the specification.
    public let appName: String, replaces: UInt32, icon: String, summary: String, body: String
    /// Keys and labels in turn.
    public let actions: [String]
    /// The hints.
    public let hints: [String: Value]
    /// Milliseconds; -1 and 0 have meanings of their own.
    public let timeout: Int32
    /// What the server would answer: the replaced number, or the next one.
    public let number: UInt32

    /// The keys of its actions.
    public var keys: [String] { stride(from: 0, to: actions.count, by: 2).map { actions[$0] } }
  }

  /// What a `Notify` is answered with.
  public enum Answer: Sendable {
    /// The replaced number, or the next one.
    case number
    /// This number, whatever it is.
    case exactly(UInt32)
    /// An error.
    case refuse(ErrorName, String)
    /// Nothing, until ``release(_:)``.
    case hold
    /// Something else than a number.
    case values([Value])
    /// The end of the server's connection.
    case die
    /// These signals, and only then the number. They may name it.
    case say(@Sendable (Posted) -> [Signal])
  }

  /// Where servers are on the bus.
  public static let busName: BusName = "org.freedesktop.Notifications"
  static let path: ObjectPath = "/org/freedesktop/Notifications"
  static let interface: InterfaceName = "org.freedesktop.Notifications"

  private let connection: Connection
  private var script: @Sendable (Posted) -> Answer
  private var lastNumber: UInt32
  private var held: [(Posted, CheckedContinuation<Answer, Never>)] = []
  /// Each `Notify`, as it arrives.
  public nonisolated let posted = Inbox<Posted>()
  /// Each `CloseNotification`, as it arrives.
  public nonisolated let closed = Inbox<UInt32>()
  /// Each question that the script holds back.
  public nonisolated let questions = Inbox<MemberName>()
  private var answersQuestions: Bool
  /// How many questions it does not know yet.
  private var refusedQuestions: Int
  private var answersCloses = true

  /// The connection's loop.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { connection.loop.asUnownedSerialExecutor() }

  /// Starts a server: the interface is exported and, unless told otherwise, the name taken.
  public static func start(
    on bus: PrivateBus, _ loop: EventLoop, name: String = "scripted",
    capabilities: [String] = ["actions", "body", "body-markup"],
    firstNumber: UInt32 = 1, describesItself: Bool = true, answersQuestions: Bool = true, refusedQuestions: Int = 0,
    ownsName: Bool = true, script: @escaping @Sendable (Posted) -> Answer = { _ in .number }
  ) async throws -> ScriptedServer {
    let connection = try await bus.connect(on: loop)
    let server = ScriptedServer(connection, firstNumber: firstNumber, answersQuestions, refusedQuestions, script)
    try await connection.export(server.table(name, capabilities, describesItself), at: path)
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

  /// The table keeps the server, and the connection the table, until one of them is closed.
  private nonisolated func table(
    _ name: String, _ capabilities: [String], _ describesItself: Bool
  ) -> Interface {
    let questions = [
      Method("GetCapabilities", out: ["capabilities": "as"]) { _ in
        try await self.pass("GetCapabilities")
        return [.strings(capabilities)]
      },
      Method("GetServerInformation", out: ["name": "s", "vendor": "s", "version": "s", "spec_version": "s"]) { _ in
        try await self.pass("GetServerInformation")
        return [.string(name), "Suzu", "1", "1.2"]
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

  private func notify(_ call: IncomingCall) async throws -> [Value] {
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

  private func close(_ call: IncomingCall) async throws -> [Value] {
    closed.put(call.arguments[0].uint32 ?? 0)
    if !answersCloses { _ = await withCheckedContinuation { held.append((Self.nobody, $0)) } }
    return []
  }

  private static let nobody = Posted(
    poster: .bus, appName: "", replaces: 0, icon: "", summary: "", body: "", actions: [], hints: [:], timeout: 0,
    number: 0)

  private func pass(_ question: MemberName) async throws {
    questions.put(question)
    if refusedQuestions > 0 {
      refusedQuestions -= 1
      throw RemoteError("org.freedesktop.DBus.Error.UnknownMethod", "there is nothing yet at this path")
    }
    if !answersQuestions { _ = await withCheckedContinuation { held.append((Self.nobody, $0)) } }
  }

  // MARK: What the test says

  /// Answers from now on in this way.
  public func follow(_ script: @escaping @Sendable (Posted) -> Answer) { self.script = script }

  /// Whether questions and closes are answered; what was held back is released by ``release(_:)``.
  public func setAnswers(questions: Bool = true, closes: Bool = true) {
    answersQuestions = questions
    answersCloses = closes
  }

  /// Answers everything that is held, the earliest first.
  public func release(_ answer: Answer = .number) {
    let waiting = held
    held = []
    for (_, continuation) in waiting { continuation.resume(returning: answer) }
  }

  /// Answers the earliest of what is held.
  public func releaseFirst(_ answer: Answer = .number) {
    if !held.isEmpty { held.removeFirst().1.resume(returning: answer) }
  }

  /// Takes the name; gives it back with ``dropName()``.
  public func takeName() async throws {
    let reply = try await connection.requestName(Self.busName, .doNotQueue)
    guard reply == .owner else { throw TestFailure("somebody else is the notification server") }
  }

  /// Gives the name back, and answers on.
  public func dropName() async throws { try await connection.releaseName(Self.busName) }

  /// Ends as a crash would: without a word.
  public func die() async {
    await connection.close()
    release()
  }

  /// Sends any signal.
  public func emit(_ signal: Signal) async throws { try await connection.emit(signal) }

  /// A button was pressed.
  public func press(_ number: UInt32, _ key: String, to receiver: BusName? = nil) async throws {
    try await emit(Self.actionInvoked(number, key, to: receiver))
  }

  /// It is gone.
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
