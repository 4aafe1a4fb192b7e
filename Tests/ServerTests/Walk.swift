// SPDX-License-Identifier: Apache-2.0
import Testing

/// One server through all checks.
enum Walk {
  /// Asks everything of a server, and notes for the report what was seen. What is wrong with one hides nothing of the next.
  static func through(_ server: any Server) throws {
    var cells: [Report.Cell] = []
    for check in Check.all {
      switch check.feature(server.expected) {
      case .absent(let why): cells.append(.absent(why))
      case .there: cells.append(run(check, server, note: nil))
      case .noted(let note): cells.append(run(check, server, note: note))
      }
    }
    try Report.add(server, cells)
  }

  private static func run(_ check: Check, _ server: any Server, note: String?) -> Report.Cell {
    do {
      return .seen(try check.run(try Desktop(server)), note: note)
    } catch {
      Issue.record("\(server.name), \(check.name): \(error)")
      return .wrong
    }
  }
}
