// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests the units `systemd/*/suzu-notify@.service.in`. `Packaging/try/session` runs them under a real systemd.
@Suite(.onOwnThread, .timeLimit(.minutes(2)))
struct NotifierUnitTests {
  private static func unit(_ manager: String, folder: String) throws -> String {
    let file = Session.checkout.appending(path: "systemd/\(manager)/suzu-notify@.service.in")
    return try String(contentsOf: file, encoding: .utf8).replacing("@bindir@", with: folder)
  }

  @Test(
    .enabled(if: RunningProgram.path(of: "systemd-analyze") != nil, "no systemd-analyze here"),
    arguments: ["user", "system"])
  func `systemd accepts the unit`(manager: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "run/none")
    func verify(_ text: String) throws -> String {
      let file = try folder.write(text, to: "suzu-notify@tea.service")
      let ended = try RunningProgram.run(
        "systemd-analyze", ["--\(manager)", "--no-pager", "--man=no", "verify", file],
        environment: [
          "PATH": "/usr/bin:/bin", "HOME": folder.path("home"), "XDG_RUNTIME_DIR": folder.path("run"),
          "LC_ALL": "C.UTF-8",
        ])
      return (ended.output + ended.errors).split(separator: "\n").filter { $0.contains("suzu-notify") }
        .joined(separator: "\n")
    }
    let unit = try Self.unit(manager, folder: Session.programs)
    #expect(try verify(unit) == "")
    #expect(try verify(unit.replacing("Type=oneshot", with: "Tipe=oneshot")).contains("Tipe"))
  }

  // The words of the unit are those of the command.
  @Test(arguments: ["user", "system"])
  func `What the unit starts requests a notification`(manager: String) throws {
    let session = try Session()
    let unit = try Self.unit(manager, folder: Session.programs)
    let line = try #require(unit.firstMatch(of: /\nExecStart=([^\n]+)\n/)).1.replacing("%i", with: "tea.service")
    let words = line.split(separator: " ").map(String.init)
    let started = try RunningProgram.run(
      words[0], Array(words.dropFirst()),
      environment: session.environment.merging(["MONITOR_SERVICE_RESULT": "timeout"]) { $1 })
    #expect(started.status == 0 && started.errors == "", "\(started)")
    let listed = try session.suzu("list", "--json").output
    #expect(listed.contains("tea.service failed") && listed.contains("it took too long"), "\(listed)")
    #expect(listed.contains(manager == "user" ? "\"unit-tea.service\"" : "\"system-unit-tea.service\""))
  }
}
