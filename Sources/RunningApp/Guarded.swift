// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// A value behind a lock, also one that is not Sendable, such as the weak reference to a delegate.
package final class Guarded<Value>: @unchecked Sendable {
  // @unchecked: the value is only used with the lock.
  private let lock = NSLock()
  private var value: Value

  package init(_ value: Value) { self.value = value }

  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
