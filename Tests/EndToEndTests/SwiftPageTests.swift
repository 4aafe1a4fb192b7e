// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests that the programs of the pages are accepted by the compiler.
@Suite(.onOwnThread, .timeLimit(.minutes(5))) struct SwiftPageTests {
  /// Whether a block is compiled here. The tests of SuzuTesting contain the blocks of its page, and `make examples`
  /// builds packages with the manifests.
  static func compiles(_ recipe: Recipe) -> Bool {
    recipe.language == "swift" && recipe.document != "docs/TESTING.md"
  }

  /// The programs of a page. A block without an import goes on with the program before it.
  static func programs(in page: String) throws -> [(line: Int, text: String)] {
    var programs: [(line: Int, text: String)] = []
    for recipe in try Recipe.all(in: page) where compiles(recipe) && !recipe.text.contains("PackageDescription") {
      if recipe.text.hasPrefix("import ") {
        programs.append((recipe.line, recipe.text))
      } else {
        let last = try #require(programs.indices.last, "the first block of \(page) imports nothing")
        programs[last].text += "do {\n\(recipe.text)}\n"
      }
    }
    return programs
  }

  @Test func `Every block of the pages compiles`() throws {
    let folder = try TemporaryFolder()
    var count = 0
    for page in Recipe.documents where page.hasSuffix(".md") {
      for (line, text) in try Self.programs(in: page) {
        let file = try folder.write(text, to: "\(count)/main.swift")
        let checked = try SwiftRecipe.check(file)
        #expect(checked.status == 0, "\(page):\(line): \(checked.errors)")
        #expect(!checked.errors.contains("warning:"), "\(page):\(line): \(checked.errors)")
        count += 1
      }
    }
    #expect(count >= 10)
  }
}
