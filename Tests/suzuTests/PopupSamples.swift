// SPDX-License-Identifier: Apache-2.0
@testable import suzu

/// Notifications for the tests of `suzu popups`.
extension Popup {
  static let tea = Popup(
    id: 3, appName: "Kitchen", summary: "Tea is ready", body: "It has drawn for four minutes.",
    actions: [("default", "Show"), ("done", "Done"), ("snooze", "Snooze")], expiry: .never)
  static let disk = Popup(
    id: 4, appName: "Disk", summary: "Disk is full", body: "No room left on /home.", actions: [("clean", "Clean up")],
    urgency: .critical)
  static let chat = Popup(
    id: 5, appName: "Chat", summary: "Ann", body: "Are you coming?", actions: [("inline-reply", "Answer")],
    replyPlaceholder: "Your answer", replySubmit: "Send it")
  static let copy = Popup(id: 6, appName: "Files", summary: "Copying", progress: 40)

  static func plain(_ id: UInt32, _ expiry: Expiry = .serverChoice) -> Popup {
    Popup(id: id, summary: "Popup \(id)", expiry: expiry)
  }
}

extension PopupBoard {
  /// Selects the first popup, which is the lowest.
  init(_ popups: Popup...) {
    self.init()
    for popup in popups { show(popup, at: .zero) }
    select(popups[0].id)
  }

  var ids: [UInt32] { entries.map(\.popup.id) }
}

extension PopupFrame {
  var text: String { lines.map(\.text).joined(separator: "\n") }
}
