// SPDX-License-Identifier: Apache-2.0
public import NotificationModel
public import Zoneinfo

/// The moments in which a condition counts: from the first to the last one, and only on some days and times.
public struct ConditionWindow: Sendable {
  /// The first moment; nil if it is open.
  public let from: Instant?
  /// The last moment; nil if it is open.
  public let until: Instant?
  fileprivate let during: TimeWindow?
  fileprivate let rules: ZoneRules
  /// The bounds in exact form.
  fileprivate let settled: Schedule.Bounds

  /// Whether it has no limits.
  public var isOpen: Bool { from == nil && until == nil && during == nil }

  /// Whether a moment is within it.
  public func contains(_ moment: Instant) -> Bool {
    if let from, moment < from { return false }
    if let until, moment > until { return false }
    return during?.contains(moment, in: rules) ?? true
  }
}

extension Schedule {
  /// The window of a schedule that waits for a condition; throws if it has passed.
  ///
  /// - Parameter isNew: whether it was just made: a stored one may have passed.
  public func window(
    made: Instant, isNew: Bool, rules: (String?) throws(TriggerError) -> ZoneRules
  ) throws(TriggerError) -> ConditionWindow {
    let zoneRules: ZoneRules
    do throws(TriggerError) { zoneRules = try rules(zone) } catch { throw error.about("zone") }
    let from = try bound("from", bounds.from, made, zoneRules, isEnd: false)
    let until = try bound("until", bounds.until, made, zoneRules, isEnd: true)
    var during: TimeWindow?
    if let text = occasions?.during { during = try TimeWindow.parse(text) }
    let window = ConditionWindow(
      from: from?.instant(in: zoneRules), until: until?.instant(in: zoneRules), during: during, rules: zoneRules,
      settled: Bounds(from: from?.description, until: until?.description))
    if isNew, let end = window.until {
      if end < made { throw Self.hasPassed(bounds.until ?? "") }
      if let start = window.from, end < start {
        throw TriggerError(.impossible, "'until' is before 'from'", key: "until", advice: "give a later time, or none")
      }
    }
    return window
  }

  /// The same schedule with exact bounds, so that it means the same on another day.
  public func settled(as window: ConditionWindow) -> Schedule {
    guard let old = occasions else { return self }
    let occasions = Occasions(
      old.condition, repeats: old.repeats, cooldown: old.cooldown, window.settled, count: old.count,
      during: old.during, now: old.now)
    return Schedule(trusted: .on(occasions), zone: zone, missed: missed, grace: grace, wake: wake)
  }
}
