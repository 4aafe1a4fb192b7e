// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Scheduling
internal import Triggers
internal import Zoneinfo

/// The user's quiet hours, for all apps and for single ones, kept in the store.
final class QuietBook {
  private struct Page {
    let hours: QuietHours
    let spans: QuietSpans

    init(_ hours: QuietHours) {
      self.hours = hours
      spans = QuietSpans(hours.hours)
    }
  }

  private let store: Store
  private let time: any TimeSource
  private let zones: any ZoneSource
  private var general = Page(QuietHours())
  private var apps: [Identifier: Page] = [:]
  /// The ends of hours that were found in this second, because many requests may ask: by app, and for all.
  private var found: (second: Int64, ends: [Identifier?: Int64?]) = (0, [:])
  private static let setting = "quiet"
  private static let prefix = "quiet/"

  init(store: Store, time: any TimeSource, zones: any ZoneSource) {
    self.store = store
    self.time = time
    self.zones = zones
    if let text = (try? store.setting(Self.setting)) ?? nil, let page = Self.page(text) { general = page }
    for row in (try? store.settings(withPrefix: Self.prefix)) ?? [] {
      // By bytes: an accent at the beginning of the name would belong to the prefix.
      let app = String(decoding: row.name.utf8.dropFirst(Self.prefix.utf8.count), as: UTF8.self)
      apps[Identifier(app)] = Self.page(row.value)
    }
  }

  private static func page(_ text: String) -> Page? {
    guard case .dictionary(let words)? = try? JSONReader.read(text) else { return nil }
    return Page(QuietHours(words))
  }

  /// What the user has decided for an app; nil means for all.
  subscript(app: String?) -> QuietHours {
    app.map { apps[Identifier($0)]?.hours ?? QuietHours() } ?? general.hours
  }

  /// Whether the user has decided nothing, for any app.
  var isEmpty: Bool { apps.isEmpty && general.hours.isUnset }

  /// The apps with decisions of their own, sorted by name.
  var names: [String] { apps.keys.sorted().map(\.text) }

  /// Keeps what the user has decided for an app; nil means for all.
  func set(_ hours: QuietHours, of app: String?) throws(CenterError) {
    if let app, apps[Identifier(app)] == nil, !hours.isUnset, apps.count >= QuietHours.mostApps {
      throw CenterError(
        .limitExceeded, "\(QuietHours.mostApps) apps have quiet hours of their own already, which is the limit")
    }
    let name = app.map { Self.prefix + $0 } ?? Self.setting
    let text = hours.isUnset ? nil : PlainValue.dictionary(hours.plain).json
    do throws(StoreError) {
      try store.withNeededTransaction { () throws(StoreError) in try store.set(name, to: text) }
    } catch {
      throw CenterError(error)
    }
    if let app { apps[Identifier(app)] = hours.isUnset ? nil : Page(hours) } else { general = Page(hours) }
    forgetEnds()
  }

  // MARK: Now

  /// The end of the hours of an app that contain this moment; nil if none do. A nil app means those of all apps.
  func hoursEnd(of app: String?) -> Int64? {
    let (now, app) = (now, app.map { Identifier($0) })
    if found.second != now { found = (now, [:]) }
    if let known = found.ends[app] { return known }
    let spans = if let app { apps[app]?.spans } else { general.spans }
    guard let spans, !spans.isEmpty else { return nil }
    let zones = zones
    let end = spans.end(of: Instant(now)) { name throws(TriggerError) in try zones.rules(name) }?.seconds
    found.ends[app] = .some(end)
    return end
  }

  /// The clock or the zone has changed.
  func forgetEnds() { found = (0, [:]) }

  private var now: Int64 { time.wall.seconds }

  /// What makes it quiet for an app at this moment, but for the desktop. A nil app means for all.
  func causes(of app: String?) -> QuietCauses {
    let causes = general.hours.causes(at: now, hoursUntil: hoursEnd(of: nil))
    guard let app, let own = apps[Identifier(app)]?.hours else { return causes }
    return causes.union(own.causes(at: now, hoursUntil: hoursEnd(of: app)))
  }

  /// The rule for a request that is due now, without the causes, which take longer to find.
  func rule(for request: NotificationRequest) -> QuietRule {
    QuietRule(
      request.content.level, isAlarm: request.isOwnAlarm, limit: general.hours.limit ?? .usual,
      appLimit: apps[Identifier(request.app)]?.hours.limit, causes: QuietCauses())
  }
}

extension Timestamp {
  /// Seconds since 1970, rounded down.
  fileprivate var seconds: Int64 { milliseconds >= 0 ? milliseconds / 1000 : -((999 - milliseconds) / 1000) }
}
