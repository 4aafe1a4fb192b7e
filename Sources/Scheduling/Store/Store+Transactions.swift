// SPDX-License-Identifier: Apache-2.0

extension Store {
  /// Runs the calls of `body` as one commit: all or none. `body` may run a second time from its beginning.
  public func withTransaction<T>(_ body: () throws(StoreError) -> T) throws(StoreError) -> T {
    try write(.new) { _ throws(StoreError) in try body() }
  }

  /// Like ``withTransaction(_:)``, for changes that must be written even on a full disk.
  public func withNeededTransaction<T>(_ body: () throws(StoreError) -> T) throws(StoreError) -> T {
    try write(.needed) { _ throws(StoreError) in try body() }
  }

  /// Like ``withTransaction(_:)`` or ``withNeededTransaction(_:)``, but returns before the commit is on disk: it
  /// survives the end of this process, and after ``syncLog()`` or a later synced commit the end of the machine as well.
  ///
  /// - Parameter isNew: whether it stores new requests, which a full disk refuses.
  public func withUnsyncedTransaction<T>(
    isNew: Bool = false, _ body: () throws(StoreError) -> T
  ) throws(StoreError) -> T {
    isSyncing = false
    defer { isSyncing = true }
    let value = try write(isNew ? .new : .needed) { _ throws(StoreError) in try body() }
    database?.startLog()
    return value
  }

  /// Syncs the unsynced commits; returns whether they are on disk. A later synced commit includes them.
  @discardableResult
  public func syncLog() -> Bool {
    // After a failure, the next commit syncs the same file and detects it.
    guard database?.syncLog() == true else { return false }
    noteCommits()
    return true
  }
}
