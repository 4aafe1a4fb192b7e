// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A descriptor on its way over the bus, with one owner: it is closed when the last reference goes.
public final class UnixFD: Sendable, Hashable {
  /// The number; valid as long as this object lives.
  public let number: Int32

  /// Takes over `number`, which nobody else may close from now on.
  public init(owning number: Int32) {
    self.number = number
  }

  /// A duplicate for somebody who wants to own one; -1 where the process has no more descriptors.
  public func duplicate() -> Int32 {
    fcntl(number, F_DUPFD_CLOEXEC, 0)
  }

  deinit {
    close(number)
  }

  /// Two are equal where they are the same descriptor.
  public static func == (a: UnixFD, b: UnixFD) -> Bool { a.number == b.number }

  /// By number.
  public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
