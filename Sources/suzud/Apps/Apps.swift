// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Scheduling

/// The settings as the store keeps them, without the app.
extension AppSettings {
  fileprivate var stored: PlainValue {
    var words = ["asked": Self.list(asked), "allowed": Self.list(allowed), "decided": .flag(isDecided)]
    if !denied.isEmpty { words["denied"] = Self.list(denied) }
    if let delivery { words["deliver"] = .list(delivery.texts.map { .text($0) }) }
    if away != .show { words["away"] = .text(away.rawValue) }
    if previews != .always { words["previews"] = .text(previews.rawValue) }
    return .dictionary(words)
  }

  private static func list(_ kinds: Set<NoticeKind>) -> PlainValue {
    .list(NoticeKind.texts(kinds).map { .text($0) })
  }

  fileprivate init?(stored json: String, of app: String) {
    guard case .dictionary(let words)? = try? JSONReader.read(json) else { return nil }
    func kinds(_ key: String) -> Set<NoticeKind> {
      guard case .list(let values)? = words[key] else { return [] }
      return Set(values.compactMap { if case .text(let text) = $0 { NoticeKind(rawValue: text) } else { nil } })
    }
    self.init(app: app, asked: kinds("asked"), allowed: kinds("allowed"), isDecided: words["decided"] == .flag(true))
    denied = kinds("denied")
    if case .list(let times)? = words["deliver"] {
      delivery = try? DeliveryTimes(times.compactMap { if case .text(let text) = $0 { text } else { nil } })
    }
    if case .text(let rule)? = words["away"] { away = AwayRule(rawValue: rule) ?? .show }
    if case .text(let text)? = words["previews"] { previews = Previews(rawValue: text) ?? .always }
  }

  /// The user's decision on the ways to notify, or on one of the senses.
  mutating func decide(_ isAllowed: Bool, on sense: NoticeKind? = nil) {
    if let sense {
      if isAllowed { allowed.insert(sense) } else { allowed.remove(sense) }
      if isAllowed { denied.remove(sense) } else { denied.insert(sense) }
    } else {
      isDecided = true
      allowed.subtract(NoticeKind.ways)
      if isAllowed { allowed.formUnion(NoticeKind.ways) }
    }
  }

  /// The user's decision for exactly these kinds. Senses that were never in question stay undecided: the user is asked
  /// when the app wants them.
  mutating func decide(_ kinds: Set<NoticeKind>) {
    denied = asked.union(allowed).union(denied).intersection(NoticeKind.senses).subtracting(kinds)
    (allowed, isDecided) = (kinds, true)
  }

  /// Whether the user need not be asked about a sense any more.
  func isDecided(on sense: NoticeKind) -> Bool { allowed.contains(sense) || denied.contains(sense) }
}

/// The settings of all apps that have any, as the store keeps them. Confined to the loop's thread.
final class Apps {
  private let store: Store
  private var known: [Identifier: AppSettings] = [:]
  /// Called when the settings of an app have changed: the audience comes after the store.
  var whenChanged: () -> Void = {}

  init(store: Store) { self.store = store }

  func begin() {
    let rows = (try? store.settings(withPrefix: Self.prefix)) ?? []
    known = rows.reduce(into: [:]) { known, row in
      // By bytes: an accent at the beginning of the name would belong to the prefix.
      let app = String(decoding: row.name.utf8.dropFirst(Self.prefix.utf8.count), as: UTF8.self)
      known[Identifier(app)] = AppSettings(stored: row.value, of: app)
    }
  }

  /// An app without settings may do everything.
  subscript(app: String) -> AppSettings { known[Identifier(app)] ?? AppSettings(app: app) }

  func isKnown(_ app: String) -> Bool { known[Identifier(app)] != nil }

  /// Whether any app has banners that depend on where the user is.
  var isAnyAway: Bool { known.values.contains { $0.away != .show } }

  /// The apps that have settings, sorted by name.
  var names: [String] { known.keys.sorted().map(\.text) }

  func set(_ settings: AppSettings) throws(StoreError) {
    try store.withNeededTransaction { () throws(StoreError) in
      try store.set(Self.prefix + settings.app, to: settings.stored.json)
    }
    known[Identifier(settings.app)] = settings
    whenChanged()
  }

  func remove(_ app: String) throws(StoreError) {
    guard isKnown(app) else { return }
    try store.withNeededTransaction { () throws(StoreError) in try store.set(Self.prefix + app, to: nil) }
    known[Identifier(app)] = nil
    whenChanged()
  }

  private static let prefix = "app/"
}
