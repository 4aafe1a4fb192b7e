// SPDX-License-Identifier: Apache-2.0
internal import DBus

/// Converts a running center's health properties to findings of `suzu doctor`.
struct CenterHealth {
  private let pending: UInt32
  private let health: [String: Value]

  /// Older centers have fewer properties.
  init(_ properties: [String: Value]) {
    pending = properties["PendingCount"]?.uint32 ?? 0
    health = properties["Health"]?.properties ?? [:]
  }

  private func text(_ key: String) -> String? { health[key]?.string }

  var findings: [Finding] {
    if health.isEmpty { return [] }
    return [store] + categoryFiles + [zone, clock, wake]
  }

  private var store: Finding {
    let place = text("store") ?? "?"
    let count = "\(pending) pending in \(place)" + (text("next").map { ", the next at \($0)" } ?? "")
    switch text("storeHealth") {
    case "good":
      let warnings = health["storeWarnings"]?.strings ?? []
      if let number = health["setAside"]?.uint32 {
        return Finding(
          what: "store", state: .degraded,
          text: count + "; \(number) set aside because their next date takes too many steps to find; see 'suzu list'")
      }
      if !warnings.isEmpty {
        return Finding(what: "store", state: .degraded, text: warnings.joined(separator: "; "))
      }
      return Finding(what: "store", state: .good, text: count)
    case "full":
      return Finding(
        what: "store", state: .degraded,
        text: "the disk is full, and new requests are refused; free space for '\(place)'")
    case let state:
      return Finding(
        what: "store", state: .missing,
        text: "'\(place)' is \(state ?? "in an unknown state"), and new requests are refused; see the center's log")
    }
  }

  /// The center ignores such a file, and reads the others.
  private var categoryFiles: [Finding] {
    (health["categoryProblems"]?.strings ?? []).map {
      Finding(what: "category file", state: .degraded, text: $0)
    }
  }

  private var zone: Finding {
    if let problem = text("zoneProblem") { return Finding(what: "time zone", state: .degraded, text: problem) }
    return Finding(what: "time zone", state: .good, text: text("zone") ?? "?")
  }

  private var clock: Finding {
    let isKept = health["clockSynchronized"]?.boolean == true
    return Finding(
      what: "clock", state: isKept ? .good : .degraded,
      text: isKept
        ? "synchronized" : "not synchronized; run 'timedatectl set-ntp true'")
  }

  private var wake: Finding {
    let obstacle = text("wakeObstacle")
    return Finding(
      what: "waking the machine", state: obstacle == nil ? .good : .degraded,
      text: obstacle.map { $0 + "; notifications due during sleep are shown on waking" } ?? "yes")
  }
}
