// SPDX-License-Identifier: Apache-2.0
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
/// Start their tasks with `Task(executorPreference: loop)`: others go through the runtime's thread pool each time that
/// something they waited for comes.
///
/// Descriptors, deadlines and signals are registered on the loop's own thread; ``perform(_:)`` and ``stop()`` may be
/// called from any.
public final class EventLoop: TaskExecutor, @unchecked Sendable {
  // @unchecked: `queue` and `ownThread` are synchronised. Everything else is touched on the loop's thread only, which
  // `preconditionOnLoop` checks at every door.

  let queue: WorkQueue
  let starter: TaskStarter
  let poller: Poller
  let monotonicTimers: TimerQueue
  let elapsedTimers: TimerQueue
  let wallTimers: TimerQueue
  /// Made when somebody wants the machine woken: most processes may not.
  var alarms: TimerQueue?
  /// Made when somebody asks for a signal: the kernel wakes whoever polls one at every signal of the process.
  var signals: SignalSource?
  private let ownThread = Mutex<OwnThread?>(nil)
  var endObservers: [UInt64: () -> Void] = [:]
  var lastEndObserver: UInt64 = 0
  var hasEnded = false

  /// Makes a loop that runs once somebody calls ``run()``.
  public init() throws(EventLoopError) {
    let wakeUp = try WakeUp()
    queue = WorkQueue(wakeUp: wakeUp)
    starter = TaskStarter(queue: queue)
    poller = try Poller(wakeUp: wakeUp)
    monotonicTimers = try TimerQueue(clock: .monotonic)
    elapsedTimers = try TimerQueue(clock: .elapsed)
    wallTimers = try TimerQueue(clock: .wall)
    for timers in [monotonicTimers, elapsedTimers, wallTimers] {
      try poller.add(timers.descriptor, .readable) { _ in timers.expire() }
    }
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
    queue.begin()
    defer { queue.end() }
    var batch: [WorkQueue.Work] = []
    var performed = 0
    while true {
      let isStopping = queue.take(into: &batch)
      if batch.isEmpty {
        if isStopping { return }
        armTimers()
        poller.wait()
        performed = 0
        continue
      }
      performed += batch.count
      perform(&batch)
      // Work that queues work must not keep descriptors and deadlines waiting; but one system call for each would cost
      // more than the work.
      if performed >= 64 {
        armTimers()
        poller.poll()
        performed = 0
      }
    }
  }

  /// Ends ``run()``, also one that has yet to begin. From any thread.
  public func stop() { queue.stop() }

  private func perform(_ batch: inout [WorkQueue.Work]) {
    let executor = asUnownedSerialExecutor()
    let preference = asUnownedTaskExecutor()
    for work in batch {
      switch work {
      case .actorJob(let job): job.runSynchronously(on: executor)
      case .taskJob(let job): job.runSynchronously(isolatedTo: executor, taskExecutor: preference)
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
    alarms?.arm()
  }

  // MARK: Work from anywhere

  /// The executor of the loop's actors. First come, first served, whatever the priority.
  public func asUnownedSerialExecutor() -> UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  /// Called by the runtime: a piece of a task that prefers the loop wants to run.
  public func enqueue(_ job: consuming ExecutorJob) {
    queue.add(.taskJob(UnownedJob(job)))
  }

  /// Runs `work` on the loop's thread, in one of its next turns. From any thread.
  public func perform(_ work: @escaping @Sendable () -> Void) {
    queue.add(.closure(work))
  }

  /// Runs `work` after everything that is queued already; for the loop's own thread, where it stays.
  public func performNext(_ work: @escaping () -> Void) {
    preconditionOnLoop()
    // It is made and run on this thread, and never seen by another.
    nonisolated(unsafe) let work = work
    queue.add(.closure { work() })
  }

  /// Whether the calling thread is the one inside ``run()``.
  public var isOnLoop: Bool { queue.isOnLoop }

  func preconditionOnLoop() { queue.preconditionOnLoop() }

  // MARK: A thread of its own

  /// A loop that runs at once, on a new thread; `stopAndWait()` ends both.
  ///
  /// What comes after the end is still done, so that no task waits for ever and every actor of the loop can be let go; but
  /// nothing is watched or waited for any more.
  public static func onOwnThread(named name: String) throws(EventLoopError) -> EventLoop {
    let loop = try EventLoop()
    try loop.ownThread.withLock { thread throws(EventLoopError) in
      thread = try OwnThread(named: name) {
        loop.run()
        loop.end(named: name)
      }
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
