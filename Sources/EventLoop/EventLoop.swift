// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc
internal import Synchronization

/// One thread that waits in one epoll, and the executor of every actor that lives on it.
///
/// A program calls ``run()`` on its main thread; a library user gets a loop with a thread of its own from
/// ``onOwnThread(named:)``. Actors name the loop as their executor, so that nothing between two waits needs a lock:
///
///     actor Center {
///       let loop: EventLoop
///       nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
///     }
///
/// Descriptors, deadlines and signals are registered on the loop's own thread; ``enqueue(_:)``, ``perform(_:)`` and
/// ``stop()`` may be called from any.
public final class EventLoop: SerialExecutor, @unchecked Sendable {
  // @unchecked: `inbox`, `thread` and `ownThread` are synchronised. Everything else is touched on the loop's thread only,
  // which `preconditionOnLoop` checks at every door.

  private enum Work {
    case job(UnownedJob)
    case closure(@Sendable () -> Void)
  }

  /// What other threads leave for the loop.
  private struct Inbox {
    var work: [Work] = []
    var isStopping = false
    /// Whether the loop waits, or is about to, and nobody has woken it yet.
    var isAsleep = false

    mutating func wakes() -> Bool {
      defer { isAsleep = false }
      return isAsleep
    }
  }

  private let inbox = Mutex(Inbox())
  /// What the loop's own thread queued: no lock, no wake-up.
  private var own: [Work] = []
  /// The thread inside `run()`, as a number; 0 while there is none.
  private let thread = Atomic<UInt>(0)
  private let ownThread = Mutex<OwnThread?>(nil)
  let poller: Poller
  let monotonicTimers: TimerQueue
  let elapsedTimers: TimerQueue
  let wallTimers: TimerQueue
  let signals: SignalSource

  /// Makes a loop that runs once somebody calls ``run()``.
  public init() throws(EventLoopError) {
    poller = try Poller()
    monotonicTimers = try TimerQueue(clock: .monotonic)
    elapsedTimers = try TimerQueue(clock: .elapsed)
    wallTimers = try TimerQueue(clock: .wall)
    signals = try SignalSource()
    for timers in [monotonicTimers, elapsedTimers, wallTimers] {
      try poller.add(timers.descriptor, .readable) { _ in timers.expire() }
    }
    try poller.add(signals.descriptor, .readable) { [signals] _ in signals.deliver() }
  }

  func timers(of clock: Clock) -> TimerQueue {
    switch clock {
    case .monotonic: monotonicTimers
    case .elapsed: elapsedTimers
    case .wall: wallTimers
    }
  }

  // MARK: Running

  /// Runs until ``stop()``, on the calling thread. What is queued at that moment still runs, and what that queues.
  public func run() {
    let me = UInt(pthread_self())
    let (claimed, _) = thread.compareExchange(expected: 0, desired: me, ordering: .acquiringAndReleasing)
    precondition(claimed, "an event loop runs on one thread only")
    defer { thread.store(0, ordering: .releasing) }

    let executor = asUnownedSerialExecutor()
    var batch: [Work] = []
    var performed = 0
    while true {
      let isStopping = takeWork(into: &batch)
      if batch.isEmpty {
        if isStopping { break }
        armTimers()
        poller.wait()
        performed = 0
        continue
      }
      performed += batch.count
      perform(&batch, executor)
      // Work that queues work must not keep descriptors and deadlines waiting; but one system call for each would cost
      // more than the work.
      if performed >= 64 {
        armTimers()
        poller.poll()
        performed = 0
      }
    }
    inbox.withLock { $0.isStopping = false }
  }

  /// Ends ``run()``, also one that has yet to begin. From any thread.
  public func stop() {
    let wakes = inbox.withLock { inbox in
      inbox.isStopping = true
      return inbox.wakes()
    }
    if wakes { poller.wake() }
  }

  private func takeWork(into batch: inout [Work]) -> Bool {
    swap(&batch, &own)  // the emptied batch gives its storage back
    return inbox.withLock { inbox in
      if batch.isEmpty {
        swap(&batch, &inbox.work)
      } else if !inbox.work.isEmpty {
        batch += inbox.work
        inbox.work.removeAll(keepingCapacity: true)
      }
      inbox.isAsleep = batch.isEmpty && !inbox.isStopping
      return inbox.isStopping
    }
  }

  private func perform(_ batch: inout [Work], _ executor: UnownedSerialExecutor) {
    for work in batch {
      switch work {
      case .job(let job): job.runSynchronously(on: executor)
      case .closure(let closure): closure()
      }
    }
    // A crowd that came once does not keep its memory.
    batch.removeAll(keepingCapacity: batch.capacity <= 1024)
  }

  private func armTimers() {
    monotonicTimers.arm()
    elapsedTimers.arm()
    wallTimers.arm()
  }

  // MARK: Work from anywhere

  /// Called by the runtime: a piece of a task wants to run here. First come, first served, whatever its priority.
  public func enqueue(_ job: consuming ExecutorJob) {
    add(.job(UnownedJob(job)))
  }

  /// Runs `work` on the loop's thread, in one of its next turns. From any thread.
  public func perform(_ work: @escaping @Sendable () -> Void) {
    add(.closure(work))
  }

  private func add(_ work: Work) {
    if isOnLoop {
      own.append(work)
      return
    }
    let wakes = inbox.withLock { inbox in
      inbox.work.append(work)
      return inbox.wakes()
    }
    if wakes { poller.wake() }
  }

  // MARK: Isolation

  /// Whether the calling thread is the one inside ``run()``.
  public var isOnLoop: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

  /// Lets the runtime find out whether code is already where it should be.
  public func isIsolatingCurrentContext() -> Bool? { isOnLoop }

  /// Lets `assumeIsolated` work inside C callbacks, which carry no task.
  public func checkIsolated() { preconditionOnLoop() }

  func preconditionOnLoop() {
    precondition(isOnLoop, "this belongs on the event loop's thread")
  }

  // MARK: A thread of its own

  /// A loop that runs at once, on a new thread; `stopAndWait()` ends both.
  public static func onOwnThread(named name: String) throws(EventLoopError) -> EventLoop {
    let loop = try EventLoop()
    try loop.ownThread.withLock { thread throws(EventLoopError) in
      thread = try OwnThread(named: name) { loop.run() }
    }
    return loop
  }

  /// Stops a loop made by ``onOwnThread(named:)`` and waits for its thread to end.
  public func stopAndWait() {
    precondition(!isOnLoop, "a loop cannot wait for itself")
    stop()
    ownThread.withLock { thread in
      if let thread = thread.take() { thread.join() }
    }
  }
}
