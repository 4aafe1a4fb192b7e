// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests the units `systemd/*/suzu-notify@.service.in`. `Packaging/try/session` runs them under a real systemd.
@Suite(.onOwnThread, .timeLimit(.minutes(2)))
struct NotifierUnitTests {
  @Test(.enabled(if: InstalledUnit.canVerify, "no systemd-analyze here"), arguments: ["user", "system"])
  func `systemd accepts the unit`(manager: String) throws {
    let unit = InstalledUnit(manager, "suzu-notify@.service")
    #expect(try unit.complaints(of: "tea.service") == "")
    #expect(
      try unit.complaints(of: "tea.service") { $0.replacing("Type=oneshot", with: "Tipe=oneshot") }.contains("Tipe"))
  }

  // The words of the unit are those of the command.
  @Test(arguments: ["user", "system"])
  func `What the unit starts requests a notification`(manager: String) throws {
    let session = try Session()
    let words = try InstalledUnit(manager, "suzu-notify@.service").command(of: "tea.service")
    let started = try RunningProgram.run(
      words[0], Array(words.dropFirst()),
      environment: session.environment.merging(["MONITOR_SERVICE_RESULT": "timeout"]) { $1 })
    #expect(started.status == 0 && started.errors == "", "\(started)")
    let listed = try session.suzu("list", "--json").output
    #expect(listed.contains("tea.service failed") && listed.contains("it took too long"), "\(listed)")
    #expect(listed.contains(manager == "user" ? "\"unit-tea.service\"" : "\"system-unit-tea.service\""))
  }
}
