// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import Testing

@testable import suzu

/// Tests what `suzu unit` makes of systemd's words.
@Suite struct UnitTests {
  @Test(arguments: [
    ("Result=exit-code\nExecMainCode=1\nExecMainStatus=3\nInvocationID=ab\n", "exit status 3"),
    ("Result=signal\nExecMainCode=2\nExecMainStatus=9\n", "ended by signal 9 (Killed)"),
    ("Result=timeout\nExecMainCode=2\nExecMainStatus=15\n", "it took too long"),
    ("Result=exit-code\nExecMainCode=0\nExecMainStatus=0\n", "it has failed"),
    ("Result=start-limit-hit\n", "it was started too often in a short time"),
  ])
  func `What systemctl shows is read`(shown: String, body: String) throws {
    let report = UnitReport(unit: "a.service", isSystem: false, result: try #require(UnitResult(shown: shown)))
    #expect(report.request["title"] == .text("a.service failed") && report.request["body"] == .text(body))
    _ = try NotificationRequest(report.request)
  }

  @Test(arguments: ["", "Result=\n", "ExecMainStatus=3\n", "nonsense"])
  func `Without a result nothing is known`(shown: String) {
    #expect(UnitResult(shown: shown) == nil)
  }

  @Test func `A success is no failure, and the longest name has a valid id`() throws {
    let name = String(repeating: "a", count: 247) + ".service"
    let report = UnitReport(unit: name, isSystem: true, result: UnitResult(result: "success"))
    #expect(UnitReport.isName(name) && report.request["title"] == .text(name + " finished"))
    let request = try NotificationRequest(report.request)
    #expect(request.id?.text.utf8.count == 255)
  }

  @Test func `A signal is named as systemd names it`() {
    let killed = UnitResult(environment: ["MONITOR_SERVICE_RESULT": "core-dump", "MONITOR_EXIT_STATUS": "SEGV"])
    let report = UnitReport(unit: "a.service", isSystem: false, result: killed ?? UnitResult())
    #expect(report.request["body"] == .text("ended by signal SEGV"))
    #expect(UnitResult(environment: [:]) == nil)
  }
}
