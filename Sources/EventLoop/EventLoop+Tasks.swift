// SPDX-License-Identifier: Apache-2.0

extension EventLoop {
  /// Where a task that belongs to no actor runs on the loop: `Task(executorPreference: loop.taskExecutor) { … }`.
  public var taskExecutor: some TaskExecutor { LoopTaskExecutor(loop: self) }
}

/// The loop as a preference of tasks.
///
/// Apart from the loop itself, because the runtime compares the preference at every hop to an actor: a job that ran with
/// one its task does not have would be queued again at each `await`, even from the loop to the loop.
private final class LoopTaskExecutor: TaskExecutor {
  let loop: EventLoop

  init(loop: EventLoop) { self.loop = loop }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    loop.perform { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
