// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests the units of suzu-link. `Packaging/try/session` runs them under a real systemd.
@Suite(
  .onOwnThread, .timeLimit(.minutes(2)),
  .enabled(if: RunningProgram.path(of: "systemd-analyze") != nil, "no systemd-analyze here"))
struct LinkUnitTests {
  private static func analyze(_ words: [String], _ change: (String) -> String = { $0 }) throws -> String {
    let folder = try TemporaryFolder()
    let units = Session.checkout.appending(path: "systemd/user")
    let service = try String(contentsOf: units.appending(path: "suzu-link.service.in"), encoding: .utf8)
    try folder.write(change(service.replacing("@bindir@", with: Session.programs)), to: "suzu-link.service")
    try folder.write(
      try String(contentsOf: units.appending(path: "suzu-link.path"), encoding: .utf8), to: "suzu-link.path")
    try folder.write("", to: "run/none")
    let ended = try RunningProgram.run(
      "systemd-analyze",
      ["--user", "--no-pager"] + words
        + [folder.path("suzu-link.service"), folder.path("suzu-link.path")].prefix(words[0] == "security" ? 1 : 2),
      environment: [
        "PATH": "/usr/bin:/bin", "HOME": folder.path("home"), "XDG_RUNTIME_DIR": folder.path("run"),
        "LC_ALL": "C.UTF-8",
      ])
    return ended.output + ended.errors
  }

  @Test func `systemd accepts the units`() throws {
    func lines(_ text: String) -> [Substring] { text.split(separator: "\n").filter { $0.contains("suzu-link") } }
    #expect(try lines(Self.analyze(["--man=no", "verify"])) == [])
    let wrong = try Self.analyze(["--man=no", "verify"]) { $0.replacing("UMask=", with: "UMusk=") }
    #expect(lines(wrong).contains { $0.contains("UMusk") }, "\(wrong)")
  }

  @Test func `systemd finds the service well closed`() throws {
    func exposure(_ text: String) throws -> Double {
      let match = try #require(text.firstMatch(of: /exposure level for suzu-link.service: ([0-9.]+)/), "\(text)")
      return try #require(Double(match.1))
    }
    // What is left: the network, the address families for it, the user, and no root folder of its own.
    #expect(try exposure(Self.analyze(["security", "--offline=yes"])) < 2)
    let open = try Self.analyze(["security", "--offline=yes"]) {
      $0.replacing(/(?m)^(Protect|Restrict|System).*$/, with: "")
    }
    #expect(try exposure(open) > 3)
  }
}
