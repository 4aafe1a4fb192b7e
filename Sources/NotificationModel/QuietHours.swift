// SPDX-License-Identifier: Apache-2.0

/// What the user has decided about quiet hours, for all apps or for one.
public struct QuietHours: Hashable, Sendable {
  /// Whether they are on until the user turns them off.
  public var isOn = false
  /// Until when they are on, in seconds since 1970; nil if the user has not said it.
  public var onUntil: Int64?
  /// The times that repeat: `Mon..Fri 22:00..07:00`, or `EXPRESSION for DURATION`.
  public var hours: [String] = []
  /// Until when ``hours`` do not count, in seconds since 1970: the user has ended them early.
  public var skippedUntil: Int64?
  /// What is shown during quiet hours; nil for an app without a choice of its own.
  public var limit: QuietLimit?
  /// Whether *Do not disturb* of the desktop counts as well. Only for all apps.
  public var followsDesktop = false
  /// Whether what was held comes one by one, and not as one notification. Only for all apps.
  public var comesOneByOne = false

  /// The most ``hours`` of an app.
  public static let mostHours = 50
  /// The longest text of one of them, in bytes.
  public static let longestText = 200
  /// The most apps with a choice of their own.
  public static let mostApps = 1000

  /// No quiet hours.
  public init() {}

  /// Whether the user has decided nothing.
  package var isUnset: Bool { self == QuietHours() }

  /// The causes at a moment, in seconds since 1970.
  ///
  /// - Parameter hoursUntil: the end of those ``hours`` that contain the moment; nil if none does.
  package func causes(at now: Int64, hoursUntil: Int64?) -> QuietCauses {
    var causes = QuietCauses()
    causes.isOn = isOn
    if let onUntil, onUntil > now { causes.onUntil = onUntil }
    if let hoursUntil, hoursUntil > now, skippedUntil.map({ $0 <= now }) ?? true { causes.hoursUntil = hoursUntil }
    return causes
  }

  // MARK: Deciding

  /// Turns quiet hours on, until a moment or until they are turned off.
  package mutating func turnOn(until end: Int64? = nil) {
    isOn = end == nil
    onUntil = end
    skippedUntil = nil
  }

  /// Turns quiet hours off.
  ///
  /// - Parameter hoursUntil: the end of those ``hours`` that contain the moment, which are skipped.
  package mutating func turnOff(skipping hoursUntil: Int64?) {
    isOn = false
    onUntil = nil
    skippedUntil = hoursUntil
  }
}

// MARK: - As a dictionary

extension QuietHours {
  /// Reads the dictionary that ``plain`` makes; what is not valid is left out.
  package init(_ words: [String: PlainValue]) {
    func number(_ key: String) -> Int64? {
      // Until the last second of the year 9999.
      if case .integer(let number)? = words[key], 1...253_402_300_799 ~= number { number } else { nil }
    }
    isOn = words["on"] == .flag(true)
    onUntil = number("until")
    skippedUntil = number("skipped")
    if case .list(let texts)? = words["hours"] {
      hours = texts.compactMap { if case .text(let text) = $0 { text } else { nil } }
    }
    if case .text(let text)? = words["pass"] { limit = QuietLimit(rawValue: text) }
    followsDesktop = words["desktop"] == .flag(true)
    comesOneByOne = words["after"] == .text("each")
  }

  /// The decisions as a dictionary, without those that the user has not made.
  package var plain: [String: PlainValue] {
    var words: [String: PlainValue] = [:]
    if isOn { words["on"] = .flag(true) }
    words["until"] = onUntil.map { .integer($0) }
    words["skipped"] = skippedUntil.map { .integer($0) }
    if !hours.isEmpty { words["hours"] = .list(hours.map { .text($0) }) }
    words["pass"] = limit.map { .text($0.rawValue) }
    if followsDesktop { words["desktop"] = .flag(true) }
    if comesOneByOne { words["after"] = .text("each") }
    return words
  }
}
