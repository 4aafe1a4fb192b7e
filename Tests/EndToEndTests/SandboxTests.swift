// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests a program in a sandbox like Flatpak's with the real center.
@Suite(
  .onOwnThread, .timeLimit(.minutes(2)),
  .enabled(if: Bubblewrap.isPossible, "no bwrap here, or it may not make namespaces"))
struct SandboxTests {
  private static let app = "org.example.Boxed"

  /// Calls the center from inside the sandbox; returns the status and the output.
  private static func ask(
    _ session: Session, signed: Bool = true, _ member: String, _ arguments: String...
  ) throws -> (status: Int32, output: String, errors: String) {
    let info = signed ? try session.folder.write("[Application]\nname=\(app)\n", to: "info") : nil
    let words =
      Bubblewrap.words(session.folder, info: info)
      + ["gdbus", "call", "--session", "-d", "dev.suzu.Center", "-o", "/dev/suzu/Center", "-m"]
      + ["dev.suzu.Center1." + member] + arguments
    return try RunningProgram.run(words[0], Array(words.dropFirst()), environment: session.environment)
  }

  @Test func `A sandboxed app notifies only as itself`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    #expect(try session.suzu("apps", "allow", Self.app).status == 0)
    let taken = try Self.ask(session, "Notify", "{'title': <'from the box'>, 'id': <'i'>}")
    #expect(taken.status == 0 && taken.output == "('i',)\n", "\(taken.errors)")
    #expect(popups.readLines(until: "from")?.first == "#1 from the box")
    let history = try session.suzu("history", "--json").output
    #expect(history.contains("\"app\":\"\(Self.app)\""))
    for (member, argument) in [
      ("Notify", "{'title': <'x'>, 'app': <'dev.suzu.Suzu'>}"),
      ("Notify", "{'title': <'x'>, 'actions': <[{'id': <'a'>, 'run': <['touch', '/tmp/x']>}]>}"),
      ("Notify", "{'title': <'x'>, 'url': <'file:///etc/passwd'>}"), ("Watch", "true"), ("Attach", "dev.suzu.Suzu"),
    ] {
      let refused = try Self.ask(session, member, argument)
      #expect(refused.status != 0 && refused.errors.contains("dev.suzu.Error.AccessDenied"), "\(refused)")
    }
  }

  // Once, the user's category ran with the arguments of the sandboxed app, which pressed the button itself.
  @Test func `A box that drops its category does not get the user's, and cannot press buttons`() throws {
    let session = try Session()
    let ran = session.folder.path("ran")
    try session.folder.write(
      #"{"id": "backup", "actions": [{"id": "go", "run": ["touch", "\#(ran)", "{body}", "--token=SECRET"]}]}"#,
      to: "home/.config/suzu/categories.d/backup.json")
    #expect(try session.suzu("apps", "allow", Self.app).status == 0)
    let own = "[{'id': <'backup'>, 'actions': <[{'id': <'own'>, 'title': <'Own'>}]>}]"
    for categories in [own, "[]"] {
      let set = try Self.ask(session, "SetCategories", Self.app, categories)
      #expect(set.status == 0, "\(set.errors)")
      if categories == own {
        let taken = try Self.ask(session, "Notify", "{'title': <'t'>, 'id': <'i'>, 'category': <'backup'>}")
        #expect(taken.status == 0, "\(taken.errors)")
      }
    }
    let popups = try session.start("popups")
    #expect(popups.readLines(until: "t")?.first == "#1 t")
    let pressed = try Self.ask(session, "Respond", Self.app, "i", "go", "@a{sv} {}")
    #expect(pressed.errors.contains("dev.suzu.Error.AccessDenied"), "\(pressed)")
    let respond = try session.suzu("respond", "i", "go", "--app", Self.app)
    #expect(respond.status != 0 && respond.errors.contains("no action 'go'"), "\(respond)")
    let seen = try Self.ask(session, "Categories", Self.app)
    #expect(seen.output.trimmingCharacters(in: .whitespacesAndNewlines) == "(@aa{sv} [],)", "\(seen)")
    #expect(!FileManager.default.fileExists(atPath: ran))
  }

  @Test func `An unidentified sandbox is denied access`() throws {
    let session = try Session()
    let refused = try Self.ask(session, signed: false, "Notify", "{'title': <'x'>}")
    #expect(refused.status != 0 && refused.errors.contains("dev.suzu.Error.AccessDenied"), "\(refused)")
  }
}
