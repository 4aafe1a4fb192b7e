// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// Checks replacing a notification, killing the server, and many notifications at the same time.
extension Check {
  static let replacement = Check("replacement", "a request with the same id replaces the notification", \.replacement) {
    desktop in
    try desktop.show("First", "--id", "same", "--style", "alert")
    try desktop.show("Second", "--id", "same", "--style", "alert")
    try desktop.awaitAbsence(of: "First")
    try demand(try desktop.server.popups(on: desktop).map(\.title), is: ["Second"], "on the screen")
    return ""
  }

  static let restart = Check(
    "killed and back", "after a restart of the server an alert is shown again, and its buttons work",
    \.restart
  ) { desktop in
    try desktop.show("Answer me", "--id", "alert", "--category", "meeting", "--style", "alert")
    try desktop.post("Just so you know", ["--id", "banner"])
    _ = try desktop.event("delivery") { $0.event == "delivered" && $0.id == "banner" }
    desktop.killServer()
    try demand(try desktop.closing(of: "banner"), is: "vanished", "why it left the screen")
    try desktop.startServer()
    let popup = try desktop.wait(for: "popup shown again") { try desktop.server.popups(on: desktop).first }
    // The banner has expired.
    if desktop.server.expected.tellsTitles { try demand(popup.title, is: "Answer me", "on the screen") }
    try desktop.reach("Late", of: popup)
    try demand(try desktop.response(to: "alert").action, is: "late", "what was chosen")
    return ""
  }

  static let burst = Check("100 at once", "how many are shown, and how many a digest counts", \.burst) { desktop in
    let all = (1...100).map { #"{"title": "Number \#($0)", "id": "n\#($0)"}"# }
    let sent = try desktop.session.suzu(["notify", "--file", "-"], input: "[" + all.joined(separator: ", ") + "]")
    try demand(sent.status == 0, "suzu notify: \(sent.errors)")
    for number in 1...20 {
      _ = try desktop.event("delivery") { $0.event == "delivered" && $0.id == "n\(number)" }
    }
    _ = try desktop.event("digest") { $0.event == "delivered" && $0.id == "dev.suzu.digest" }
    try desktop.wait(for: "eighty folded") {
      let history = try desktop.session.suzu(["history", "--json"]).output
      return history.components(separatedBy: #""state":"folded""#).count == 81 ? () : nil
    }
    let count = try desktop.server.popups(on: desktop).count
    return "20 and one for 80; \(count) drawn"
  }

  /// Below the number per app that is folded: a server without enough room refuses some, which are shown later.
  static let crowd = Check("40 of two apps", "each of them is shown, in order", isSlow: true, \.crowd) { desktop in
    let ids = (1...40).map { "n\($0)" }
    let all = ids.enumerated().map { index, id in
      #"{"title": "Number \#(id)", "id": "\#(id)", "app": "org.example.\#(index < 20 ? "One" : "Two")", "expires": "500ms"}"#
    }
    let sent = try desktop.session.suzu(["notify", "--file", "-"], input: "[" + all.joined(separator: ", ") + "]")
    try demand(sent.status == 0, "suzu notify: \(sent.errors)")
    let shown = try ids.map { _ in try desktop.event("delivery", within: 60) { $0.event == "delivered" }.id ?? "" }
    try demand(shown, is: ids, "what was shown")
    return ""
  }
}
