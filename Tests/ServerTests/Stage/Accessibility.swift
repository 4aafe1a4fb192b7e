// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// The screen as a program for the blind sees it, and presses it.
final class Accessibility {
  /// Something on the screen.
  struct Node: Decodable {
    let number: Int
    let role: String
    let name: String
    let showing: Bool
    /// Whether what is typed goes there.
    let focused: Bool
    /// What stands in it, where that is more than a name.
    let text: String?
    let children: [Node]
    private let place: [Int]?

    private enum CodingKeys: String, CodingKey {
      case number, role, name, showing, focused, text, children
      case place = "box"
    }

    var box: Box? { place.map { Box(x: $0[0], y: $0[1], width: $0[2], height: $0[3]) } }

    /// It and all below it, in the order in which they are drawn.
    var all: [Node] { [self] + children.flatMap(\.all) }

    func all(_ role: String) -> [Node] { all.filter { $0.role == role } }
  }

  private let program: RunningProgram

  /// Whether Python can do it here.
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

  /// All that is there now.
  func tree() throws -> Node { try JSONDecoder().decode(Node.self, from: Data(try ask("tree").utf8)) }

  /// Waits until something changes; not for long, since not everybody says so.
  func awaitChange() throws { _ = try ask("next 100") }

  /// Does what a node does when it is pressed.
  func press(_ node: Int, _ action: String? = nil) throws {
    try demand(try ask("act \(node)" + (action.map { " " + $0 } ?? "")) == "true", "it cannot be pressed")
  }

  /// Puts a line of text into a node.
  func type(_ text: String, into node: Int) throws {
    try demand(try ask("type \(node) \(text)") == "true", "nothing can be typed there")
  }

  private func ask(_ command: String) throws -> String {
    program.write(command + "\n")
    guard let line = program.readLine(within: 20) else { throw TestFailure("accessibility: \(program.errors)") }
    return line
  }
}
