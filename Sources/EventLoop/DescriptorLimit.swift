// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization

/// How many descriptors this process may have.
public enum DescriptorLimit {
  private struct State {
    /// The limit that the process was started with, once it has been raised.
    var original: rlimit?
    /// How many descriptors are not for programs that are started.
    var reserve: rlim_t = 0
  }

  private static let state = Mutex(State())

  /// Raises the limit to what the system allows at most, but not above `most`: each descriptor that a peer sends counts,
  /// and the usual 1024 are soon used up. What ``Spawn`` starts has the original one: a program that uses `select` cannot
  /// have more.
  ///
  /// The last `reserve` descriptors, or a quarter where there are few, are kept for the bus: no program that is started has
  /// a pipe of these. libdbus gives the connection up where a descriptor that was sent has no number left; it takes 253 at once,
  /// and 64 may be there already.
  public static func raise(upTo most: UInt = 65_536, keeping reserve: UInt = 320) {
    state.withLock { state in
      var limit = rlimit()
      guard state.original == nil, getrlimit(nofile, &limit) == 0 else { return }
      let wanted = max(limit.rlim_cur, min(limit.rlim_max, rlim_t(most)))
      state.reserve = min(rlim_t(reserve), wanted / 4)
      guard limit.rlim_cur < wanted else { return }
      var raised = limit
      raised.rlim_cur = wanted
      if setrlimit(nofile, &raised) == 0 { state.original = limit }
    }
  }

  /// Runs `body`, which starts a program, with the limit that the process was started with. Nothing of ours is closed by
  /// it; only what another thread opens meanwhile may be refused.
  static func withOriginal<T>(_ body: () -> T) -> T {
    state.withLock { state in
      guard var original = state.original else { return body() }
      var raised = rlimit()
      guard getrlimit(nofile, &raised) == 0 else { return body() }
      _ = setrlimit(nofile, &original)
      defer { _ = setrlimit(nofile, &raised) }
      return body()
    }
  }

  /// Whether `descriptor`, just opened, is one of the reserve. The kernel gives the lowest number that is free.
  static func isReserved(_ descriptor: Int32) -> Bool {
    let reserve = state.withLock { $0.reserve }
    var limit = rlimit()
    guard reserve > 0, getrlimit(nofile, &limit) == 0 else { return false }
    return rlim_t(descriptor) + reserve >= limit.rlim_cur
  }

  private static let nofile = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
}
