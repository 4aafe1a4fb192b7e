// SPDX-License-Identifier: Apache-2.0

extension EventLoop {
  /// Waits for the end of a process that is not our child. Returns false if it has not ended within the time limit, or
  /// cannot be watched.
  public func awaitEnd(of process: consuming ProcessHandle, within limit: Duration) async -> Bool {
    let wait = EndWait(process)
    return await withContinuation { continuation in
      perform { wait.begin(on: self, within: limit) { continuation.resume(returning: $0) } }
    }
  }
}

extension EventLoop {
  /// Calls `handler` when a process that is not our child has ended. Does nothing if it cannot be watched.
  public func onEnd(of process: consuming ProcessHandle, _ handler: @escaping @Sendable () -> Void) {
    let wait = EndWait(process)
    perform { wait.begin(on: self, within: nil) { if $0 { handler() } } }
  }
}

/// @unchecked: used on the loop's thread only, inside `perform`.
private final class EndWait: @unchecked Sendable {
  private let process: ProcessHandle
  private var watch: EventLoop.DescriptorWatch?
  private var deadline: EventLoop.Deadline?
  private var tell: ((Bool) -> Void)?

  init(_ process: consuming ProcessHandle) { self.process = process }

  /// The watches keep it alive until the wait is over.
  func begin(on loop: EventLoop, within limit: Duration?, _ tell: @escaping (Bool) -> Void) {
    self.tell = tell
    watch = try? loop.watch(process.descriptor, for: .readable) { _ in self.finish() }
    if watch == nil { return finish() }
    if let limit { deadline = loop.schedule(after: limit) { self.finish() } }
  }

  private func finish() {
    watch?.cancel()
    deadline?.cancel()
    tell?(process.hasEnded)
    tell = nil
  }
}
