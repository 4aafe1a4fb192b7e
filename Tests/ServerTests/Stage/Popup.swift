// SPDX-License-Identifier: Apache-2.0

/// A notification as a server has drawn it.
struct Popup {
  /// Something on it that can be pressed.
  struct Button {
    var label: String
    /// Where it is, for a pointer; nil: it has no place of its own, such as an entry of a list that is folded up.
    var box: Box?
    /// The node of the last look at the tree, for accessibility.
    var node: Int?
    /// Whether it is an entry of a list that must be unfolded first.
    var isInList = false
  }

  var title: String
  /// The text below it; nil: nobody tells.
  var body: String?
  /// Where it is; nil: nobody tells.
  var box: Box?
  /// What can be pressed on it, in the order in which it is drawn, without the cross that closes it.
  var buttons: [Button] = []
  /// What puts it away, where there is something of that kind.
  var cross: Button?

  var labels: [String] { buttons.map(\.label) }
}
