// SPDX-License-Identifier: Apache-2.0
public import DBus

/// The state of the center itself, as `suzu doctor` shows it: the property `Health`.
public struct CenterHealth: Equatable, Sendable {
  /// The folder of the store.
  public var folder: String?
  /// The state of the store: `good`, `full`, `read-only` or `degraded`.
  public var store: String?
  /// What is wrong with the store although it works, one line each.
  public var storeWarnings: [String] = []
  /// The errors in files of categories, one line each.
  public var categoryProblems: [String] = []
  /// The machine's time zone.
  public var zone: String?
  /// Why that zone is not known for sure.
  public var zoneProblem: String?
  /// Whether the clock is synchronized.
  public var isClockSynchronized = false
  /// Whether the machine can be woken.
  public var canWake = false
  /// Why the machine cannot be woken.
  public var wakeObstacle: String?
  /// Why the bus could not start a notification server when it was last asked; nil if one has come since.
  public var serverFailure: String?
  /// Whether the center can open windows: its environment names a display.
  public var hasDisplay = true
  /// Why the last dialog could not be shown; nil if it could, or none was needed.
  public var dialogFailure: String?
  /// The number of requests that have no next date because the search for it was too long.
  public var setAside = 0
  /// The conditions that nothing is known of at present, and why, one line each.
  public var conditionProblems: [String] = []
  /// What is wrong with followed calendars, one line each.
  public var calendarProblems: [String] = []
  /// The categories that pushes have named and that were left out, and why, one line each.
  public var pushProblems: [String] = []
  /// Why messages to servers elsewhere wait, one line for each reason.
  public var outboxProblems: [String] = []
  /// The next date, as RFC 3339.
  public var next: String?

  /// Creates a state about which nothing is known.
  public init() {}
}

extension CenterHealth {
  /// The state as an `a{sv}`.
  public var properties: [String: Value] {
    var words: [String: Value] = ["clockSynchronized": .boolean(isClockSynchronized), "canWake": .boolean(canWake)]
    for (key, text) in [
      ("store", folder), ("storeHealth", store), ("zone", zone), ("zoneProblem", zoneProblem),
      ("wakeObstacle", wakeObstacle), ("serverFailure", serverFailure), ("dialogFailure", dialogFailure),
      ("next", next),
    ] {
      words[key] = text.map { .string($0) }
    }
    if !hasDisplay { words["display"] = .boolean(false) }
    if !storeWarnings.isEmpty { words["storeWarnings"] = .strings(storeWarnings) }
    if !categoryProblems.isEmpty { words["categoryProblems"] = .strings(categoryProblems) }
    if !conditionProblems.isEmpty { words["conditionProblems"] = .strings(conditionProblems) }
    if !calendarProblems.isEmpty { words["calendarProblems"] = .strings(calendarProblems) }
    if !pushProblems.isEmpty { words["pushProblems"] = .strings(pushProblems) }
    if !outboxProblems.isEmpty { words["outboxProblems"] = .strings(outboxProblems) }
    if setAside > 0 { words["setAside"] = .uint32(UInt32(clamping: setAside)) }
    return words
  }

  /// Reads an `a{sv}`. Older centers send fewer properties, and a sandboxed program gets none.
  public init?(_ properties: [String: Value]) {
    if properties.isEmpty { return nil }
    self.init()
    folder = properties["store"]?.string
    store = properties["storeHealth"]?.string
    storeWarnings = properties["storeWarnings"]?.strings ?? []
    categoryProblems = properties["categoryProblems"]?.strings ?? []
    zone = properties["zone"]?.string
    zoneProblem = properties["zoneProblem"]?.string
    isClockSynchronized = properties["clockSynchronized"]?.boolean ?? false
    canWake = properties["canWake"]?.boolean ?? false
    wakeObstacle = properties["wakeObstacle"]?.string
    serverFailure = properties["serverFailure"]?.string
    hasDisplay = properties["display"]?.boolean ?? true
    dialogFailure = properties["dialogFailure"]?.string
    conditionProblems = properties["conditionProblems"]?.strings ?? []
    calendarProblems = properties["calendarProblems"]?.strings ?? []
    pushProblems = properties["pushProblems"]?.strings ?? []
    outboxProblems = properties["outboxProblems"]?.strings ?? []
    setAside = properties["setAside"]?.uint32.map { Int($0) } ?? 0
    next = properties["next"]?.string
  }
}
