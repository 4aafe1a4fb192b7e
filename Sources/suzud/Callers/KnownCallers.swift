// SPDX-License-Identifier: Apache-2.0

/// The rights of known callers, and the calls that wait until their caller is identified.
///
/// Only a definite answer is kept: a caller that could not be identified, for lack of descriptors or time, is
/// identified again at its next call. A bus never gives a unique name twice, but the next bus does: an identification
/// that began on one bus (a generation) counts for that bus only.
struct KnownCallers {
  /// How many are remembered. Most callers come once; this saves identifying the others again.
  static let most = 256
  /// After this many new callers, those that left the bus are looked for.
  static let sweep = 64

  private var known: [Caller: Rights] = [:]
  private var waiting: [Caller: [(Rights?) -> Void]] = [:]
  private(set) var generation: UInt64 = 0
  private var newcomers = 0

  var count: Int { known.count }

  subscript(caller: Caller) -> Rights? { known[caller] }

  /// Whether the caller has to be identified now; false if that is in progress.
  mutating func begin(_ caller: Caller) -> Bool {
    if waiting[caller] != nil { return false }
    waiting[caller] = []
    return true
  }

  /// Calls `heard` with the result; returns false if the identification has ended, and the caller must start it again.
  mutating func wait(for caller: Caller, _ heard: @escaping (Rights?) -> Void) -> Bool {
    guard waiting[caller] != nil else { return false }
    waiting[caller]?.append(heard)
    return true
  }

  /// Ends an identification with the rights found, or nil if it failed. Returns the rights for the call that started
  /// it.
  mutating func end(_ caller: Caller, _ found: Rights?, began: UInt64) -> Rights {
    guard began == generation else { return .none }
    if let found {
      if known.count >= Self.most { known = [:] }
      known[caller] = found
      newcomers += 1
    }
    let rights = found ?? Rights.none
    for heard in waiting.removeValue(forKey: caller) ?? [] { heard(rights) }
    return rights
  }

  /// Whether to look now for callers that left the bus.
  mutating func mustSweep() -> Bool {
    guard newcomers >= Self.sweep else { return false }
    newcomers = 0
    return true
  }

  /// Forgets the callers that are not on the bus any more.
  mutating func keep(_ present: Set<Caller>, began: UInt64) {
    if began == generation { known = known.filter { present.contains($0.key) } }
  }

  mutating func forget(_ caller: Caller) { known[caller] = nil }

  /// Forgets everything: the bus is gone.
  mutating func forgetAll() {
    generation += 1
    known = [:]
    newcomers = 0
    let forgotten = waiting.values.flatMap { $0 }
    waiting = [:]
    for heard in forgotten { heard(Rights.none) }
  }
}
