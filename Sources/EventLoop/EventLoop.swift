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
public final class EventLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
  // @unchecked: `ready` and `thread` are synchronised. Everything else is touched on the loop's thread only, which
  // `preconditionOnLoop` checks at every door.

  private enum Work {
    case job(UnownedJob)
    case closure(@Sendable () -> Void)
  }

  private struct Ready {
    var work: [Work] = []
    var isStopping = false
  }

  private let ready = Mutex(Ready())
  /// The thread inside `run()`, as a number; 0 while there is none.
  private let thread = Atomic<UInt>(0)
  private let wakeUp: Descriptor
  let poller: Poller
  let timers: [Clock: TimerQueue]
  let signals: SignalSource
  private var ownThread: OwnThread?

  /// Makes a loop that runs once somebody calls ``run()``.
  public init() throws(EventLoopError) {
    poller = try Poller()
    wakeUp = try Descriptor(opening: "eventfd") { eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC)) }
    var timers: [Clock: TimerQueue] = [:]
    for clock in Clock.allCases { timers[clock] = try TimerQueue(clock: clock) }
    self.timers = timers
    signals = try SignalSource()

    let wakeUpNumber = wakeUp.number
    try poller.add(wakeUpNumber, .readable) { _ in
      var count: UInt64 = 0
      _ = read(wakeUpNumber, &count, MemoryLayout.size(ofValue: count))
    }
    for timer in timers.values {
      try poller.add(timer.descriptor, .readable) { [timer] _ in timer.expire() }
    }
    try poller.add(signals.descriptor, .readable) { [signals] _ in signals.deliver() }
  }

  // MARK: Running

  /// Runs until ``stop()``, on the calling thread. What is queued at that moment still runs.
  public func run() {
    let me = UInt(pthread_self())
    let (claimed, _) = thread.compareExchange(expected: 0, desired: me, ordering: .acquiringAndReleasing)
    precondition(claimed, "an event loop runs on one thread only")
    defer { thread.store(0, ordering: .releasing) }

    var batch: [Work] = []
    while true {
      let isStopping = takeReady(into: &batch)
      if batch.isEmpty && isStopping { break }
      if batch.isEmpty {
        for timer in timers.values { timer.arm() }
        poller.wait()
      } else {
        perform(&batch)
        poller.poll()
      }
    }
    ready.withLock { $0.isStopping = false }
  }

  /// Ends ``run()`` after the work that is queued now. From any thread.
  public func stop() {
    ready.withLock { $0.isStopping = true }
    wake()
  }

  private func takeReady(into batch: inout [Work]) -> Bool {
    ready.withLock { ready in
      swap(&batch, &ready.work)  // the emptied batch gives its storage back
      return ready.isStopping
    }
  }

  private func perform(_ batch: inout [Work]) {
    let serial = asUnownedSerialExecutor()
    let task = asUnownedTaskExecutor()
    for work in batch {
      switch work {
      case .job(let job): job.runSynchronously(isolatedTo: serial, taskExecutor: task)
      case .closure(let closure): closure()
      }
    }
    batch.removeAll(keepingCapacity: true)
  }

  // MARK: Work from anywhere

  /// Called by the runtime: a piece of a task wants to run here.
  public func enqueue(_ job: consuming ExecutorJob) {
    add(.job(UnownedJob(job)))
  }

  /// Runs `work` on the loop's thread, in one of its next turns. From any thread.
  public func perform(_ work: @escaping @Sendable () -> Void) {
    add(.closure(work))
  }

  private func add(_ work: Work) {
    let wasEmpty = ready.withLock { ready in
      ready.work.append(work)
      return ready.work.count == 1
    }
    // On the loop's own thread the next turn looks at the queue anyway; elsewhere only the first arrival wakes it.
    if wasEmpty && !isOnLoop { wake() }
  }

  private func wake() {
    var one: UInt64 = 1
    _ = write(wakeUp.number, &one, MemoryLayout.size(ofValue: one))
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
    loop.ownThread = try OwnThread(named: name) { loop.run() }
    return loop
  }

  /// Stops a loop made by ``onOwnThread(named:)`` and waits for its thread to end.
  public func stopAndWait() {
    precondition(!isOnLoop, "a loop cannot wait for itself")
    stop()
    ownThread?.join()
    ownThread = nil
  }
}
