// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A second place that knows how often has been committed.
///
/// SQLite takes a cut or damaged -wal for one that ends earlier, and an empty file for a new one, and says nothing. The
/// commitCounter is written after each commit, without a sync: it survives a crash of ours, and after a loss of power it may
/// know too little, but never too much. So a database that knows of fewer commits has lost some that were acknowledged.
struct CommitCounterFile: ~Copyable {
  private let descriptor: Int32
  private static let digits = 19

  /// Opens or makes it.
  init(_ path: String) throws(StoreError) {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw StoreError("open", path) }
  }

  deinit { close(descriptor) }

  /// Nil: there was no store yet. A file that says nothing readable is a store that was there.
  static func commits(_ path: String) -> Int64? {
    guard StoreFiles.size(of: path) != nil else { return nil }
    let text = String(decoding: StoreFiles.read(path, count: digits) ?? [], as: UTF8.self)
    return Int64(text).flatMap { $0 >= 0 ? $0 : nil } ?? 0
  }

  /// One write of constant length over the last one: it fails on no full disk. A failure only makes it know less.
  borrowing func note(_ commits: Int64) {
    var bytes = [UInt8](repeating: UInt8(ascii: "0"), count: Self.digits + 1)
    bytes[Self.digits] = UInt8(ascii: "\n")
    var (rest, place) = (commits, Self.digits)
    // Digit by digit: it is done for each commit. No number has more of them.
    while rest > 0 {
      place -= 1
      bytes[place] += UInt8(rest % 10)
      rest /= 10
    }
    _ = pwrite(descriptor, &bytes, bytes.count, 0)
  }

  borrowing func sync() { _ = fsync(descriptor) }
}
