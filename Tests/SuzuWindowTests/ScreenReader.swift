// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// The screen as a screen reader has it: roles, names and states over AT-SPI.
final class ScreenReader {
  struct Node: Decodable {
    let number: Int
    let role: String
    let name: String
    let text: String?
    let focused: Bool
    let checked: Bool
    /// Its left and upper edges, its width and its height, if it has a place.
    let box: [Int]?
    let children: [Node]

    /// The node and those in it, in the order in which they are read.
    var all: [Node] { [self] + children.flatMap(\.all) }
  }

  private let program: RunningProgram
  /// The names of the window and of the dialogs.
  private static let own = ["suzu-window", "dev.suzu.Suzu"]

  init(_ environment: [String: String]) throws {
    let script = Session.checkout.appending(path: "Tests/ServerTests/Fingers/accessibility.py").path
    program = try RunningProgram("/usr/bin/python3", [script], environment: environment)
  }

  /// Everything in our windows. GTK 4.8 does not say what of it is showing; pages that are not are hidden.
  func nodes() throws -> [Node] {
    try programs().filter { Self.own.contains($0.name) }.flatMap { $0.children.flatMap(\.all) }
  }

  /// Everything in the windows of all programs.
  func programs() throws -> [Node] {
    try JSONDecoder().decode(Node.self, from: Data(try ask("tree").utf8)).children
  }

  /// Waits briefly for a change; not every change is reported.
  func awaitChange() throws { _ = try ask("next 100") }

  /// Looks at a list while `act` adds something with this name to it; returns its moment on the monotonic clock, or
  /// nil.
  func moment(of name: String, in list: Node, after act: () throws -> Void) throws -> Double? {
    _ = try ask("hear \(list.number) 10000 \(name)")
    try act()
    guard let line = program.readLine(within: 30) else { throw TestFailure("screen reader: \(program.errors)") }
    return Double(line).map { $0 / 1e9 }
  }

  /// The left and upper edges, the width and the height of a node of GTK 4 within its window.
  func place(of node: Node) throws -> [Int] {
    try JSONDecoder().decode([Int].self, from: Data(try ask("place \(node.number)").utf8))
  }

  func press(_ node: Node) throws {
    guard try ask("act \(node.number)") == "true" else { throw TestFailure("'\(node.name)' cannot be pressed") }
  }

  func write(_ text: String, into node: Node) throws {
    guard try ask("type \(node.number) \(text)") == "true" else { throw TestFailure("'\(node.name)' takes no text") }
  }

  private func ask(_ command: String) throws -> String {
    program.write(command + "\n")
    guard let line = program.readLine(within: 30) else { throw TestFailure("screen reader: \(program.errors)") }
    return line
  }
}
