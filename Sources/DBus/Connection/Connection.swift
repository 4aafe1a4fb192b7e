// SPDX-License-Identifier: Apache-2.0
public import EventLoop

/// A connection to a bus, on one event loop.
///
/// Every call is asynchronous and has a time limit; only the kernel waits. The connection is an actor whose executor is
/// its loop, so actors on the same loop call it without changing threads.
///
///     let bus = try await Connection.session()
///     let owner = try await bus.owner(of: "org.freedesktop.Notifications")
///
/// The connection is closed when its last reference is released, by ``close()``, or when its loop ends.
public actor Connection {
  /// Options of a connection.
  public struct Options: Sendable {
    /// Whether to reconnect after a loss and restore names, match rules and objects.
    public var reconnects = false
    /// The time limit for connecting, up to the answer of `Hello`.
    public var connectionLimit: Duration = .seconds(10)
    /// The longest message to send. The bus drops a connection that exceeds *its* limit.
    public var longestMessage = WireWriter.longestMessage
    /// The maximum number of bytes that wait for a bus that does not read; beyond it, sending fails.
    public var longestQueue = 64 << 20
    /// The longest accepted answer, in bytes of its arguments; the call fails with a longer one.
    public var longestReply = WireWriter.longestMessage
    /// The longest accepted signal, likewise; longer ones are ignored.
    public var longestSignal = WireWriter.longestMessage
    /// The maximum number of calls of one peer in progress; more are refused.
    public var mostCallsOfOne = 16_384
    /// When incoming calls begin; nil if each begins as it comes.
    public var callPacing: CallPacing?
    /// The maximum number of bytes of calls that are held until their handlers read them, for one peer and for all.
    /// More are refused, but a single message is always accepted.
    public var mostHeld = (ofOne: 64 << 20, ofAll: 128 << 20)
    /// Whether the process returns memory to the system a second after a large message.
    public var givesMemoryBack = false

    /// Creates the default options.
    public init() {}
  }

  /// The state of a connection.
  enum Phase {
    case connecting(Transport)
    case open(Transport, uniqueName: BusName)
    /// Waiting for the next attempt; without a deadline the attempt is in progress.
    case waiting(EventLoop.Deadline?)
    case closed(BusError)
  }

  /// The event loop.
  public nonisolated let loop: EventLoop
  /// The bus of the current or last connection.
  public nonisolated let address: BusAddress
  let options: Options

  var phase: Phase = .closed(BusError(.disconnected, "not connected yet"))
  /// The number of failed attempts since the connection was last complete.
  var failedAttempts = 0
  /// Whether the connection is complete; false between a loss and the end of the next successful attempt.
  var isComplete = false
  var lastSerial: UInt32 = 0
  var pendingCalls = PendingCalls()
  /// Calls that timed out, with handlers for late answers.
  var lateReplies: [UInt32: LateReply] = [:]
  var lastKey: UInt64 = 0
  var subscriptions: [UInt64: Subscription] = [:]
  var matches: [String: PendingRegistration] = [:]
  var owners: [BusName: TrackedOwner] = [:]
  var requestedNames: [BusName: NameOptions] = [:]
  var objects = ObjectTree()
  /// The answer to all calls, if it is set.
  var refusal: RemoteError?
  let room: HeldRoom
  /// Decides when each call begins.
  var queue: CallQueue
  var isBeginningCalls = false
  /// The timer of the turn in which waiting calls may begin.
  var callTurn: EventLoop.Deadline?
  /// The timer that returns memory to the system.
  var trimming: EventLoop.Deadline?
  private var endObservation: EventLoop.EndObservation?
  var eventContinuations: [UInt64: AsyncStream<ConnectionEvent>.Continuation] = [:]

  /// The loop.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  init(to address: BusAddress, on loop: EventLoop, options: Options) {
    self.address = address
    self.loop = loop
    self.options = options
    queue = CallQueue(mostCallsOfOne: options.mostCallsOfOne, pacing: options.callPacing)
    room = HeldRoom(most: options.mostHeld.ofAll, mostOfOne: options.mostHeld.ofOne)
  }

  /// Connects, and returns when the bus has assigned a unique name.
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

  /// The unique name of this connection; nil while it is not connected.
  public var uniqueName: BusName? {
    if case .open(_, let name) = phase { name } else { nil }
  }

  /// The number of bytes that the bus has not read yet.
  public var outgoingBytes: Int {
    if case .open(let transport, _) = phase { transport.outgoingBytes } else { 0 }
  }

  /// Closes the connection for good: pending calls fail with `closed`, streams end, objects are released.
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

  /// Connects, from the socket to the unique name; if it throws, the caller cleans up.
  func connect() async throws(CallError) {
    let transport: Transport
    do throws(BusError) { transport = try makeTransport() } catch { throw .failed(error) }
    phase = .connecting(transport)
    // Open from the answer on, not from the moment when this task continues: a call to us may follow the answer
    // immediately.
    let greeting = try begin(
      MessageHeader(BusMethods.hello.name, of: .bus), values: [], options.connectionLimit, on: transport,
      first: { self.greeted($0, by: transport) })
    _ = try await reply(to: greeting)
    // The connection may have ended in the meantime, immediately after the answer.
    switch phase {
    case .open: return
    case .closed(let error): throw .failed(error)
    case .connecting, .waiting:
      throw .failed(BusError(.disconnected, "the bus at '\(address)' closed the connection at once"))
    }
  }

  private func greeted(_ reply: Reply, by transport: Transport) -> Reply {
    switch reply.read(BusMethods.hello) {
    case .success(let name):
      phase = .open(transport, uniqueName: name)
      return reply
    case .failure(let error): return .failure(error)
    }
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

  /// Runs `body` in one of the loop's next turns, if the connection still exists then.
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
    // Handlers may hold objects that hold the connection.
    objects = ObjectTree()
  }
}
