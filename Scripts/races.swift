// SPDX-License-Identifier: Apache-2.0
import Glibc

/// What Swift's Mutex is, as a lock that ThreadSanitizer sees: see Scripts/races.
public struct PthreadMutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  // @unchecked: the value is used with the lock only, and handed in as `sending`.
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private let value: UnsafeMutablePointer<Value>

  /// Guards a value.
  public init(_ value: consuming sending Value) {
    lock = .allocate(capacity: 1)
    lock.initialize(to: pthread_mutex_t())
    pthread_mutex_init(lock, nil)
    self.value = .allocate(capacity: 1)
    self.value.initialize(to: value)
  }

  deinit {
    value.deinitialize(count: 1)
    value.deallocate()
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  /// Uses the value with the lock.
  public borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return try body(&value.pointee)
  }
}
