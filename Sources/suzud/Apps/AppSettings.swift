// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Scheduling

/// What an app asked to be allowed, and what the user allows it.
struct AppSettings: Equatable {
  /// In which ways an app may be noticed.
  enum Kind: String, CaseIterable {
    case alert, badge, sound
  }

  /// What it registered for.
  var asked: Set<Kind> = []
  var allowed: Set<Kind> = Set(Kind.allCases)
  /// Whether that is the user's own word.
  var isDecided = false

  var plain: PlainValue {
    .dictionary(["asked": Self.list(asked), "allowed": Self.list(allowed), "decided": .flag(isDecided)])
  }

  private static func list(_ kinds: Set<Kind>) -> PlainValue { .list(texts(kinds).map { .text($0) }) }

  /// The user's word on the app as a whole.
  mutating func decide(_ isAllowed: Bool) {
    isDecided = true
    allowed = isAllowed ? Set(Kind.allCases) : []
  }

  /// In the order of their declaration.
  static func texts(_ kinds: Set<Kind>) -> [String] { Kind.allCases.filter(kinds.contains).map(\.rawValue) }

  init() {}

  /// From what the store keeps.
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

  /// An app of which nothing is known may do everything.
  subscript(app: String) -> AppSettings { known[Identifier(app)] ?? AppSettings() }

  func isKnown(_ app: String) -> Bool { known[Identifier(app)] != nil }

  /// All that are known, by name.
  var names: [String] { known.keys.sorted().map(\.text) }

  func set(_ settings: AppSettings, of app: String) throws(StoreError) {
    try store.withNeededTransaction { () throws(StoreError) in
      try store.set(Self.prefix + app, to: settings.plain.json)
    }
    known[Identifier(app)] = settings
  }

  private static let prefix = "app/"
}
