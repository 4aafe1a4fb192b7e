// SPDX-License-Identifier: Apache-2.0
public import EventLoop

/// One connection to one bus, on one event loop.
///
/// Every call is asynchronous and has a time limit; nothing here waits but the kernel. The connection is an actor whose
/// executor is its loop: actors on the same loop call it without changing threads.
///
///     let connection = try await Connection.open(.session(), on: loop)
///     let reply = try await connection.call(.toBus("GetId"))
///
/// Close it when done: an open connection is kept by its loop.
public actor Connection {
  /// How a connection behaves.
  public struct Options: Sendable {
    /// Whether to come back when the bus went away: names, match rules and objects are put in place again.
    public var reconnects = false
    /// How long connecting may take, from the socket to the answer of `Hello`.
    public var connectionLimit: Duration = .seconds(10)
    /// The longest message to send or to receive. The bus drops a connection that exceeds *its* limit.
    public var longestMessage = 128 << 20

    /// The defaults.
    public init() {}
  }

  enum Phase {
    case connecting(Transport)
    case open(Transport, uniqueName: BusName)
    case waiting(EventLoop.Deadline?, attempts: Int)
    case closed(BusError)
  }

  /// The loop that it lives on.
  public nonisolated let loop: EventLoop
  /// The bus that it is, or was, connected to.
  public nonisolated let address: BusAddress
  let options: Options

  var phase: Phase = .closed(BusError(.disconnected, "not connected yet"))
  var pendingCalls: [UInt32: PendingCall] = [:]
  /// Calls whose answer nobody waits for any more, but somebody wants to hear of.
  var lateReplies: [UInt32: LateReplyHandler] = [:]
  var subscriptions: [UInt64: Subscription] = [:]
  var lastSubscription: UInt64 = 0
  var matchCounts: [String: Int] = [:]
  var owners: [BusName: TrackedOwner] = [:]
  var requestedNames: [BusName: NameOptions] = [:]
  var objects = ObjectTree()
  var eventContinuations: [UInt64: AsyncStream<ConnectionEvent>.Continuation] = [:]

  /// The loop.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  init(to address: BusAddress, on loop: EventLoop, options: Options) {
    self.address = address
    self.loop = loop
    self.options = options
  }

  /// Connects, and returns when the bus has given a unique name.
  public static func open(
    _ address: BusAddress, on loop: EventLoop, options: Options = Options()
  ) async throws(CallError) -> Connection {
    let connection = Connection(to: address, on: loop, options: options)
    try await connection.connect()
    return connection
  }

  isolated deinit {
    shut(BusError(.closed, "the connection was closed"))
  }

  /// The name that the bus gave to this connection; nil while there is none.
  public var uniqueName: BusName? {
    if case .open(_, let name) = phase { name } else { nil }
  }

  /// Bytes that wait until the bus reads them.
  public var outgoingBytes: Int {
    if case .open(let transport, _) = phase { transport.outgoingBytes } else { 0 }
  }

  /// Ends the connection for good: waiting calls fail with `closed`, streams end.
  public func close() {
    shut(BusError(.closed, "the connection was closed"))
  }

  // MARK: Life

  func connect() async throws(CallError) {
    let transport: Transport
    do throws(BusError) {
      transport = try makeTransport()
    } catch {
      phase = .closed(error)
      throw .failed(error)
    }
    phase = .connecting(transport)
    do throws(CallError) {
      let reply = try await exchange(.toBus("Hello"), on: transport, limit: options.connectionLimit)
      guard let name = reply.first?.string.flatMap({ BusName($0) }) else {
        throw .failed(BusError(.unexpectedReply, "the bus answered 'Hello' without a name"))
      }
      phase = .open(transport, uniqueName: name)
    } catch {
      transport.close()
      if case .connecting = phase { phase = .closed(BusError(.disconnected, error.description)) }
      throw error
    }
  }

  private func makeTransport() throws(BusError) -> Transport {
    try Transport(to: address, on: loop, longestMessage: options.longestMessage) { [weak self] message in
      // libdbus calls back on the loop's thread, inside a turn of the loop but outside of any task.
      self?.receiveOnLoop(message)
    }
  }

  private nonisolated func receiveOnLoop(_ message: borrowing MessageReader) {
    assumeIsolated { $0.receive(message) }
  }

  /// Runs `body` in one of the loop's next turns, if the connection is still there then.
  nonisolated func perform(_ body: @escaping @Sendable (isolated Connection) -> Void) {
    loop.perform { [weak self] in self?.assumeIsolated { body($0) } }
  }

  func shut(_ error: BusError) {
    let transport: Transport?
    switch phase {
    case .connecting(let current), .open(let current, _): transport = current
    case .waiting(let deadline, _):
      deadline?.cancel()
      transport = nil
    case .closed: return
    }
    phase = .closed(error)
    transport?.close()
    failCalls(error)
    lateReplies = [:]
    for subscription in subscriptions.values { subscription.end(error) }
    subscriptions = [:]
    owners = [:]
    for continuation in eventContinuations.values { continuation.finish() }
    eventContinuations = [:]
  }
}
