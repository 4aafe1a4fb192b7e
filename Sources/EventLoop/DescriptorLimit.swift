// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization

/// How many descriptors this process may have.
public enum DescriptorLimit {
  /// The limit that the process was started with, once it has been raised.
  private static let original = Mutex<rlimit?>(nil)

  /// Raises the limit to what the system allows at most, but not above `most`: each descriptor that a peer sends counts,
  /// and the usual 1024 are soon used up. What ``Spawn`` starts has the original one: a program that uses `select` cannot
  /// have more.
  public static func raise(upTo most: UInt = 65_536) {
    original.withLock { original in
      guard original == nil else { return }
      var limit = rlimit()
      guard getrlimit(nofile, &limit) == 0 else { return }
      let wanted = min(limit.rlim_max, rlim_t(most))
      guard limit.rlim_cur < wanted else { return }
      var raised = limit
      raised.rlim_cur = wanted
      if setrlimit(nofile, &raised) == 0 { original = limit }
    }
  }

  /// Runs `body`, which starts a program, with the limit that the process was started with. Nothing of ours is closed by
  /// it; only what another thread opens meanwhile may be refused.
  static func withOriginal<T>(_ body: () -> T) -> T {
    original.withLock { original in
      guard var original else { return body() }
      var raised = rlimit()
      guard getrlimit(nofile, &raised) == 0 else { return body() }
      _ = setrlimit(nofile, &original)
      defer { _ = setrlimit(nofile, &raised) }
      return body()
    }
  }

  /// Whether `descriptor`, just opened, is one of the last that the process may have. These are the bus's: libdbus gives
  /// the connection up where one that was sent has no number left. The kernel gives the lowest free number.
  static func isLast(_ descriptor: Int32) -> Bool {
    var limit = rlimit()
    guard getrlimit(nofile, &limit) == 0 else { return false }
    return rlim_t(descriptor) + reserve >= limit.rlim_cur
  }

  /// As many as libdbus takes at once, and as many as it holds.
  private static let reserve: rlim_t = 320

  private static let nofile = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
}
