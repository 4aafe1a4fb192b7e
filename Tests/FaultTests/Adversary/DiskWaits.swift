// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Foundation
import Synchronization
import TestSupport

/// Measures the disk itself: a sync of a file waits while the disk is busy with what other programs and virtual
/// machines write, for 200 ms and more at times.
///
/// A small file beside the store gets a few bytes and a sync again and again, as a log of commits does. While such a
/// sync is late, a commit of the center is late as well, and the center is not to blame.
final class DiskWaits: Sendable {
  private let loop: EventLoop
  private let file: Int32
  private let late = Mutex<[LateTime]>([])
  private let isOver = Atomic<Bool>(false)

  /// A longer sync counts as late.
  private static let usual: Duration = .milliseconds(5)
  /// The file begins anew after this many bytes, as a log does.
  private static let mostBytes: off_t = 4 << 20

  init(in folder: String, _ loop: EventLoop) throws {
    self.loop = loop
    file = open(folder + "/disk-waits", O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw TestFailure("cannot make a file in \(folder): \(String(cString: strerror(errno)))") }
  }

  deinit { close(file) }

  /// Writes until ``end()``.
  func run() async throws {
    while !isOver.load(ordering: .relaxed) {
      let time = await sync()
      guard let time else { throw TestFailure("cannot write beside the store: \(String(cString: strerror(errno)))") }
      if time.upperBound - time.lowerBound > Self.usual { late.withLock { $0.append(time) } }
      // A sleep is meant: the rate of the writes, without which they would be a load of their own.
      try await loop.sleep(for: .milliseconds(5))
    }
  }

  /// Writes as much as a small commit, on another thread; returns when it was being written.
  private func sync() async -> LateTime? {
    await withCheckedContinuation { continuation in
      loop.perform { [self] in
        loop.performAway { [self] in
          let start = ContinuousClock.now
          let bytes = [UInt8](repeating: 1, count: 4096)
          if lseek(file, 0, SEEK_END) >= Self.mostBytes { ftruncate(file, 0) }
          guard write(file, bytes, bytes.count) == bytes.count, fdatasync(file) == 0 else { return nil }
          return start..<ContinuousClock.now
        } then: {
          continuation.resume(returning: $0)
        }
      }
    }
  }

  func end() { isOver.store(true, ordering: .relaxed) }

  /// All times at which the disk was slow, in order; none overlap.
  var times: [LateTime] { late.withLock { $0 } }
}
