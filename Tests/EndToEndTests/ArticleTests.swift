// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests that the programs of the articles do what their pages say.
@Suite(.onOwnThread, .timeLimit(.minutes(3))) struct ArticleTests {
  /// Builds the first program of a page with the built libraries, and starts it.
  private static func start(
    _ page: String, with libraries: [String] = [], in session: Session
  ) throws -> RunningProgram {
    let text = try #require(try SwiftPageTests.programs(in: page).first).text
    let file = try session.folder.write(text, to: "page.swift")
    _ = try SwiftRecipe.build(file, with: libraries, in: session.folder)
    // The standard output of a program is buffered, if it is no terminal.
    return try RunningProgram("stdbuf", ["-oL", session.folder.path("program")], environment: session.environment)
  }

  @Test func `The first notification has two buttons, and the program gets the choice`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    #expect(try session.awaitOwner(of: "org.freedesktop.Notifications"))
    let program = try Self.start("docs/SWIFT.md", in: session)
    let lines = try #require(popups.readLines(until: "from org.example.Tea", within: 20))
    #expect(lines.first == "#1 Tea is ready" && lines.contains { $0.contains("Green, 80 °C") }, "\(lines)")
    popups.say("2")
    #expect(program.readLine() == "you chose thanks", "\(program.errors)")
    try session.wait(for: "done", in: "history")
  }

  @Test func `The program that was moved from iOS shows its notification, and gets the choice`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    #expect(try session.awaitOwner(of: "org.freedesktop.Notifications"))
    let program = try Self.start(
      "docs/MOVING.md", with: ["UserNotifications", "CoreLocation", "RunningApp", "Triggers", "Zoneinfo"], in: session)
    let lines = try #require(popups.readLines(until: "from org.example.Plants", within: 20))
    #expect(lines.first == "#1 Water the plants", "\(lines)")
    let answered = try session.suzu(
      "respond", "plants", "note", "--app", "org.example.Plants", "--reply", "two new leaves")
    #expect(answered.status == 0, "\(answered.errors)")
    #expect(program.readLine() == "plants note two new leaves", "\(program.errors)")
  }

  @Test func `Without Suzu, the program of the page gets the code that the page names`() throws {
    let session = try Session(hasCenter: false)
    let program = try Self.start("docs/SWIFT.md", in: session)
    #expect(program.waitForExit() != 0)
    #expect(program.errors.contains("the bus cannot start it"), "\(program.errors)")
  }
}
