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
/// It is closed when its last user lets go of it, by ``close()``, or when its loop ends.
public actor Connection {
  /// How a connection behaves.
  public struct Options: Sendable {
    /// Whether to come back when the bus went away: names, match rules and objects are put in place again.
    public var reconnects = false
    /// How long connecting may take, from the socket to the answer of `Hello`.
    public var connectionLimit: Duration = .seconds(10)
    /// The longest message to send. The bus drops a connection that exceeds *its* limit.
    public var longestMessage = WireWriter.longestMessage
    /// How many bytes may wait for a bus that does not read before sending fails.
    public var longestQueue = 64 << 20
    /// The longest answer that is taken apart, in bytes of its arguments; the call fails with a longer one.
    public var longestReply = WireWriter.longestMessage
    /// The longest signal, likewise; a longer one is ignored.
    public var longestSignal = WireWriter.longestMessage
    /// How many calls of one peer may be in progress; more are refused.
    public var mostCallsOfOne = 16_384
    /// How many bytes of calls are held until their handlers read them, of one peer and of all; more are refused, but for
    /// one message.
    public var mostHeld = (ofOne: 64 << 20, ofAll: 128 << 20)
    /// Whether the process gives memory back to the machine a second after a large message.
    public var givesMemoryBack = false

    /// The defaults.
    public init() {}
  }

  /// Where a connection stands.
  enum Phase {
    case connecting(Transport)
    case open(Transport, uniqueName: BusName)
    /// Until the next attempt; without a deadline that attempt is under way.
    case waiting(EventLoop.Deadline?)
    case closed(BusError)
  }

  /// The loop that it lives on.
  public nonisolated let loop: EventLoop
  /// The bus that it is, or was, connected to.
  public nonisolated let address: BusAddress
  let options: Options

  var phase: Phase = .closed(BusError(.disconnected, "not connected yet"))
  /// Attempts that failed since everything was in place.
  var failedAttempts = 0
  /// Whether everything is in place; false between a loss and the end of the next successful attempt.
  var isComplete = false
  var lastSerial: UInt32 = 0
  var pendingCalls: [UInt32: PendingCall] = [:]
  /// Calls whose answer nobody waits for any more, but somebody wants to hear of.
  var lateReplies: [UInt32: LateReply] = [:]
  var lastKey: UInt64 = 0
  var subscriptions: [UInt64: Subscription] = [:]
  var matches: [String: Match] = [:]
  var owners: [BusName: TrackedOwner] = [:]
  var requestedNames: [BusName: NameOptions] = [:]
  var objects = ObjectTree()
  let room: HeldRoom
  /// Which calls begin when.
  var queue: CallQueue
  var isBeginningCalls = false
  /// When calls that wait may begin.
  var callTurn: EventLoop.Deadline?
  /// Gives memory back.
  var trimming: EventLoop.Deadline?
  private(set) lazy var standardInterfaces = StandardInterfaces(of: self)
  private var endObservation: EventLoop.EndObservation?
  var eventContinuations: [UInt64: AsyncStream<ConnectionEvent>.Continuation] = [:]

  /// The loop.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  init(to address: BusAddress, on loop: EventLoop, options: Options) {
    self.address = address
    self.loop = loop
    self.options = options
    queue = CallQueue(mostCallsOfOne: options.mostCallsOfOne)
    room = HeldRoom(most: options.mostHeld.ofAll, mostOfOne: options.mostHeld.ofOne)
  }

  /// Connects, and returns when the bus has given a unique name.
  public static func open(
    _ address: BusAddress, on loop: EventLoop, options: Options = Options()
  ) async throws(CallError) -> Connection {
    let connection = Connection(to: address, on: loop, options: options)
    try await connection.start()
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

  /// Ends the connection for good: waiting calls fail with `closed`, streams end, objects are let go.
  public func close() {
    shut(BusError(.closed, "the connection was closed"))
  }

  // MARK: Life

  private func start() async throws(CallError) {
    endObservation = loop.onEnd { [weak self] in
      self?.assumeIsolated { $0.shut(BusError(.closed, "the event loop has ended")) }
    }
    do throws(CallError) {
      try await connect()
      isComplete = true
    } catch {
      shut(BusError(error.failureCode ?? .disconnected, error.description))
      throw error
    }
  }

  /// From the socket to a unique name; whoever calls it cleans up where it throws.
  func connect() async throws(CallError) {
    let transport: Transport
    do throws(BusError) { transport = try makeTransport() } catch { throw .failed(error) }
    phase = .connecting(transport)
    let hello = MethodCall.toBus("Hello")
    _ = try await awaitReply(to: hello) { serial, caller throws(BusError) in
      // Open from the answer on, not from the moment that this task runs again: a call to us may come right behind it.
      try begin(
        hello, serial, on: transport, limit: options.connectionLimit
      ) { self.greeted($0, by: transport, caller) }
    }
    // It may have ended meanwhile: the answer, and right behind it the end.
    switch phase {
    case .open: return
    case .closed(let error): throw .failed(error)
    case .connecting, .waiting: throw .failed(BusError(.disconnected, "the bus at '\(address)' went away at once"))
    }
  }

  private func greeted(_ reply: Reply, by transport: Transport, _ caller: PendingCall.Caller) {
    var reply = reply
    if case .success(let arguments) = reply {
      if let name = arguments.first?.string.flatMap({ BusName($0) }) {
        phase = .open(transport, uniqueName: name)
      } else {
        reply = .failure(.failed(BusError(.unexpectedReply, "the bus answered 'Hello' without a name")))
      }
    }
    caller(reply)
  }

  private func makeTransport() throws(BusError) -> Transport {
    let place: String
    if case .waiting = phase { place = address.ofAnyBus } else { place = address.text }
    return try Transport(to: place, on: loop, longestQueue: options.longestQueue) { [weak self] message in
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

  func nextKey() -> UInt64 {
    lastKey += 1
    return lastKey
  }

  func shut(_ error: BusError) {
    let transport: Transport?
    switch phase {
    case .connecting(let current), .open(let current, _): transport = current
    case .waiting(let deadline):
      deadline?.cancel()
      transport = nil
    case .closed:
      phase = .closed(error)
      return
    }
    phase = .closed(error)
    endObservation?.cancel()
    endObservation = nil
    trimming?.cancel()
    trimming = nil
    callTurn?.cancel()
    callTurn = nil
    transport?.close()
    queue.removeWaiting()
    failCalls(error)
    for subscription in subscriptions.values { subscription.end(error) }
    for owner in owners.values { owner.end() }
    for continuation in eventContinuations.values { continuation.finish() }
    subscriptions = [:]
    matches = [:]
    owners = [:]
    eventContinuations = [:]
    // Handlers hold whatever they work on, which may hold the connection.
    objects = ObjectTree()
  }
}
