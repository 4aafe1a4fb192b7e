// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization

/// The limit of open descriptors of this process.
public enum DescriptorLimit {
  private struct State {
    /// The original limit of the process, once it has been raised.
    var original: rlimit?
    /// The number of descriptors that started programs cannot use.
    var reserve: rlim_t = 0
  }

  private static let state = Mutex(State())

  /// Raises the limit to the system's maximum, but not above `most`: each descriptor that a peer sends counts, and the
  /// usual 1024 are soon used up. Programs started by ``ChildProcess`` get the original limit, because a program that
  /// uses `select` cannot handle more.
  ///
  /// The last `reserve` descriptors, or a quarter if there are few, are reserved for the bus: started programs get no
  /// pipe from these. libdbus ends the connection if there is no number left for a received descriptor; it receives up
  /// to 253 at once, and 64 may already be open.
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

  /// The limit for started programs: the original one, or nil if it is ours.
  static var original: rlimit? { state.withLock { $0.original } }

  /// Whether `descriptor`, just opened, is in the reserve. The kernel assigns the lowest free number.
  static func isReserved(_ descriptor: Int32) -> Bool {
    let reserve = state.withLock { $0.reserve }
    var limit = rlimit()
    guard reserve > 0, getrlimit(nofile, &limit) == 0 else { return false }
    return rlim_t(descriptor) + reserve >= limit.rlim_cur
  }

  private static let nofile = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
}
