// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
package import DBus
public import NotificationModel

/// Quiet hours at a moment, as the center tells them.
public struct QuietReport: Sendable {
  /// The app; nil for all apps.
  public var app: String?
  /// What the user has decided.
  public var hours: QuietHours
  /// The lowest level that is shown during quiet hours.
  public var limit: QuietLimit
  /// When it is no longer quiet; nil if it is not quiet.
  public var end: QuietEnd?
  /// How many requests wait for the end.
  public var held: Int

  package init(_ words: [String: Value], of app: String?) {
    func number(_ key: String) -> Int64? { words[key]?.integer }
    self.app = words["app"]?.string ?? app
    hours = QuietHours()
    hours.isOn = words["on"]?.boolean ?? false
    hours.onUntil = number("until")
    hours.hours = words["hours"]?.strings ?? []
    hours.skippedUntil = number("skipped")
    hours.limit = QuietLimit(rawValue: words["ownPass"]?.string ?? "")
    hours.followsDesktop = words["desktop"]?.boolean ?? false
    hours.comesOneByOne = words["after"]?.string == "each"
    limit = QuietLimit(rawValue: words["pass"]?.string ?? "") ?? .usual
    if words["quiet"]?.boolean == true {
      let isOfDesktop = words["ends"]?.string == ListedRequest.desktop
      end = number("end").map { .at($0) } ?? (isOfDesktop ? .whenDesktopAllows : .whenTurnedOff)
    }
    held = Int(words["held"]?.uint32 ?? 0)
  }
}

/// A change of quiet hours. What is nil stays as it is.
public struct QuietEdit: Sendable {
  /// Turning them on or off by hand.
  public enum Turn: Hashable, Sendable {
    /// Until they are turned off.
    case on
    /// Until a moment, in seconds since 1970.
    case until(Int64)
    /// Off; hours that contain this moment are skipped until their end.
    case off
  }

  /// Turning them on or off.
  public var turn: Turn?
  /// Times to add: `Mon..Fri 22:00..07:00`, or `EXPRESSION for DURATION`.
  public var add: [String] = []
  /// Times to remove.
  public var remove: [String] = []
  /// The lowest level that is shown during quiet hours; `.some(nil)` resets it.
  public var limit: QuietLimit??
  /// Whether *Do not disturb* of the desktop counts as well.
  public var followsDesktop: Bool?
  /// Whether what was held comes one by one.
  public var comesOneByOne: Bool?

  /// No change.
  public init() {}

  fileprivate var words: [String: Value] {
    var words: [String: Value] = [:]
    switch turn {
    case .on: words["on"] = true
    case .off: words["on"] = false
    case .until(let end): words["until"] = .int64(end)
    case nil: break
    }
    if !add.isEmpty { words["add"] = .strings(add) }
    if !remove.isEmpty { words["remove"] = .strings(remove) }
    if let limit { words["pass"] = .string(limit?.rawValue ?? "") }
    words["desktop"] = followsDesktop.map { .boolean($0) }
    words["after"] = comesOneByOne.map { .string($0 ? "each" : "digest") }
    return words
  }
}

extension Center {
  /// Quiet hours of an app; nil means of all apps.
  public func quiet(app: String? = nil) async throws(SuzuError) -> QuietReport {
    QuietReport(try await call(CenterMethods.quiet, app ?? ""), of: app)
  }

  /// The apps with quiet hours or a choice of their own.
  public func quietApps() async throws(SuzuError) -> [QuietReport] {
    try await call(CenterMethods.quietApps).map { QuietReport($0, of: nil) }
  }

  /// Changes quiet hours of an app; nil means of all apps.
  public func setQuiet(_ edit: QuietEdit, app: String? = nil) async throws(SuzuError) {
    try await call(CenterMethods.setQuiet, app ?? "", edit.words)
  }
}
