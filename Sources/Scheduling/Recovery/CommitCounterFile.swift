// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A second place that stores the number of commits.
///
/// SQLite silently takes a truncated or damaged -wal for a shorter one, and an empty file for a new one. This counter
/// is written after each commit that was synced, without a sync of its own: it survives a crash of the center, and
/// after a power failure it may be too low, but never too high. So a database with fewer commits has lost some that
/// were acknowledged.
struct CommitCounterFile: ~Copyable {
  private let descriptor: Int32
  private static let digits = 19

  /// Opens or creates the file.
  init(_ path: String) throws(StoreError) {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw StoreError("open", path) }
  }

  deinit { close(descriptor) }

  /// Nil if there was no store yet. An unreadable counter means that there was one.
  static func commits(_ path: String) -> Int64? {
    guard StoreFiles.size(of: path) != nil else { return nil }
    let text = String(decoding: StoreFiles.read(path, count: digits) ?? [], as: UTF8.self)
    return Int64(text).flatMap { $0 >= 0 ? $0 : nil } ?? 0
  }

  /// Overwrites the counter with a write of constant length, which cannot fail on a full disk. A failure leaves it too
  /// low.
  borrowing func note(_ commits: Int64) {
    var bytes = [UInt8](repeating: UInt8(ascii: "0"), count: Self.digits + 1)
    bytes[Self.digits] = UInt8(ascii: "\n")
    var (rest, place) = (commits, Self.digits)
    // Digit by digit, because it runs for each commit. No number has more digits.
    while rest > 0 {
      place -= 1
      bytes[place] += UInt8(rest % 10)
      rest /= 10
    }
    _ = pwrite(descriptor, &bytes, bytes.count, 0)
  }

  borrowing func sync() { _ = fsync(descriptor) }
}
