// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita

/// Runs the tasks of ``MainLoop`` as events of GLib's main loop, between those of the screen.
final class GLibExecutor: SerialExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let box = Unmanaged.passRetained(Box(UnownedJob(job), asUnownedSerialExecutor()))
    // From any thread, and never at once: a job must not run inside of the one that starts it.
    g_idle_add_full(
      window_priority,
      { box in
        if let box { Unmanaged<Box>.fromOpaque(box).takeRetainedValue().run() }
        return 0
      }, box.toOpaque(), nil)
  }

  func checkIsolated() {
    precondition(g_main_context_is_owner(nil) != 0, "GTK belongs to the thread of its main loop")
  }

  private final class Box {
    private let job: UnownedJob
    private let executor: UnownedSerialExecutor

    init(_ job: UnownedJob, _ executor: UnownedSerialExecutor) { (self.job, self.executor) = (job, executor) }

    func run() { job.runSynchronously(on: executor) }
  }
}
