// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Scheduling
internal import Zoneinfo

/// What a kept request waits for.
enum HeldRelease: Hashable {
  case at(Timestamp)
  /// The user is back.
  case unlocked
  /// Quiet hours end.
  case quiet(QuietEnd)

  /// The date on which it comes; nil if that is not known.
  var date: Timestamp? {
    switch self {
    case .at(let date): date
    case .quiet(.at(let seconds)): Timestamp(milliseconds: seconds * 1000)
    case .unlocked, .quiet: nil
    }
  }

  /// The setting that holds it.
  var holder: ListedRequest.Holder {
    switch self {
    case .at: .delivery
    case .unlocked: .away
    case .quiet: .quiet
    }
  }
}

/// Kept requests, in their order; a limited number for each app, and how many there were beyond it.
struct Held {
  /// The requests of an app that come together.
  struct Released {
    let app: AppID
    let requests: [Due]
    /// How many more are only counted.
    let more: Int
  }

  private struct Entry {
    var due: Due
    var release: HeldRelease
    let order: UInt64
  }

  /// The most requests of an app that are kept in memory.
  static let mostOfAnApp = 200

  private var entries: [RequestKey: Entry] = [:]
  private var keys: [DeliveryRecord.Number: RequestKey] = [:]
  private var counts: [Identifier: Int] = [:]
  private var beyond: [Identifier: Int] = [:]
  private var lastOrder: UInt64 = 0

  /// Returns false if the app has too many: then it is only counted.
  mutating func add(_ due: Due, as key: RequestKey, until release: HeldRelease) -> Bool {
    let app = Identifier(due.request.app)
    guard counts[app, default: 0] < Self.mostOfAnApp else {
      beyond[app, default: 0] += 1
      return false
    }
    lastOrder += 1
    entries[key] = Entry(due: due, release: release, order: lastOrder)
    if let delivery = due.record?.delivery { keys[delivery] = key }
    counts[app, default: 0] += 1
    return true
  }

  mutating func remove(_ key: RequestKey) -> Due? {
    guard let due = entries.removeValue(forKey: key)?.due else { return nil }
    if let delivery = due.record?.delivery { keys[delivery] = nil }
    let app = Identifier(due.request.app)
    let count = (counts[app] ?? 1) - 1
    counts[app] = count > 0 ? count : nil
    return due
  }

  /// Removes those that fit, by app, in the order in which they came.
  mutating func take(where fits: (Due, HeldRelease) -> Bool) -> [Released] {
    if entries.isEmpty { return [] }
    var order: [Identifier] = []
    var found: [Identifier: [Due]] = [:]
    for (key, due) in all where entries[key].map({ fits(due, $0.release) }) == true {
      let app = Identifier(due.request.app)
      if found[app] == nil { order.append(app) }
      found[app, default: []].append(due)
      _ = remove(key)
    }
    return order.compactMap { app in
      guard let requests = found[app], let first = requests.first else { return nil }
      return Released(app: first.request.app, requests: requests, more: beyond.removeValue(forKey: app) ?? 0)
    }
  }

  var all: [(key: RequestKey, due: Due)] {
    entries.sorted { $0.value.order < $1.value.order }.map { ($0.key, $0.value.due) }
  }

  func keys(where fits: (RequestKey) -> Bool) -> [RequestKey] {
    entries.isEmpty ? [] : all.map(\.key).filter(fits)
  }

  subscript(key: RequestKey) -> Due? { entries[key]?.due }

  func release(of key: RequestKey) -> HeldRelease? { entries[key]?.release }

  func release(of delivery: DeliveryRecord.Number) -> HeldRelease? { keys[delivery].flatMap { entries[$0]?.release } }

  mutating func set(_ release: HeldRelease, of key: RequestKey) { entries[key]?.release = release }

  /// The same delivery, with another step of its escalation.
  mutating func set(_ due: Due, of key: RequestKey) { entries[key]?.due = due }

  /// The earliest date on which one of them comes.
  var nextDate: Timestamp? {
    entries.values.compactMap(\.release.date).min()
  }
}

extension DeliveryTimes {
  /// The first of these times from a date on.
  ///
  /// A time that the clocks skip is the end of the gap, and of one that they show twice it is the first.
  func next(from date: Timestamp, in rules: ZoneRules) -> Timestamp? {
    let start = Instant((date.milliseconds + 999) / 1000)
    guard let today = rules.civil(at: start)?.date else { return nil }
    for day in 0...2 {
      for minute in minutes {
        guard let date = today.adding(days: day), let time = CivilTime(secondOfDay: minute * 60) else { continue }
        let instant =
          switch rules.instants(of: CivilDateTime(date, time)) {
          case .once(let instant), .overlap(let instant, _): instant
          case .gap(_, _, let transition): transition
          }
        if instant >= start { return Timestamp(milliseconds: instant.seconds * 1000) }
      }
    }
    return nil
  }
}
