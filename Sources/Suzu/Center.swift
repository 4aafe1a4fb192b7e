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
public actor Center {
  private let connection: Connection
  private let ownLoop: EventLoop?

  /// The connection's loop.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { connection.loop.asUnownedSerialExecutor() }

  private static let busName: BusName = "dev.suzu.Center"
  private static let path: ObjectPath = "/dev/suzu/Center"
  private static let interface: InterfaceName = "dev.suzu.Center1"

  private init(_ connection: Connection, ownLoop: EventLoop?) {
    self.connection = connection
    self.ownLoop = ownLoop
  }

  /// Connects to the session bus, on the loop of a program that has one, else on a thread of its own.
  public static func connect(on loop: EventLoop? = nil) async throws(SuzuError) -> Center {
    if let loop { return try await connect(on: loop, ownLoop: nil) }
    let ownLoop = try makeLoop()
    do throws(SuzuError) {
      return try await connect(on: ownLoop, ownLoop: ownLoop)
    } catch {
      ownLoop.stopAndWait()
      throw error
    }
  }

  private static func connect(on loop: EventLoop, ownLoop: EventLoop?) async throws(SuzuError) -> Center {
    do {
      return Center(try await Connection.open(try BusAddress.session(), on: loop), ownLoop: ownLoop)
    } catch let error as CallError {
      throw SuzuError(error)
    } catch let error as BusError {
      throw SuzuError(error)
    } catch {
      throw SuzuError(.unavailable, "\(error)")
    }
  }

  private static func makeLoop() throws(SuzuError) -> EventLoop {
    do throws(EventLoopError) {
      return try EventLoop.onOwnThread(named: "suzu")
    } catch {
      throw SuzuError(.unavailable, error.description)
    }
  }

  /// Ends the connection; event streams end with it.
  public func close() async {
    await connection.close()
    ownLoop?.stop()
  }

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
    // Asking first starts the center, so that its name has an owner whose signals count.
    _ = try await call("Watch", [true])
    let news: AsyncStream<ServiceNews>
    do throws(CallError) {
      news = try await connection.news(
        of: Self.busName, matching: MatchRule(path: Self.path, interface: Self.interface))
    } catch {
      throw SuzuError(error)
    }
    let (events, continuation) = AsyncStream<CenterEvent>.makeStream()
    let reading = Task(executorPreference: connection.loop) {
      reading: for await piece in news {
        switch piece {
        case .owner(nil): break reading
        case .owner: break
        case .signal(let signal): if let event = Self.event(signal) { continuation.yield(event) }
        }
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in reading.cancel() }
    return events
  }

  private static func event(_ signal: Signal) -> CenterEvent? {
    let arguments = signal.arguments
    func text(_ index: Int) -> String { index < arguments.count ? arguments[index].string ?? "" : "" }
    var number: UInt64 = 0
    if case .uint64(let first) = arguments.first { number = first }
    switch signal.member.text {
    case "Delivered": return .delivered(app: text(0), id: text(1))
    case "Responded":
      let reply = arguments.count > 4 ? arguments[4].properties?["reply"]?.string : nil
      return .responded(Response(number: number, app: text(1), id: text(2), action: text(3), reply: reply))
    case "Closed":
      return .closed(app: text(0), id: text(1), reason: CloseReason(rawValue: text(2)) ?? .unknown)
    case "Outcome": return Outcome(text(1)).map { .outcome(response: number, $0) }
    default: return nil
    }
  }

  private func call(_ member: MemberName, _ arguments: [Value]) async throws(SuzuError) -> [Value] {
    do throws(CallError) {
      return try await connection.call(MethodCall(to: Self.busName, Self.path, Self.interface, member, arguments))
    } catch {
      throw SuzuError(error)
    }
  }
}
