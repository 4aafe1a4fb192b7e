// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Scheduling

/// The numbers on the apps' launchers, as the store keeps them: a launcher forgets those of a center that has ended.
/// Confined to the loop's thread.
final class Badges {
  private let store: Store
  private let show: @Sendable (_ app: String, Int) -> Void
  private var known: [Identifier: Int] = [:]

  init(store: Store, show: @escaping @Sendable (_ app: String, Int) -> Void) {
    self.store = store
    self.show = show
  }

  /// Shows again what an earlier run of the center showed.
  func begin() {
    for (name, value) in (try? store.settings(withPrefix: Self.prefix)) ?? [] {
      guard let number = Int(value), number > 0 else { continue }
      let app = String(decoding: name.utf8.dropFirst(Self.prefix.utf8.count), as: UTF8.self)
      known[Identifier(app)] = number
      show(app, number)
    }
  }

  func set(_ number: Int, of app: String, _ journal: Journal) {
    show(app, number)
    guard note(number, of: app) else { return }
    journal.note { store throws(StoreError) in try Self.keep(number, of: app, in: store) }
  }

  /// What the badge is after an answer; nil: it stays.
  ///
  /// The launcher's says how many of its notifications are still to be clicked, and nobody else is there to count them:
  /// each answer lowers it by one, in the commit that writes the answer down, so that no end of the center counts one
  /// twice or not at all. Other apps know best what their numbers mean, and set them.
  func lowered(of app: String, by action: String) -> Int? {
    guard app == NotificationRequest.launcherApp, action != Action.dismissID else { return nil }
    return known[Identifier(app)].map { $0 - 1 }
  }

  /// It is written down, and now it is shown.
  func wasLowered(to number: Int, of app: String) {
    _ = note(number, of: app)
    show(app, number)
  }

  static func keep(_ number: Int, of app: String, in store: Store) throws(StoreError) {
    try store.set(prefix + app, to: number > 0 ? String(number) : nil)
  }

  /// False: it was that already.
  private func note(_ number: Int, of app: String) -> Bool {
    let new = number > 0 ? number : nil
    defer { known[Identifier(app)] = new }
    return known[Identifier(app)] != new
  }

  private static let prefix = "badge/"
}
