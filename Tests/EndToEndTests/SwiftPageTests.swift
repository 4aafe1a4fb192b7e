// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests that the programs of the page about Swift, and those in `Examples`, are accepted by the compiler.
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

  private static let examples = ["dbus-call", "dbus-serve", "tea"]

  @Test func `Every example is tested`() throws {
    let folder = Session.checkout.appending(path: "Examples").path
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter {
      FileManager.default.fileExists(atPath: "\(folder)/\($0)/Package.swift")
    }
    #expect(names.sorted() == Self.examples)
  }

  // MARK: Examples

  /// Builds an example with the built libraries; returns the path of the program, which has no blanks.
  private static func build(_ name: String, in session: Session) throws -> String {
    let source = Session.checkout.appending(path: "Examples/\(name)/Sources/main.swift").path
    _ = try SwiftRecipe.build(source, in: session.folder)
    return session.folder.path("program")
  }

  @Test func `The tea is brewed again by a program that a click has started`() throws {
    let folder = try TemporaryFolder()
    let service = try String(
      contentsOf: Session.checkout.appending(path: "Examples/tea/org.example.Tea.service"), encoding: .utf8)
    try folder.write(
      service.replacing("@program@", with: folder.path("program")), to: "services/org.example.Tea.service")
    let session = try Session(in: folder)
    let program = try Self.build("tea", in: session)
    let popups = try session.start("popups")
    #expect(try session.awaitOwner(of: "org.freedesktop.Notifications"))
    // No minutes, so that it is shown at once.
    let brewed = try session.run(program, "0")
    #expect(brewed.status == 0, "\(brewed.errors)")
    #expect(popups.readLines(until: "from org.example.Tea")?.first == "#1 Tea is ready")
    let answered = try session.suzu("respond", "tea", "stronger", "--app", "org.example.Tea", "--reply", "3")
    #expect(answered.status == 0, "\(answered.errors)")
    try session.wait(for: #""in":"3m""#, in: "list", "--json")
    try session.wait(for: "done", in: "history")
  }

  @Test func `A notification is shown, and its end reported`() throws {
    let session = try Session()
    let program = try Self.build("dbus-call", in: session)
    let popups = try session.start("popups")
    #expect(try session.awaitOwner(of: "org.freedesktop.Notifications"))
    let calling = try RunningProgram(program, environment: session.environment)
    #expect(popups.readLines(until: "from")?.first == "#1 Hello")
    popups.say("dismiss")
    #expect(calling.waitForExit() == 0, "\(calling.errors)")
    let lines = calling.readLines(until: "closed")
    #expect(lines?.first?.hasSuffix(" shows it") == true && lines?.last == "closed, reason 2", "\(lines ?? [])")
  }

  @Test func `The counter counts for other programs`() throws {
    let session = try Session()
    let program = try Self.build("dbus-serve", in: session)
    let serving = try RunningProgram(program, environment: session.environment)
    // The standard output of a program is buffered, if it is no terminal.
    #expect(try session.awaitOwner(of: "org.example.Counter"))
    let counter = ["call", "--session", "-d", "org.example.Counter", "-o", "/org/example/Counter", "-m"]
    func call(_ words: String...) throws -> (status: Int32, output: String, errors: String) {
      try RunningProgram.run("gdbus", counter + words, environment: session.environment)
    }
    #expect(try call("org.example.Counter1.Add", "5").output == "(int64 5,)\n")
    #expect(try call("org.example.Counter1.Add", "@x -7").output == "(int64 -2,)\n")
    #expect(
      try call("org.freedesktop.DBus.Properties.Get", "org.example.Counter1", "Total").output == "(<int64 -2>,)\n")
    #expect(try call("org.example.Counter1.Add", "@x -9223372036854775808").errors.contains("is too much"))
    #expect(try call("org.example.Counter1.Add", "five").status != 0)
    session.bus.kill()
    #expect(serving.waitForExit() == 0)
  }
}
