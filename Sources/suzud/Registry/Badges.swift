// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Scheduling

/// The badges of launchers, kept in the store, because a launcher forgets them when the center ends. Confined to the
/// loop's thread.
final class Badges {
  private let store: Store
  private let show: @Sendable (_ app: String, Int) -> Void
  private var known: [Identifier: Int] = [:]

  init(store: Store, show: @escaping @Sendable (_ app: String, Int) -> Void) {
    self.store = store
    self.show = show
  }

  /// Shows the badges of the earlier run again.
  func begin() {
    for (name, value) in (try? store.settings(withPrefix: Self.prefix)) ?? [] {
      guard let number = Int(value), number > 0 else { continue }
      let app = String(decoding: name.utf8.dropFirst(Self.prefix.utf8.count), as: UTF8.self)
      known[Identifier(app)] = number
      show(app, number)
    }
  }

  /// The badge of the app; 0 for none.
  func number(of app: String) -> Int { known[Identifier(app)] ?? 0 }

  func set(_ number: Int, of app: String, _ journal: Journal) {
    show(app, number)
    guard note(number, of: app) else { return }
    // If the disk fails, this is written later. The badge may have changed again by then.
    journal.note { [self] store throws(StoreError) in try Self.keep(self.number(of: app), of: app, in: store) }
  }

  /// The badge after this response; nil if it does not change.
  ///
  /// The launcher's badge counts its unanswered notifications, and only the center can count them: each response lowers
  /// it by one, in the commit that stores the response, so that none is counted twice or missed. Other apps set their
  /// badges themselves.
  func lowered(of app: String, by action: String) -> Int? {
    guard app == NotificationRequest.launcherApp, action != Action.dismissID else { return nil }
    return known[Identifier(app)].map { $0 - 1 }
  }

  /// Shows the new number, after the commit.
  func wasLowered(to number: Int, of app: String) {
    _ = note(number, of: app)
    show(app, number)
  }

  static func keep(_ number: Int, of app: String, in store: Store) throws(StoreError) {
    try store.set(prefix + app, to: number > 0 ? String(number) : nil)
  }

  /// Returns false if the badge had this number already.
  private func note(_ number: Int, of app: String) -> Bool {
    let new = number > 0 ? number : nil
    defer { known[Identifier(app)] = new }
    return known[Identifier(app)] != new
  }

  private static let prefix = "badge/"
}
