// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// What is asked instead where a server keeps what has left the screen in a list of its own, or lets everything stay.
extension Check {
  /// The same column, asked in another way.
  private init(insteadOf usual: Check, run: @escaping @Sendable (Desktop) throws -> String) {
    self.init(usual.name, usual.meaning, isSlow: usual.isSlow, usual.feature, run: run)
  }

  /// Where banners stay as well, unless they are given a time.
  static let stayingAmongOthers = Check(insteadOf: .staying) { desktop in
    try desktop.show("Alert", "--id", "alert", "--style", "alert")
    try desktop.show("Banner", "--id", "banner", "--expires", "1s")
    try desktop.awaitAbsence(of: "Banner")
    let popup = try desktop.popup("Alert")
    try desktop.server.dismiss(popup, on: desktop)
    try demand(try desktop.closing(of: "alert"), is: "dismissed", "why it left the screen")
    return ""
  }

  /// Where an alert goes to the list by and by: it is still open there, and so is Suzu's.
  static let stayingInList = Check(insteadOf: .staying) { desktop in
    try desktop.show("Alert", "--id", "alert", "--style", "alert")
    try desktop.awaitAbsence(of: "Alert", within: 30)
    try desktop.server.openFromHistory("Alert", on: desktop)
    try demand(try desktop.response(to: "alert").action, is: "default", "what was chosen")
    return "in its list"
  }

  /// Where nothing tells that something has left the screen.
  static let historyUntold = Check(insteadOf: .history) { desktop in
    let witness = try desktop.session.witness()
    try desktop.show("Gone", "--id", "gone", "--url", "https://example.org/g", "--expires", "1s")
    try desktop.awaitAbsence(of: "Gone")
    try desktop.server.openFromHistory("Gone", on: desktop)
    try demand(try desktop.response(to: "gone").action, is: "default", "what was chosen")
    try demand(witness.readLine(), is: "opened https://example.org/g", "what the browser was asked for")
    return ""
  }

  /// Where one is shown at a time, and nothing more while something critical is there.
  static let criticalAlone = Check(insteadOf: .critical) { desktop in
    try desktop.show("Fire", "--id", "fire", "--level", "critical", "--expires", "1s")
    try desktop.post("Cake", ["--id", "cake"])
    _ = try desktop.event("delivery") { $0.event == "delivered" && $0.id == "cake" }
    try desktop.server.dismiss(try desktop.popup("Fire"), on: desktop)
    try demand(try desktop.closing(of: "fire"), is: "dismissed", "why it left the screen")
    _ = try desktop.popup("Cake")
    return "stays, alone"
  }
}
