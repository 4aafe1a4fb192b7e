// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// Checks of a user's other reactions: opening, dismissing, replying, using the history.
extension Check {
  static let opening = Check("click", "a click on the notification itself opens its URL", \.opening) { desktop in
    let witness = try desktop.session.witness()
    let popup = try desktop.show("Minutes", "They are here", "--id", "minutes", "--url", "https://example.org/m")
    try desktop.server.open(popup, on: desktop)
    try demand(try desktop.response(to: "minutes").action, is: "default", "what was chosen")
    try demand(witness.readLine(), is: "opened https://example.org/m", "what the browser was asked for")
    try desktop.awaitAbsence(of: "Minutes")
    return ""
  }

  static let straying = Check(
    "stray click", "a click on an alert whose buttons all do something leaves it there", \.straying
  ) { desktop in
    let popup = try desktop.show("Choose", "--id", "choose", "--category", "meeting", "--style", "alert")
    _ = try desktop.event("delivery") { $0.event == "delivered" && $0.id == "choose" }
    try desktop.server.open(popup, on: desktop)
    if desktop.server.expected.closesOnClick {
      _ = try desktop.event("second delivery") { $0.event == "delivered" && $0.id == "choose" }
    }
    try desktop.reach("Join", of: try desktop.popup("Choose"))
    try demand(try desktop.response(to: "choose").action, is: "join", "what was chosen")
    try demand(desktop.deeds, is: ["choose join"], "what was done")
    return desktop.server.expected.closesOnClick ? "comes back" : "stays"
  }

  static let dismissal = Check("dismissal", "the user can dismiss it, and the server reports that", \.dismissal) {
    desktop in
    let popup = try desktop.show("Put me away", "--id", "away", "--style", "alert")
    try desktop.server.dismiss(popup, on: desktop)
    try demand(try desktop.closing(of: "away"), is: "dismissed", "why it left the screen")
    try desktop.awaitAbsence(of: "Put me away")
    return ""
  }

  static let reply = Check("reply", "an action that asks for a line of text gets one", \.reply) { desktop in
    let popup = try desktop.show("Letter", "--id", "letter", "--category", "letter", "--style", "alert")
    let text = "früh & <spät>"
    if desktop.server.expected.drawsReply {
      try desktop.server.reply(text, to: popup, on: desktop)
    } else if popup.labels.isEmpty, !desktop.server.expected.asksAtOnce {
      // A click does what the only action does.
      try desktop.server.open(popup, on: desktop)
      try desktop.answer(text)
    } else {
      try desktop.reach("Reply", of: popup)
      try desktop.answer(text)
    }
    let response = try desktop.response(to: "letter")
    try demand([response.action, response.reply], is: ["answer", text], "the response")
    try demand(desktop.deeds, is: ["letter " + text], "what was done")
    return desktop.server.expected.drawsReply ? "its own reply field" : "Suzu's dialog"
  }

  static let history = Check("history", "notifications that have left the screen can still be clicked", \.history) {
    desktop in
    let witness = try desktop.session.witness()
    try desktop.show("Gone", "--id", "gone", "--url", "https://example.org/g", "--expires", "1s")
    try demand(try desktop.closing(of: "gone"), is: "expired", "why it left the screen")
    try desktop.server.openFromHistory("Gone", on: desktop)
    try demand(try desktop.response(to: "gone").action, is: "default", "what was chosen")
    try demand(witness.readLine(), is: "opened https://example.org/g", "what the browser was asked for")
    return ""
  }
}
