// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// Checks which of a category's five actions are drawn, and that all of them can be chosen.
extension Check {
  static let banner = Check("minimal", "the buttons drawn for the two actions of a banner", \.drawing) { desktop in
    let popup = try desktop.show("Stand-up", "--category", "meeting")
    let expected = desktop.server.expected
    return try labels(popup, expected.banner, expected.bannerMenu, on: desktop)
  }

  static let alert = Check("default", "the buttons drawn for the five actions of an alert", \.drawing) { desktop in
    let popup = try desktop.show(
      "Stand-up in five minutes", "Room 2, or by telephone", "--category", "meeting", "--style",
      "alert")
    if let file = Picture.file(desktop.server.name) { try desktop.photograph(popup.title, to: file) }
    if desktop.server.expected.asksAtOnce { try awaitList(of: popup, on: desktop) }
    let expected = desktop.server.expected
    let remark = try labels(popup, expected.alert, expected.alertMenu, on: desktop)
    // Every release has this server.
    if desktop.server.name == "dunst", let file = Picture.file(Picture.list) {
      try desktop.server.open(try desktop.popup(popup.title), on: desktop)
      try awaitList(of: popup, on: desktop)
      try desktop.photographDialog(to: file)
    }
    return remark
  }

  /// Waits for our list of all actions, whose rows appear one after the other.
  private static func awaitList(of popup: Popup, on desktop: Desktop) throws {
    let rows = ["Choose an action for: \(popup.title)"] + Meeting.titles
    try desktop.wait(for: "list of \(rows)") { try desktop.dialogRows() == rows ? () : nil }
  }

  private static func labels(
    _ popup: Popup, _ expected: [String], _ menu: [String], on desktop: Desktop
  ) throws -> String {
    let keepsOrder = desktop.server.expected.keepsOrder
    // Plasma draws the buttons a moment after the title.
    try desktop.wait(for: "popup '\(popup.title)' with the buttons \(expected)") {
      let labels = try desktop.popup(popup.title).labels
      return (keepsOrder ? labels : labels.sorted()) == (keepsOrder ? expected : expected.sorted()) ? () : nil
    }
    guard menu.isEmpty else {
      // dunst's menu has no fixed order.
      try demand(try desktop.server.menu(of: popup, on: desktop).sorted(), is: menu.sorted(), "the menu")
      return "its menu: " + menu.joined(separator: ", ")
    }
    return expected.isEmpty ? "none" : "\(expected.count): " + expected.joined(separator: ", ")
  }

  static let text = Check("text", "a text with `<b>`, `&` and quotation marks is shown as written", \.text) {
    desktop in
    let text = #"<b>Two</b> & "three" <4 &amp; 'five' \n"#
    try desktop.show("Text", text)
    // Some servers draw the body a moment after the title.
    try desktop.wait(for: "text as it was written; it is \(try desktop.popup("Text").body ?? "none")") {
      try desktop.popup("Text").body == text ? () : nil
    }
    return ""
  }

  static let reaching = Check(
    "all five", "how each of the five actions of an alert is chosen; its program has run", \.reaching
  ) { desktop in
    var routes: [Route: Int] = [:]
    for title in Meeting.titles {
      let id = Meeting.id(of: title)
      let popup = try desktop.show("Press \(title)", "--id", id, "--category", "meeting", "--style", "alert")
      routes[try desktop.reach(title, of: popup), default: 0] += 1
      try demand(try desktop.response(to: id).action, is: id, "what was chosen")
      if desktop.server.expected.clearsAtOnce { try desktop.awaitAbsence(of: popup.title) }
    }
    try demand(desktop.deeds, is: Meeting.titles.map { "\(Meeting.id(of: $0)) \(Meeting.id(of: $0))" }, "what was done")
    return Route.allCases.compactMap { route in routes[route].map { "\($0) by \(route.rawValue)" } }
      .joined(separator: ", ")
  }
}

/// How a user reaches an action.
enum Route: String, CaseIterable {
  case button
  case more = "*More…*"
  case click = "a click and Suzu's list"
  case list = "Suzu's list"
}

extension Desktop {
  /// The popup once it has the button of an action, or the one that lists the rest, where the server draws buttons.
  private func withButton(_ title: String, _ popup: Popup) throws -> Popup {
    if server.expected.asksAtOnce || server.expected.openingAsks { return popup }
    return try wait(for: "button '\(title)' or 'More…' in '\(popup.title)'") {
      let there = try self.popup(popup.title)
      return there.labels.contains { $0 == title || $0 == "More…" } ? there : nil
    }
  }

  /// Chooses an action as a user would.
  @discardableResult
  func reach(_ title: String, of popup: Popup) throws -> Route {
    let popup = try withButton(title, popup)
    if let button = popup.buttons.first(where: { $0.label == title }) {
      try server.press(button, of: popup, on: self)
      return .button
    }
    if let button = popup.buttons.first(where: { $0.label == "More…" }) {
      try server.press(button, of: popup, on: self)
      try choose(title)
      return .more
    }
    if server.expected.asksAtOnce {
      try choose(title)
      return .list
    }
    try demand(server.expected.openingAsks, "'\(title)' is not to be had: there are \(popup.labels)")
    try server.open(popup, on: self)
    try choose(title)
    return .click
  }
}
