// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests that the programs of the page about Swift are accepted by the compiler.
@Suite(.onOwnThread, .timeLimit(.minutes(5))) struct SwiftPageTests {
  static let page = "docs/SWIFT.md"

  /// The programs of the page. A block without an import goes on with the program before it.
  private static func programs() throws -> [(line: Int, text: String)] {
    var programs: [(line: Int, text: String)] = []
    for recipe in try Recipe.all(in: page)
    where recipe.language == "swift" && !recipe.text.contains("PackageDescription") {
      if recipe.text.hasPrefix("import ") {
        programs.append((recipe.line, recipe.text))
      } else {
        let last = try #require(programs.indices.last, "the first block of \(page) imports nothing")
        programs[last].text += "do {\n\(recipe.text)}\n"
      }
    }
    return programs
  }

  @Test func `Every block of the page compiles`() throws {
    let programs = try Self.programs()
    #expect(programs.count >= 7)
    let folder = try TemporaryFolder()
    for (line, text) in programs {
      let file = try folder.write(text, to: "\(line)/main.swift")
      let checked = try SwiftRecipe.check(file)
      #expect(checked.status == 0, "\(Self.page):\(line): \(checked.errors)")
      #expect(!checked.errors.contains("warning:"), "\(Self.page):\(line): \(checked.errors)")
    }
  }
}
