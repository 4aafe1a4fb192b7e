// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests that the examples in the documentation of the libraries are accepted by the compiler.
@Suite(.onOwnThread, .timeLimit(.minutes(5))) struct SnippetTests {
  /// What the examples of a target may use without saying where it comes from.
  private struct Surroundings {
    let imports: [String]
    var parameters = ""
    var declarations = ""
  }

  /// Every target that programs can import. The examples of one may use what its library hands on.
  private static func surroundings() throws -> [String: Surroundings] {
    let suzu = Surroundings(imports: ["Suzu"], parameters: "center: Center, app: NotifyingApp")
    let testing = Surroundings(
      imports: ["Suzu", "SuzuTesting", "Testing"], parameters: "spy: SpyCenter",
      declarations: try #require(try Recipe.all(in: "docs/TESTING.md").first { $0.text.hasPrefix("struct ") }).text)
    return [
      "EventLoop": Surroundings(imports: ["EventLoop"], parameters: "loop: EventLoop"),
      "DBus": Surroundings(imports: ["DBus"], parameters: "bus: Connection"),
      "Suzu": suzu, "CenterClient": suzu, "NotificationModel": suzu,
      "SuzuTesting": testing, "TestStage": testing,
      "CoreLocation": Surroundings(imports: ["CoreLocation"]),
      "UserNotifications": Surroundings(imports: ["UserNotifications"]),
      "UIKit": Surroundings(imports: ["UIKit"]),
    ]
  }

  @Test func `Every target of a library has surroundings for its examples`() throws {
    let manifest = try String(contentsOf: Session.checkout.appending(path: "Package.swift"), encoding: .utf8)
    let targets = manifest.matches(of: /\.library\(name: "\w+", targets: \[([^\]]*)\]\)/).flatMap {
      $0.1.matches(of: /"(\w+)"/).map { String($0.1) }
    }
    #expect(Set(targets) == Set(try Self.surroundings().keys))
  }

  @Test func `Every example in a doc comment or a catalogue compiles`() throws {
    let folder = try TemporaryFolder()
    var count = 0
    for (target, surroundings) in try Self.surroundings() {
      let snippets = try Snippet.all(in: target)
      var source = surroundings.imports.map { "import \($0)\n" }.joined() + surroundings.declarations
      for (number, snippet) in snippets.enumerated() {
        source += """
          func snippet\(number)(\(surroundings.parameters)) async throws {
          #sourceLocation(file: "\(snippet.file)", line: \(snippet.line))
          \(snippet.text)
          #sourceLocation()
          }

          """
      }
      let checked = try SwiftRecipe.check(try folder.write(source, to: "\(target)Examples.swift"), asProgram: false)
      #expect(checked.status == 0, "\(checked.errors)")
      // An example may give a name to a value only to show its type.
      let warnings = checked.errors.split(separator: "\n").filter {
        $0.contains("warning:") && !$0.contains("was never used")
      }
      #expect(warnings.isEmpty, "\(warnings)")
      count += snippets.count
    }
    #expect(count >= 35)
  }
}
