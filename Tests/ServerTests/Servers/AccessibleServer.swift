// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// A server with popups accessible over AT-SPI: each is a window of a certain role, with labels and buttons.
protocol AccessibleServer: Server {
  /// The program's accessible name.
  var application: String { get }
  /// The role of a popup.
  var popupRole: String { get }
  /// Whether accessible actions press buttons; otherwise the pointer does.
  var obeysAccessibility: Bool { get }
  /// What a node of that role shows; nil if it is no popup.
  func popup(_ node: Accessibility.Node) -> Popup?
}

extension AccessibleServer {
  var popupRole: String { "alert" }
  var obeysAccessibility: Bool { false }

  func popups(on desktop: Desktop) throws -> [Popup] { try accessiblePopups(on: desktop) }

  /// The popups as AT-SPI describes them; places are only right on X11.
  func accessiblePopups(on desktop: Desktop) throws -> [Popup] {
    let tree = try desktop.accessibility.get().tree()
    return tree.children.filter { $0.name == application }.flatMap { $0.all(popupRole) }.compactMap(popup)
  }

  /// The first label is the title, the second one the text.
  func popup(_ node: Accessibility.Node) -> Popup? {
    let labels = node.all("label").map(\.name).filter { !$0.isEmpty }
    guard let title = labels.first, let box = node.box else { return nil }
    let buttons = node.all("push button").map { Popup.Button(label: $0.name, box: $0.box, node: $0.number) }
    // The close button has an icon and no name.
    return Popup(
      title: title, body: labels.dropFirst().first, box: box, buttons: buttons.filter { !$0.label.isEmpty },
      cross: buttons.first { $0.label.isEmpty })
  }

  func press(_ button: Popup.Button, of popup: Popup, on desktop: Desktop) throws {
    if obeysAccessibility, let node = button.node { return try desktop.accessibility.get().press(node) }
    guard let box = button.box else { throw TestFailure("'\(button.label)' is nowhere on the screen") }
    try desktop.screen.click(box.center.x, box.center.y, button: 1)
  }

  func open(_ popup: Popup, on desktop: Desktop) throws {
    guard let box = popup.box else { throw TestFailure("'\(popup.title)' is nowhere on the screen") }
    // On the left, where there are no buttons.
    try desktop.screen.click(box.x + 16, box.y + 16, button: 1)
  }

  func dismiss(_ popup: Popup, on desktop: Desktop) throws {
    guard let cross = popup.cross else { return try open(popup, on: desktop) }
    try press(cross, of: popup, on: desktop)
  }
}
