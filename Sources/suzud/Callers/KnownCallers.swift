// SPDX-License-Identifier: Apache-2.0

/// What is known of callers on the bus, and which calls wait until their caller is identified.
///
/// Only a definite answer is kept: a caller that could not be identified because descriptors or time were short is asked
/// about again at its next call. A bus never gives a unique name twice, but the next bus does: what was begun on one
/// (a generation) counts for that one only.
struct KnownCallers {
  /// How many are kept at hand. Most come once: it saves identifying the same one again.
  static let most = 256
  /// After how many new ones those that left the bus are looked for.
  static let sweep = 64

  private var known: [Caller: Rights] = [:]
  private var waiting: [Caller: [(Rights?) -> Void]] = [:]
  private(set) var generation: UInt64 = 0
  private var newcomers = 0

  var count: Int { known.count }

  subscript(caller: Caller) -> Rights? { known[caller] }

  /// Whether the caller has to be identified now; else that is under way.
  mutating func begin(_ caller: Caller) -> Bool {
    if waiting[caller] != nil { return false }
    waiting[caller] = []
    return true
  }

  /// Hears what is found out; false: that is over, and the caller must be asked about again.
  mutating func wait(for caller: Caller, _ heard: @escaping (Rights?) -> Void) -> Bool {
    guard waiting[caller] != nil else { return false }
    waiting[caller]?.append(heard)
    return true
  }

  /// It was found out what a caller may do, or, nil, it could not be. Returns what the call that asked may do.
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

  /// Whether it is time to look for callers that left the bus.
  mutating func mustSweep() -> Bool {
    guard newcomers >= Self.sweep else { return false }
    newcomers = 0
    return true
  }

  /// Forgets callers that are not on the bus.
  mutating func keep(_ present: Set<Caller>, began: UInt64) {
    if began == generation { known = known.filter { present.contains($0.key) } }
  }

  mutating func forget(_ caller: Caller) { known[caller] = nil }

  /// The bus is gone, and its callers with it.
  mutating func forgetAll() {
    generation += 1
    known = [:]
    newcomers = 0
    let forgotten = waiting.values.flatMap { $0 }
    waiting = [:]
    for heard in forgotten { heard(Rights.none) }
  }
}
