// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests questions whose answer is typed, with the real programs and a dialog program that the test controls.
@Suite(.onOwnThread, .timeLimit(.minutes(2)))
struct TypedAnswerTests {
  /// A session whose dialog program tells `asked` about itself, chooses the row *Other…* of a list, and takes its text
  /// from the pipe `typed`.
  private static func session() throws -> Session {
    let folder = try TemporaryFolder()
    mkfifo(folder.path("typed"), 0o600)
    mkfifo(folder.path("asked"), 0o600)
    try folder.write(
      """
      #!/bin/sh
      case $1 in
      --list) while read -r key && read -r label; do [ "$label" = 'Other…' ] && echo "$key"; done ;;
      *) echo "$1" >'\(folder.path("asked"))'; exec cat '\(folder.path("typed"))' ;;
      esac
      """, to: "bin/zenity", executable: true)
    return try Session(variables: ["PATH": folder.path("bin") + ":/usr/bin:/bin"], in: folder)
  }

  /// Runs the recipe of the cookbook on a server that draws no buttons, until its dialog for the text is open.
  private static func ask(
    _ session: Session, _ body: @escaping @Sendable (RunningProgram) async throws -> Void
  ) async throws {
    try await withLoop { loop in
      let server = try await ScriptedServer.start(on: session.bus, loop, name: "dunst")
      let script = try session.start(
        "notify", "Lunch at noon?", "--id", "q", "--style", "alert", "--wait", "--action", "yes=I am coming",
        "--action", "no=Not today", "--action", "other=Other…", "--reply", "other=Your answer")
      let posted = try await server.posted.next(within: .seconds(15))
      try await server.press(posted.number, "default")
      try await server.tellClosed(posted.number, reason: 2)
      let asked = try await offPool { try session.run("cat", session.folder.path("asked")) }
      #expect(asked.output == "--entry\n")
      try await body(script)
    }
  }

  // The end was once reported at the click, and the command gave up half a second later.
  @Test func `The end of a question is reported after its text, which is printed`() async throws {
    let session = try Self.session()
    let watch = try await offPool { try session.startWatch("--json") }
    try await Self.ask(session) { script in
      // The center has handled the click and the close.
      let question = try await offPool { try session.suzu("show", "q") }
      // It read `withdrawn`, as if a program had removed it.
      #expect(question.output.contains("\nreason:   answered: other\n"), "\(question)")
      #expect(question.output.contains("\noutcome:  waiting: text\n"), "\(question)")
      let why = try await offPool { try session.suzu("why", "q") }.output
      #expect(why.hasSuffix("; then: answered: other (waiting: text)\n"), "\(why)")
      let history = try await offPool { try session.suzu("history", "--state", "answered: other") }.output
      #expect(history.contains(" waiting: text"), "\(history)")
      let typed = try await offPool {
        try session.run("sh", "-c", "echo 'Half past twelve?' >'\(session.folder.path("typed"))'")
      }
      #expect(typed.status == 0)
      #expect(try await script.line() == "other")
      #expect(try await script.line() == "Half past twelve?")
      #expect(try await script.exit() == 0)
      let shown = try await offPool { try session.suzu("show", "q") }.output
      #expect(shown.contains("\noutcome:  done\n"), "\(shown)")
      var events: [String] = []
      while !events.contains("closed") || !events.contains("responded") { events.append(try await Self.event(watch)) }
      #expect(events.last == "closed", "\(events)")
    }
  }

  /// The name of the next event that `suzu watch --json` prints.
  private static func event(_ watch: RunningProgram) async throws -> String {
    struct Event: Decodable { let event: String }
    let line = try #require(try await watch.line())
    return try JSONDecoder().decode(Event.self, from: Data(line.utf8)).event
  }

  @Test func `A click whose text is being typed is recorded when the center ends`() async throws {
    let session = try Self.session()
    try await Self.ask(session) { script in
      kill(try #require(try session.process(of: "dev.suzu.Center")), SIGTERM)
      #expect(try await script.exit() == 69)
      #expect(try await script.line() == nil)
      #expect(script.errors == "suzu: notify: 'other' was chosen, but the center ended before there was a text\n")
      // The bus starts another center.
      let show = try await offPool { try session.suzu("show", "q") }
      let shown = show.output
      #expect(shown.contains("\noutcome:  lapsed: the center ended\n"), "\(show)")
      #expect(shown.contains("\nreason:   answered: other\n") && shown.contains("\nstate:    closed\n"), "\(shown)")
    }
  }
}
