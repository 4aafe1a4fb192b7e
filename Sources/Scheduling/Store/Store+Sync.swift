// SPDX-License-Identifier: Apache-2.0
internal import Glibc

extension Store {
  /// As ``withNeededTransaction(_:)``, but it need not be on disk when this returns: it outlasts this process already, and
  /// the machine once ``syncLog()`` has been called.
  ///
  /// For what must be written down before something is begun, and reaches the disk while that begins.
  public func withUnsyncedTransaction<T>(_ body: () throws(StoreError) -> T) throws(StoreError) -> T {
    let database = try opened()
    try database.setSynced(false)
    // A damaged store may have been mended meanwhile, with another connection, which syncs anyway.
    defer { try? database.setSynced(true) }
    return try withNeededTransaction(body)
  }

  /// Brings to the disk what was committed without it. What was committed with it took that along already.
  public func syncLog() {
    let descriptor = open(files.log, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return }
    // A failure is found by the next commit, which syncs the same file.
    _ = fdatasync(descriptor)
    Glibc.close(descriptor)
  }
}
