// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// Replacements of checks for servers that keep notifications in a list of their own, or never expire them.
extension Check {
  /// A replacement for another check, in the same column.
  private init(insteadOf usual: Check, run: @escaping @Sendable (Desktop) throws -> String) {
    self.init(usual.name, usual.meaning, isSlow: usual.isSlow, usual.feature, run: run)
  }

  /// For servers where banners without a time stay as well.
  static let stayingAmongOthers = Check(insteadOf: .staying) { desktop in
    try desktop.show("Alert", "--id", "alert", "--style", "alert")
    try desktop.show("Banner", "--id", "banner", "--expires", "1s")
    try desktop.awaitAbsence(of: "Banner")
    let popup = try desktop.popup("Alert")
    try desktop.server.dismiss(popup, on: desktop)
    try demand(try desktop.closing(of: "alert"), is: "dismissed", "why it left the screen")
    return ""
  }

  /// For servers that move alerts to a list: the alert stays open there and in Suzu.
  static let stayingInList = Check(insteadOf: .staying) { desktop in
    try desktop.show("Alert", "--id", "alert", "--style", "alert")
    try desktop.awaitAbsence(of: "Alert", within: 30)
    try desktop.server.openFromHistory("Alert", on: desktop)
    try demand(try desktop.response(to: "alert").action, is: "default", "what was chosen")
    return "in its list"
  }

  /// For servers whose closed banner can be taken for the one that comes back: it is answered with the command.
  static let strayingBriefly = Check(insteadOf: .straying) { desktop in
    let popup = try desktop.show("Choose", "--id", "choose", "--category", "meeting", "--style", "alert")
    _ = try desktop.event("delivery") { $0.event == "delivered" && $0.id == "choose" }
    try desktop.server.open(popup, on: desktop)
    _ = try desktop.event("second delivery") { $0.event == "delivered" && $0.id == "choose" }
    let answered = try desktop.session.suzu("respond", "choose", "join")
    try demand(answered.status == 0, "suzu respond: \(answered.errors)")
    try demand(try desktop.response(to: "choose").action, is: "join", "what was chosen")
    try demand(desktop.deeds, is: ["choose join"], "what was done")
    return "comes back"
  }

  /// For servers that do not report expiry.
  static let historyUntold = Check(insteadOf: .history) { desktop in
    let witness = try desktop.session.witness()
    try desktop.show("Gone", "--id", "gone", "--url", "https://example.org/g")
    // Suzu would close one with a time of its own, also in the list.
    try desktop.awaitAbsence(of: "Gone", within: 30)
    try desktop.server.openFromHistory("Gone", on: desktop)
    try demand(try desktop.response(to: "gone").action, is: "default", "what was chosen")
    try demand(witness.readLine(), is: "opened https://example.org/g", "what the browser was asked for")
    return ""
  }
}
