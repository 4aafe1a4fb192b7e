// SPDX-License-Identifier: Apache-2.0
internal import DBus
public import EventLoop
public import NotificationModel

/// The center, as its clients see it.
///
///     let center = try await Center.connect()
///     let id = try await center.notify(NotificationRequest(title: "Tea is ready"))
///
/// The bus starts the center when it is first asked for something.
public final class Center: Sendable {
  private let connection: CenterConnection

  private static let busName: BusName = "dev.suzu.Center"
  private static let path: ObjectPath = "/dev/suzu/Center"
  private static let interface: InterfaceName = "dev.suzu.Center1"

  private init(_ connection: CenterConnection) {
    self.connection = connection
  }

  /// Connects to the session bus, on the loop of a program that has one, else on a thread of its own.
  public static func connect(on loop: EventLoop? = nil) async throws(SuzuError) -> Center {
    try await connect(toBus: nil, on: loop)
  }

  /// The same on a bus that is not the session's; for tests.
  package static func connect(toBus address: String?, on loop: EventLoop? = nil) async throws(SuzuError) -> Center {
    let connection = try CenterConnection(on: loop)
    do {
      try await connection.open(try address.map { try BusAddress($0) } ?? BusAddress.session())
      return Center(connection)
    } catch {
      await connection.close()
      switch error {
      case let error as CallError: throw SuzuError(error)
      case let error as BusError: throw SuzuError(error)
      default: throw SuzuError(.unavailable, "\(error)")
      }
    }
  }

  /// Ends the connection: calls that wait fail, event streams end, and so does the thread where there is one.
  public func close() async { await connection.close() }

  // MARK: Requests

  /// Hands a request over and returns its id; from then on it is the center's to show.
  @discardableResult
  public func notify(_ request: NotificationRequest) async throws(SuzuError) -> String {
    try await notify(encoded(request))
  }

  /// The same for a request in the words of the vocabulary, which the center checks.
  @discardableResult
  public func notify(_ request: [String: PlainValue]) async throws(SuzuError) -> String {
    try await notify(encoded(request))
  }

  private func notify(_ request: Value) async throws(SuzuError) -> String {
    guard let id = try await call("Notify", [request]).first?.string else {
      throw SuzuError(.unavailable, "the center answered 'Notify' without an id")
    }
    return id
  }

  private func encoded(_ request: some Encodable) throws(SuzuError) -> Value {
    do throws(EncodingError) {
      return .properties(try ValueEncoder().encodeProperties(request))
    } catch {
      throw SuzuError(.invalidRequest, error.summary)
    }
  }

  /// Takes back requests that are not on the screen yet; no ids: all of the app's. Returns how many there were.
  @discardableResult
  public func cancel(app: String, ids: [String] = []) async throws(SuzuError) -> Int {
    Int(try await call("Cancel", [.string(app), .strings(ids)]).first?.uint32 ?? 0)
  }

  /// Takes notifications from the screen; no ids: all of the app's. Returns how many there were.
  @discardableResult
  public func dismiss(app: String, ids: [String] = []) async throws(SuzuError) -> Int {
    Int(try await call("Dismiss", [.string(app), .strings(ids)]).first?.uint32 ?? 0)
  }

  /// Acts as if the user had pressed a button.
  public func respond(
    app: String, id: String, action: String, reply: String? = nil
  ) async throws(SuzuError) {
    let options = Value.properties(reply.map { ["reply": .string($0)] } ?? [:])
    _ = try await call("Respond", [.string(app), .string(id), .string(action), options])
  }

  // MARK: Events

  /// Everything that happens from now on. It ends when the center does, or with ``close()``.
  public func events() async throws(SuzuError) -> AsyncStream<CenterEvent> {
    try connection.enter()
    let news: AsyncStream<PeerEvent>
    do throws(SuzuError) {
      // Listening first; the question starts the center, and what it tells after its answer is heard.
      news = try await connection.use { connection throws(CallError) in
        try await connection.follow(Self.busName, Self.path, Self.interface)
      }
      _ = try await call("Watch", [true])
    } catch {
      connection.leave()
      throw error
    }
    let (events, continuation) = AsyncStream<CenterEvent>.makeStream()
    let reading = Task(executorPreference: connection.loop) { [connection] in
      await Self.read(news, into: continuation)
      continuation.finish()
      connection.leave()
    }
    continuation.onTermination = { _ in reading.cancel() }
    return events
  }

  /// Until the center that was asked is gone: another one does not know of us.
  private static func read(
    _ news: AsyncStream<PeerEvent>, into events: AsyncStream<CenterEvent>.Continuation
  ) async {
    var center: BusName?
    for await item in news {
      switch item {
      case .owner(let owner):
        guard center == nil else { return }
        center = owner
      case .signal(let signal):
        if let event = event(signal) { events.yield(event) }
      }
    }
  }

  private static func event(_ signal: Signal) -> CenterEvent? {
    let arguments = signal.arguments
    switch (signal.member.text, arguments.map(\.type.code).joined()) {
    case ("Delivered", "ssa{sv}"):
      return .delivered(app: arguments[0].string ?? "", id: arguments[1].string ?? "")
    case ("Responded", "tsssa{sv}"):
      return .responded(
        Response(
          number: number(arguments[0]), app: arguments[1].string ?? "", id: arguments[2].string ?? "",
          action: arguments[3].string ?? "", reply: arguments[4].properties?["reply"]?.string))
    case ("Closed", "sss"):
      let reason = CloseReason(rawValue: arguments[2].string ?? "") ?? .unknown
      return .closed(app: arguments[0].string ?? "", id: arguments[1].string ?? "", reason: reason)
    case ("Outcome", "ts"):
      return Outcome(arguments[1].string ?? "").map { .outcome(response: number(arguments[0]), $0) }
    default: return nil
    }
  }

  private static func number(_ value: Value) -> UInt64 {
    if case .uint64(let number) = value { number } else { 0 }
  }

  private func call(_ member: MemberName, _ arguments: [Value]) async throws(SuzuError) -> [Value] {
    try await connection.use { connection throws(CallError) in
      try await connection.call(MethodCall(to: Self.busName, Self.path, Self.interface, member, arguments))
    }
  }
}
