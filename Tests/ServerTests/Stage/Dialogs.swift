// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// Operates Suzu's own dialogs, drawn by zenity, over AT-SPI, which works on X11 and Wayland.
extension Desktop {
  /// Takes a picture of the list of choices. GTK 4 reports its windows at the top left, wherever they are; for windows
  /// with a frame, which only GTK 3 has here, the screen's own answer is wrong.
  func photographDialog(to file: String) throws {
    let box = try wait(for: "dialog") { () -> Box? in
      guard let box = try zenity()?.children.first?.box else { return nil }
      guard box.x == 0, box.y == 0, let screen = screen as? XScreen else { return box }
      return try screen.windows(ofClass: "zenity").first
    }
    try screen.photograph(box, to: file)
  }

  /// The rows of the list of choices.
  func dialogRows() throws -> [String] {
    try wait(for: "list to choose from") {
      let cells = try zenity()?.all("table cell").map(\.name) ?? []
      return cells.isEmpty ? nil : cells
    }
  }

  /// Chooses a row of the list.
  func choose(_ label: String) throws {
    // The numbers of nodes are those of the last tree: Budgie's popup may still fade, which changes the next one's.
    let (dialog, cell) = try wait(for: "row '\(label)'") { () -> (Accessibility.Node, Accessibility.Node)? in
      guard let dialog = try zenity(), let cell = dialog.all("table cell").first(where: { $0.name == label }) else {
        return nil
      }
      return (dialog, cell)
    }
    // zenity 4 draws with GTK 4, whose rows have no actions, but a list that selects one.
    if let list = dialog.all("list").first, let row = list.children.firstIndex(where: { $0.name == label }) {
      try accessibility.get().select(row, of: list.number)
      return try agree()
    }
    // A row that is only activated is not yet selected.
    try accessibility.get().press(cell.number, "edit")
    try accessibility.get().press(cell.number, "activate")
  }

  /// Types a reply and confirms it.
  func answer(_ text: String) throws {
    let line = try wait(for: "line to type in") { try zenity()?.all("text").first(where: \.showing) }
    try accessibility.get().type(text, into: line.number)
    try agree()
  }

  /// Confirms what was chosen or typed.
  private func agree() throws {
    let button = try wait(for: "button that agrees") {
      // The button that does not cancel; on GNOME the window's close button counts as well.
      try zenity()?.all("push button").first { $0.showing && $0.name != "Cancel" && $0.name != "Close" }
    }
    try accessibility.get().press(button.number)
  }

  private func zenity() throws -> Accessibility.Node? {
    try accessibility.get().tree().children.first { $0.name == "zenity" }
  }
}
