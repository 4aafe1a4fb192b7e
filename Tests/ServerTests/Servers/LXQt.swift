// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// LXQt draws up to three actions as buttons, including the default one; more become a folded list with a confirm
/// button. It never closes an answered notification.
struct LXQt: AccessibleServer {
  let name = "lxqt-notificationd"
  let package = "lxqt-notificationd"
  let application = "lxqt-notificationd"
  let obeysAccessibility = true
  let programs = ["lxqt-notificationd", "Xvfb", "openbox", "xdotool"]
  // Qt publishes its widgets only on request.
  let environment = ["QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1"]

  var expected: Expectations {
    Expectations(
      banner: ["Close", "Join", "Late"], alert: ["Join", "Late", "Notes", "Move", "More…"],
      drawing: .noted("lxqt-notificationd puts more than three actions, the default one included, in a drop-down list"),
      closesOnClick: false)
  }

  func start(on desktop: Desktop) throws -> RunningProgram {
    // The session's programs must not see LXQt: xdg-open would use LXQt's own browser.
    let environment = desktop.session.environment.merging(["XDG_CURRENT_DESKTOP": "LXQt"]) { $1 }
    return try RunningProgram("lxqt-notificationd", environment: environment)
  }

  /// All are in one window: each notification is a node with its own close button.
  func popups(on desktop: Desktop) throws -> [Popup] { try nodes(on: desktop).compactMap(popup) }

  private func nodes(on desktop: Desktop) throws -> [Accessibility.Node] {
    let tree = try desktop.accessibility.get().tree()
    return tree.children.filter { $0.name == application }.flatMap(\.all).filter { node in
      node.children.contains { $0.role == "push button" && $0.name == "x" }
    }
  }

  func popup(_ node: Accessibility.Node) -> Popup? {
    // The first label is the app's name.
    let labels = node.children.filter { $0.role == "label" && !$0.name.isEmpty }
    guard labels.count >= 2, let box = node.box else { return nil }
    var buttons = node.all("push button").filter { $0.name != "x" }.map(button)
    if let list = node.all("combo box").first { buttons = list.all("list item").map(button) }
    return Popup(
      title: labels[1].name, body: labels.dropFirst(2).first?.name, box: box, buttons: buttons,
      cross: node.children.first { $0.role == "push button" && $0.name == "x" }.map(button))
  }

  private func button(_ node: Accessibility.Node) -> Popup.Button {
    Popup.Button(label: node.name, box: node.box, node: node.number, isInList: node.role == "list item")
  }

  func press(_ button: Popup.Button, of popup: Popup, on desktop: Desktop) throws {
    let accessibility = try desktop.accessibility.get()
    guard button.isInList, let index = popup.labels.firstIndex(of: button.label) else {
      guard let node = button.node else { throw TestFailure("'\(button.label)' is nowhere") }
      return try accessibility.press(node)
    }
    guard let shown = try nodes(on: desktop).first(where: { self.popup($0)?.title == popup.title }),
      let list = shown.all("combo box").first?.box, let screen = desktop.screen as? XScreen,
      let agree = shown.all("push button").last
    else { throw TestFailure("no list to choose from") }
    try screen.click(list.center.x, list.center.y, button: 1)
    // The unfolded list has the keyboard focus.
    try desktop.wait(for: "list unfolded") {
      try screen.windows(ofClass: "lxqt-notificationd").count > 1 ? () : nil
    }
    try screen.type([String](repeating: "Down", count: index) + ["Return"])
    try desktop.wait(for: "list folded up") {
      try screen.windows(ofClass: "lxqt-notificationd").count == 1 ? () : nil
    }
    try accessibility.press(agree.number)
  }
}
