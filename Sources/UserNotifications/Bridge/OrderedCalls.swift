// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Calls that are carried out one after the other, in the order in which they were made. So a request finds the
/// categories that were set before it.
final class OrderedCalls: Sendable {
  private let last = Mutex<Task<Void, Never>?>(nil)

  func run<Output: Sendable>(_ call: @escaping @Sendable () async -> Output) -> Task<Output, Never> {
    last.withLock { last in
      let before = last
      let task = Task.detached {
        await before?.value
        return await call()
      }
      last = Task.detached { _ = await task.value }
      return task
    }
  }
}
