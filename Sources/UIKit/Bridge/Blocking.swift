// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import RunningApp

/// Waits for a value on the main thread, for properties of the older form that cannot wait in another way.
enum Blocking {
  /// Returns nil, and tells that, if the value takes more than 5 seconds.
  static func value<Value: Sendable>(_ make: @escaping @Sendable () async -> Value) -> Value? {
    let found = Guarded<Value?>(nil)
    let isFound = DispatchSemaphore(value: 0)
    Task.detached {
      let value = await make()
      found.withLock { $0 = value }
      isFound.signal()
    }
    guard isFound.wait(timeout: .now() + 5) == .success else {
      warn("the center did not answer within 5 seconds")
      return nil
    }
    return found.withLock { $0 }
  }
}
