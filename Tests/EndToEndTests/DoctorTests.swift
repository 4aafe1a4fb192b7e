// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests `suzu doctor` with and without the parts that it looks for.
@Suite(.onOwnThread, .timeLimit(.minutes(5)))
struct DoctorTests {
  @Test func `Doctor reports missing parts and ends with 69`() throws {
    let noBus = try BareCommand.suzu(["doctor"], environment: ["PATH": "/nowhere"])
    #expect(noBus.status == 69 && noBus.errors == "")
    let lines = noBus.output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.first?.hasPrefix("MISSING  session bus: no session bus: ") == true)
    #expect(lines[1] == "partly   opening URLs: 'xdg-open' is not installed; get it with: apt install xdg-utils")
    #expect(
      lines.last?.hasPrefix("partly   dialogs: none of 'suzu-window', 'zenity' and 'kdialog' is installed") == true)

    let bare = try Session(hasCenter: false).suzu("doctor")
    #expect(bare.status == 69)
    #expect(bare.output.contains("ok       session bus: unix:path="))
    #expect(bare.output.contains("MISSING  center: not running, and the bus does not know how to start it"))
    #expect(bare.output.contains("MISSING  notification server: none; notifications wait for one"))
  }

  @Test func `Doctor finds everything, changes nothing, and ends with 0`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    #expect(try session.awaitOwner(of: "org.freedesktop.Notifications"))
    let before = try session.suzu("doctor")
    #expect(before.status == 0, "\(before.output)")
    #expect(before.output.contains("ok       center: not running; the bus starts it when it is needed"))
    #expect(before.output.contains("ok       notification server: suzu popups 0.1.0 by Suzu"))
    #expect(before.output.contains("What you get here:\n  "))
    #expect(before.output.contains("ok       buttons: no limit"))
    #expect(try session.process(of: "dev.suzu.Center") == nil)
    #expect(try session.suzu("notify", "x").status == 0)
    #expect(popups.readLine() == "#1 x")
    let after = try session.suzu("doctor", "--json")
    #expect(after.status == 0)
    let findings = try #require(
      try JSONSerialization.jsonObject(with: Data(after.output.utf8)) as? [[String: String]])
    #expect(findings.first { $0["what"] == "center" }?["text"] == "suzud 0.1.0 runs")
    let store = findings.first { $0["what"] == "store" }?["text"] ?? ""
    #expect(store.hasPrefix("0 pending in /") && store.hasSuffix("/suzu"), "\(store)")
    #expect(findings.first { $0["what"] == "time zone" }?["text"] == "UTC")
    #expect(findings.contains { $0["what"] == "waking the machine" })
    #expect(findings.allSatisfy { ["good", "degraded"].contains($0["state"]) && $0["text"] != "" })
  }
}
