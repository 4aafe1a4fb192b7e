// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization

/// Work that waits for the loop's thread, in order of arrival; also the executor of the loop's actors.
///
/// Separate from the loop, which is the executor of tasks that *prefer* it, because the runtime compares the preference
/// at every switch to an actor: a job that ran with a preference that its task does not have would be queued again at
/// each `await`, even from the loop to the loop. The executor that a job was queued on tells whether its task has the
/// preference.
final class WorkQueue: SerialExecutor, @unchecked Sendable {
  // @unchecked: `inbox` and `thread` are synchronised, `own` is used on the loop's thread only.

  enum Work {
    case actorJob(UnownedJob)
    case taskJob(UnownedJob)
    case closure(@Sendable () -> Void)
  }

  /// Work that other threads queue for the loop.
  private struct Inbox {
    var work: [Work] = []
    var isStopping = false
    /// Whether the loop waits, or is about to, and has not been woken yet.
    var isAsleep = false
    /// Runs the loop once more for work queued after its thread has ended; nil while there is a thread, or may be.
    var runOnceMore: (@Sendable () -> Void)?

    mutating func wakes() -> Bool {
      defer { isAsleep = false }
      return isAsleep
    }
  }

  private let inbox = Mutex(Inbox())
  /// Work queued by the loop's own thread: needs no lock and no wake-up.
  private var own: [Work] = []
  /// The thread inside `run()`, as a number; 0 if there is none.
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

  /// The loop's thread has ended: the next work calls `runOnceMore`, on the thread that queues it. Returns false if
  /// work is already queued.
  func leave(to runOnceMore: @escaping @Sendable () -> Void, evenWithWork: Bool = false) -> Bool {
    // Only the thread that ran the loop last reads `own`.
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

  /// Lets the runtime detect that code already runs on the right executor.
  func isIsolatingCurrentContext() -> Bool? { isOnLoop }

  /// Makes `assumeIsolated` work inside C callbacks, which have no task.
  func checkIsolated() { preconditionOnLoop() }

  func preconditionOnLoop() {
    precondition(isOnLoop, "this belongs on the event loop's thread")
  }

  // MARK: From the loop's thread

  /// Marks the calling thread as the loop's.
  func begin() {
    let (isFree, _) = thread.compareExchange(
      expected: 0, desired: UInt(pthread_self()), ordering: .acquiringAndReleasing)
    precondition(isFree, "an event loop runs on one thread only")
  }

  func end() {
    inbox.withLock { $0.isStopping = false }
    thread.store(0, ordering: .releasing)
  }

  /// Exchanges an empty batch for all queued work, and returns whether the loop should stop. If nothing is queued, the
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
