// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization

/// What waits to run on the loop's thread, in the order it came; and so the executor of the loop's actors.
///
/// Apart from the loop, which is the executor of tasks that *prefer* it, because the runtime compares the preference at
/// every hop to an actor: a job that ran with a preference that its task does not have would be queued again at each
/// `await`, even from the loop to the loop. Which of the two a job came by tells whether its task has one.
final class WorkQueue: SerialExecutor, @unchecked Sendable {
  // @unchecked: `inbox` and `thread` are synchronised, `own` is touched on the loop's thread only.

  enum Work {
    case actorJob(UnownedJob)
    case taskJob(UnownedJob)
    case closure(@Sendable () -> Void)
  }

  /// What other threads leave for the loop.
  private struct Inbox {
    var work: [Work] = []
    var isStopping = false
    /// Whether the loop waits, or is about to, and nobody has woken it yet.
    var isAsleep = false
    /// Runs the loop once more for what comes after its own thread; nil while there is a thread, or may be.
    var runOnceMore: (@Sendable () -> Void)?

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
  private let wakeUp: WakeUp

  init(wakeUp: WakeUp) { self.wakeUp = wakeUp }

  // MARK: From any thread

  func add(_ work: Work) {
    if isOnLoop {
      own.append(work)
      return
    }
    let (wakes, runOnceMore) = inbox.withLock { inbox in
      inbox.work.append(work)
      return (inbox.wakes(), inbox.runOnceMore.take())
    }
    if wakes { wakeUp.ring() }
    runOnceMore?()
  }

  /// Nobody runs the loop any more: the next work that comes calls `runOnceMore`, on the thread that brings it. False where
  /// work is waiting already.
  func leave(to runOnceMore: @escaping @Sendable () -> Void, evenWithWork: Bool = false) -> Bool {
    // What is its own is looked at by who ran it last only.
    let isIdle = evenWithWork || own.isEmpty
    return inbox.withLock { inbox in
      guard isIdle, inbox.work.isEmpty || evenWithWork else { return false }
      inbox.runOnceMore = runOnceMore
      return true
    }
  }

  func stop() {
    let wakes = inbox.withLock { inbox in
      inbox.isStopping = true
      return inbox.wakes()
    }
    if wakes { wakeUp.ring() }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    add(.actorJob(UnownedJob(job)))
  }

  var isOnLoop: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

  /// Lets the runtime find out whether code is already where it should be.
  func isIsolatingCurrentContext() -> Bool? { isOnLoop }

  /// Lets `assumeIsolated` work inside C callbacks, which carry no task.
  func checkIsolated() { preconditionOnLoop() }

  func preconditionOnLoop() {
    precondition(isOnLoop, "this belongs on the event loop's thread")
  }

  // MARK: From the loop's thread

  /// From here on the calling thread is the loop's.
  func begin() {
    let (isFree, _) = thread.compareExchange(
      expected: 0, desired: UInt(pthread_self()), ordering: .acquiringAndReleasing)
    precondition(isFree, "an event loop runs on one thread only")
  }

  func end() {
    inbox.withLock { $0.isStopping = false }
    thread.store(0, ordering: .releasing)
  }

  /// Exchanges an empty batch for everything that waits, and says whether the loop should stop. When nothing waits, the
  /// next arrival wakes the loop.
  func take(into batch: inout [Work]) -> Bool {
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
}
