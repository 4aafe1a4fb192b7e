// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A descriptor passed over the bus, with one owner: closed when the last reference is released.
public final class UnixFD: Sendable, Hashable {
  /// The number; valid while this object exists.
  public let number: Int32

  /// Takes ownership of `number`, which no other code may close.
  public init(owning number: Int32) {
    self.number = number
  }

  /// Returns a duplicate that the caller owns; -1 if the process has no descriptors left.
  public func duplicate() -> Int32 {
    fcntl(number, F_DUPFD_CLOEXEC, 0)
  }

  deinit {
    close(number)
  }

  /// Compares the descriptors.
  public static func == (a: UnixFD, b: UnixFD) -> Bool { a.number == b.number }

  /// Hashes the number.
  public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
