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

  /// The programs of a page. A block that does not begin with an import goes on with the program before it; one that
  /// begins with a path is another file of that, whose imports are needed there, too.
  static func programs(in page: String) throws -> [(line: Int, text: String)] {
    var programs: [(line: Int, text: String)] = []
    for recipe in try Recipe.all(in: page) where compiles(recipe) && !recipe.text.contains("PackageDescription") {
      if recipe.text.hasPrefix("import ") {
        programs.append((recipe.line, recipe.text))
      } else {
        let last = try #require(programs.indices.last, "the first block of \(page) imports nothing")
        let lines = recipe.text.split(separator: "\n", omittingEmptySubsequences: false)
        let imports = lines.filter { $0.hasPrefix("import ") }
        #expect(
          imports.isEmpty != recipe.text.hasPrefix("// Sources/"), "\(page):\(recipe.line): a file imports what it uses"
        )
        let others = lines.filter { !$0.hasPrefix("import ") }.joined(separator: "\n")
        programs[last].text =
          imports.map { $0 + "\n" }.joined() + programs[last].text + "do {\n\(others)}\n"
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
