// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A thread that waits in one epoll, and the executor of all actors that live on it.
///
/// A program calls ``run()`` on its main thread; a library user gets a loop with a thread of its own from
/// ``onOwnThread(named:)``. Actors use the loop as their executor, so nothing between two waits needs a lock:
///
///     actor Center {
///       let loop: EventLoop
///       init(on loop: EventLoop) { self.loop = loop }
///       nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
///     }
///
/// Start their tasks with `Task(executorPreference: loop)`: other tasks go through the runtime's thread pool each time
/// that they resume.
///
/// Register descriptors, deadlines and signals on the loop's own thread; ``perform(_:)`` and ``stop()`` may be called
/// from any thread.
public final class EventLoop: TaskExecutor, @unchecked Sendable {
  // @unchecked: `queue` and `ownThread` are synchronised. Everything else is used on the loop's thread only, which
  // `preconditionOnLoop` checks in every entry point.

  let queue: WorkQueue
  let starter: TaskStarter
  let poller: Poller
  let monotonicTimers: TimerQueue
  let elapsedTimers: TimerQueue
  let wallTimers: TimerQueue
  /// Created with the first request to wake the machine, which most processes may not do.
  var alarms: TimerQueue?
  /// Created with the first signal handler: the kernel wakes every process that polls one at each of its signals.
  var signals: SignalSource?
  private let ownThread = Mutex<NamedThread?>(nil)
  /// In the order in which they came. There are few, and a dictionary would cost a program its first look-up of how
  /// integers are hashed, which takes a thirtieth of the time of `suzu notify`.
  var endObservers: [(key: UInt64, call: () -> Void)] = []
  var lastEndObserver: UInt64 = 0
  var hasEnded = false
  /// The clocks of a simulation; nil for those of the kernel.
  let simulatedClocks: SimulatedClocks?

  /// Creates a loop; ``run()`` runs it.
  public convenience init() throws(EventLoopError) { try self.init(simulating: nil) }

  /// Creates a loop for a simulation, which never waits.
  package init(simulating clocks: SimulatedClocks?) throws(EventLoopError) {
    simulatedClocks = clocks
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

  /// Runs until ``stop()``, on the calling thread. Work that is queued by then still runs, and the work that it queues.
  public func run() {
    queue.begin()
    defer { queue.end() }
    var batch: [WorkQueue.Work] = []
    while true {
      let isStopping = queue.take(into: &batch)
      if batch.isEmpty {
        if isStopping { return }
        if let simulatedClocks {
          simulatedClocks.whenIdle()
          continue
        }
        armTimers()
        poller.wait()
        pollAfterLongTurn()
        continue
      }
      perform(&batch)
    }
  }

  /// Descriptors and deadlines get a turn after queued work has run as long as their last turn took, within these
  /// limits. A system call after each piece of work would cost more than the work itself.
  private static let shareOfWork: ClosedRange<Duration> = .milliseconds(1) ... .milliseconds(10)
  /// While descriptors stay ready, they have three times as long as the work before them, and at most this long. A
  /// message is read much faster than it is carried out, and a short one may be behind many long ones: with one turn of
  /// the descriptors after each piece of work of 13 ms, a call behind forty messages would wait for half a second.
  private static let longestTurns: Duration = .milliseconds(40)
  private static let shareOfDescriptors = 3

  /// Ends ``run()``, even one that has not begun yet. From any thread.
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
      pollIfLong()
    }
    // Release the memory of an unusually large batch.
    batch.removeAll(keepingCapacity: batch.capacity <= 1024)
  }

  private func pollIfLong() {
    if simulatedClocks != nil { return }
    let turn = poller.lastTurn
    let share = min(max(turn.upperBound - turn.lowerBound, Self.shareOfWork.lowerBound), Self.shareOfWork.upperBound)
    let worked = Clock.monotonic.now - turn.upperBound
    guard worked >= share else { return }
    poll(for: min(worked * Self.shareOfDescriptors, Self.longestTurns))
    pollAfterLongTurn()
  }

  private func poll(for time: Duration) {
    armTimers()
    poller.poll(for: time)
  }

  /// Polls again if handlers took long, so that queued work does not make the same turn even longer.
  private func pollAfterLongTurn() {
    let begun = poller.lastTurn.upperBound
    while poller.lastHandlers >= Self.shareOfWork.upperBound, poller.lastTurn.upperBound < begun + Self.longestTurns {
      poll(for: .zero)
    }
  }

  private func armTimers() {
    monotonicTimers.arm()
    elapsedTimers.arm()
    wallTimers.arm()
    alarms?.arm()
  }

  // MARK: Work from anywhere

  /// The executor of the loop's actors. Jobs run in order of arrival, whatever their priority.
  public func asUnownedSerialExecutor() -> UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  /// Called by the runtime for a job of a task that prefers the loop.
  public func enqueue(_ job: consuming ExecutorJob) {
    queue.add(.taskJob(UnownedJob(job)))
  }

  /// Runs `work` on the loop's thread, in one of its next turns. From any thread.
  public func perform(_ work: @escaping @Sendable () -> Void) {
    queue.add(.closure(work))
  }

  /// Runs `work` after everything that is already queued; only on the loop's own thread.
  public func performNext(_ work: @escaping () -> Void) {
    preconditionOnLoop()
    // Created and run on this thread, and never used by another.
    nonisolated(unsafe) let work = work
    queue.add(.closure { work() })
  }

  /// Whether the calling thread is the one inside ``run()``.
  public var isOnLoop: Bool { queue.isOnLoop }

  func preconditionOnLoop() { queue.preconditionOnLoop() }

  // MARK: A thread of its own

  /// Returns a loop that already runs on a new thread; `stopAndWait()` ends both.
  ///
  /// Work queued after the end still runs, so that no task waits for ever and every actor of the loop can be released;
  /// but nothing is watched or waited for any more.
  public static func onOwnThread(named name: String) throws(EventLoopError) -> EventLoop {
    let loop = try EventLoop()
    try loop.ownThread.withLock { thread throws(EventLoopError) in
      thread = try NamedThread(named: name) {
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
