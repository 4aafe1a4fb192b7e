// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// Reads and operates the screen over AT-SPI.
final class Accessibility {
  /// A node of the accessibility tree.
  struct Node: Decodable {
    let number: Int
    let role: String
    let name: String
    let showing: Bool
    /// Whether it has the keyboard focus.
    let focused: Bool
    /// The text content, apart from the name.
    let text: String?
    let children: [Node]
    private let place: [Int]?

    private enum CodingKeys: String, CodingKey {
      case number, role, name, showing, focused, text, children
      case place = "box"
    }

    var box: Box? { place.map { Box(x: $0[0], y: $0[1], width: $0[2], height: $0[3]) } }

    /// The node and its descendants, in drawing order.
    var all: [Node] { [self] + children.flatMap(\.all) }

    func all(_ role: String) -> [Node] { all.filter { $0.role == role } }
  }

  private let program: RunningProgram

  /// Whether the Python module is installed.
  static let isPossible =
    (try? RunningProgram.run(
      "/usr/bin/python3", ["-c", "import gi; gi.require_version('Atspi', '2.0'); from gi.repository import Atspi"],
      environment: [:]
    ).status) == 0

  init(_ session: Session) throws {
    let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fingers/accessibility.py").path
    program = try RunningProgram("/usr/bin/python3", [script], environment: session.environment)
  }

  /// The current tree.
  func tree() throws -> Node { try JSONDecoder().decode(Node.self, from: Data(try ask("tree").utf8)) }

  /// Waits briefly for a change, because not all programs report changes.
  func awaitChange() throws { _ = try ask("next 100") }

  /// Performs a node's action.
  func press(_ node: Int, _ action: String? = nil) throws {
    try demand(try ask("act \(node)" + (action.map { " " + $0 } ?? "")) == "true", "it cannot be pressed")
  }

  /// Selects a child of a node.
  func select(_ index: Int, of node: Int) throws {
    try demand(try ask("select \(node) \(index)") == "true", "it cannot be selected")
  }

  /// Sets a node's text.
  func type(_ text: String, into node: Int) throws {
    try demand(try ask("type \(node) \(text)") == "true", "nothing can be typed there")
  }

  private func ask(_ command: String) throws -> String {
    program.write(command + "\n")
    guard let line = program.readLine(within: 20) else { throw TestFailure("accessibility: \(program.errors)") }
    return line
  }
}
