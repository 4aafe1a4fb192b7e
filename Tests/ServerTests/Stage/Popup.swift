// SPDX-License-Identifier: Apache-2.0

/// A notification as drawn by a server.
struct Popup {
  /// An element that can be pressed.
  struct Button {
    var label: String
    /// The position for the pointer; nil if it has none, such as an entry of a folded list.
    var box: Box?
    /// The node in the latest accessibility tree.
    var node: Int?
    /// Whether it is an entry of a list that must be unfolded first.
    var isInList = false
  }

  var title: String
  /// The body; nil if it cannot be read.
  var body: String?
  /// The position; nil if unknown.
  var box: Box?
  /// The buttons in drawing order, without the close button.
  var buttons: [Button] = []
  /// The close button, if any.
  var cross: Button?

  /// The same at another place, or nowhere.
  func moved(by way: (x: Int, y: Int)?) -> Popup {
    func place(_ box: Box?) -> Box? {
      guard let box, let way else { return nil }
      return Box(x: box.x + way.x, y: box.y + way.y, width: box.width, height: box.height)
    }
    var moved = self
    moved.box = place(box)
    for index in buttons.indices { moved.buttons[index].box = place(buttons[index].box) }
    moved.cross?.box = place(cross?.box)
    return moved
  }

  var labels: [String] { buttons.map(\.label) }
}
