// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests that the tables of docs/APPLE.md have the names that the files of Surface use.
@Suite struct SurfaceTests {
  /// The rows of the tables, by heading: the names in the first column and the words in the second.
  private static func rows() throws -> [(heading: String, name: String, state: String)] {
    var rows: [(String, String, String)] = []
    var heading = ""
    let text = try String(contentsOf: Session.checkout.appending(path: "docs/APPLE.md"), encoding: .utf8)
    for line in text.split(separator: "\n") {
      if line.hasPrefix("### ") { heading = String(line.dropFirst(4)) }
      let cells = line.split(separator: "|", omittingEmptySubsequences: false)
      guard cells.count == 5, cells[1].hasPrefix(" `") else { continue }
      rows.append(
        (
          heading, String(cells[1].split(separator: "`")[1]), cells[2].trimmingCharacters(in: .whitespaces)
        ))
    }
    return rows
  }

  @Test func `Each name in the tables is used, and each used name is in the tables`() throws {
    let rows = try Self.rows()
    #expect(rows.count > 250)
    #expect(Set(rows.map(\.state)) == ["works", "differs", "no effect", "absent"])
    let used = try Self.used()
    let tables = Dictionary(grouping: rows.filter { $0.state != "absent" }, by: \.heading).mapValues { $0.map(\.name) }
    #expect(Set(used.keys) == Set(tables.keys))
    for (heading, names) in tables { #expect(used[heading] == names, "\(heading)") }
  }

  /// The used names, by heading.
  private static func used() throws -> [String: [String]] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Surface")
    var used: [String: [String]] = [:]
    for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
      var heading = ""
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        if line.hasPrefix("// ### ") { heading = String(line.dropFirst(7)) }
        if line.hasPrefix("  // `") { used[heading, default: []].append(String(line.split(separator: "`")[1])) }
      }
    }
    return used
  }

  /// The sources of the three libraries.
  private static func declarations() throws -> String {
    let sources = Session.checkout.appending(path: "Sources")
    var declared = ""
    for module in ["UserNotifications", "CoreLocation", "UIKit"] {
      let files = FileManager.default.enumerator(at: sources.appending(path: module), includingPropertiesForKeys: nil)
      while let file = files?.nextObject() as? URL {
        if file.pathExtension == "swift" { declared += try String(contentsOf: file, encoding: .utf8) }
      }
    }
    return declared
  }

  /// The words in the names of the tables.
  private static func words() throws -> Set<String> {
    Set(try rows().flatMap { $0.name.split { !$0.isLetter && !$0.isNumber }.map(String.init) })
  }

  @Test func `Absent names are absent`() throws {
    let declared = try Self.declarations()
    let absent = try Self.rows().filter { $0.state == "absent" }.map(\.name)
    #expect(absent.count == 9)
    for name in absent { #expect(!declared.contains(name), "\(name)") }
  }

  @Test func `Every type, constant and member that programs see is in a table`() throws {
    let declared = try Self.declarations()
    let names = try Self.words()
    let types = declared.matches(
      of: /\n(?:@preconcurrency )?(?:@MainActor )?(?:public|open) (?:class|struct|enum|protocol|let) (\w+)/
    )
    .map { String($0.1) }
    #expect(types.count > 60)
    // Why this one is there, and no name of Apple's, is said where it is declared.
    let untold = Set(types).subtracting(names).subtracting(["_UNCompletionHandlers"])
    #expect(untold.isEmpty, "\(untold.sorted())")
    let cases = declared.matches(of: /\n *public enum \w+[^{]*\{((?s).*?)\n *\}/)
      .flatMap { $0.1.matches(of: /\n +case `?(\w+)/).map { String($0.1) } }
    #expect(cases.count > 60)
    #expect(Set(cases).subtracting(names).isEmpty, "\(Set(cases).subtracting(names).sorted())")

    let members = declared.matches(
      of:
        /\n +(?:@\w+ )*(?:nonisolated )?(?:public|open) (?:(?:static|class|final|override) )*(?:func|var|let) `?(\w+)/
    )
    #expect(members.count > 300)
    var missing: Set<String> = []
    for member in members { missing.insert(String(member.1)) }
    for body in declared.matches(of: /public protocol \w+[^{]*\{((?s).*?)\n\}/) {
      missing.formUnion(body.1.matches(of: /\n  func (\w+)/).map { String($0.1) })
    }
    missing.subtract(names)
    #expect(missing == Self.ofEveryType)
  }

  /// What the types have by protocols of the standard library and of Foundation.
  private static let ofEveryType: Set<String> = [
    "_bridgeToObjectiveC", "_conditionallyBridgeFromObjectiveC", "_forceBridgeFromObjectiveC", "_nsError",
    "_nsErrorDomain", "_unconditionallyBridgeFromObjectiveC", "description", "encode", "hash", "hashValue",
    "main", "rawValue", "supportsSecureCoding",
  ]
}
