// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Scheduling

/// The kinds of notice that an app registered for, and those that the user allows.
struct AppSettings: Equatable {
  /// The ways in which an app may notify the user.
  enum Kind: String, CaseIterable {
    case alert, badge, sound
  }

  /// The kinds that the app registered for.
  var asked: Set<Kind> = []
  var allowed: Set<Kind> = Set(Kind.allCases)
  /// Whether the user has decided; if not, the defaults apply.
  var isDecided = false

  var plain: PlainValue {
    .dictionary(["asked": Self.list(asked), "allowed": Self.list(allowed), "decided": .flag(isDecided)])
  }

  private static func list(_ kinds: Set<Kind>) -> PlainValue { .list(texts(kinds).map { .text($0) }) }

  /// Records the user's decision about the app as a whole.
  mutating func decide(_ isAllowed: Bool) {
    isDecided = true
    allowed = isAllowed ? Set(Kind.allCases) : []
  }

  /// In the order of their declaration.
  static func texts(_ kinds: Set<Kind>) -> [String] { Kind.allCases.filter(kinds.contains).map(\.rawValue) }

  init() {}

  /// Reads the form in which the store keeps them.
  init?(json: String) {
    guard case .dictionary(let words)? = try? JSONReader.read(json) else { return nil }
    func kinds(_ key: String) -> Set<Kind> {
      guard case .list(let values)? = words[key] else { return [] }
      return Set(values.compactMap { if case .text(let text) = $0 { Kind(rawValue: text) } else { nil } })
    }
    (asked, allowed, isDecided) = (kinds("asked"), kinds("allowed"), words["decided"] == .flag(true))
  }
}

/// The settings of all apps that have any, as the store keeps them. Confined to the loop's thread.
final class Apps {
  private let store: Store
  private var known: [Identifier: AppSettings] = [:]

  init(store: Store) { self.store = store }

  func begin() {
    let rows = (try? store.settings(withPrefix: Self.prefix)) ?? []
    known = rows.reduce(into: [:]) { known, row in
      // By bytes: an accent at the beginning of the name would belong to the prefix.
      let app = String(decoding: row.name.utf8.dropFirst(Self.prefix.utf8.count), as: UTF8.self)
      known[Identifier(app)] = AppSettings(json: row.value)
    }
  }

  /// An app without settings may do everything.
  subscript(app: String) -> AppSettings { known[Identifier(app)] ?? AppSettings() }

  func isKnown(_ app: String) -> Bool { known[Identifier(app)] != nil }

  /// The apps that have settings, sorted by name.
  var names: [String] { known.keys.sorted().map(\.text) }

  func set(_ settings: AppSettings, of app: String) throws(StoreError) {
    try store.withNeededTransaction { () throws(StoreError) in
      try store.set(Self.prefix + app, to: settings.plain.json)
    }
    known[Identifier(app)] = settings
  }

  private static let prefix = "app/"
}
