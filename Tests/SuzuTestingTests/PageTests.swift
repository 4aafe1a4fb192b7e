// SPDX-License-Identifier: Apache-2.0
import Foundation
import SuzuTesting
import TestSupport
import Testing

/// Tests that what docs/TESTING.md says is true.
@Suite struct PageTests {
  private static let folder = Session.checkout.appending(path: "Tests/SuzuTestingTests")

  private static func page() throws -> String {
    try String(contentsOf: Session.checkout.appending(path: "docs/TESTING.md"), encoding: .utf8)
  }

  /// The lines of a text without their indentation, as one text.
  private static func flat(_ text: some StringProtocol) -> String {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
  }

  @Test func `Each snippet is part of a test that is compiled`() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).map {
      Self.flat(try String(contentsOf: Self.folder.appending(path: $0), encoding: .utf8))
    }
    // `make examples` builds a package with the manifest.
    let snippets = try Self.page().components(separatedBy: "```swift\n").dropFirst().map {
      Self.flat($0.components(separatedBy: "```")[0])
    }.filter { !$0.contains("PackageDescription") }
    #expect(snippets.count == 5)
    for snippet in snippets {
      #expect(files.contains { $0.contains(snippet) }, "not in a test: \(snippet)")
    }
  }

  @Test func `Each recorded server is named`() throws {
    let page = try Self.page()
    let source = try String(
      contentsOf: Session.checkout.appending(path: "Sources/TestStage/ServerProfile+Known.swift"), encoding: .utf8)
    let names = source.components(separatedBy: "public static let ").dropFirst().map {
      $0.prefix { $0 != " " && $0 != ":" }
    }
    #expect(names.count == ServerProfile.recorded.count + 2)
    for name in names where name != "recorded" { #expect(page.contains("`.\(name)`"), "\(name)") }
  }
}
