// SPDX-License-Identifier: Apache-2.0
import DBus
import NotificationModel
import TestSupport
import Testing

@testable import Scheduling
@testable import suzud

/// Tests who may see and change quiet hours, and which changes are refused.
@Suite(.timeLimit(.minutes(2))) struct QuietRightsTests {
  @Test func `A box learns whether it is quiet for its own app, and changes nothing`() async throws {
    try await BoxStand.run { box in
      try await QuietCalls.set(box.stand, ["on": true, "add": .strings(["22:00..07:00"])])
      let own = try #require(try await box.call("Quiet", [.string(BoxStand.app)]).first?.properties)
      #expect(own == ["quiet": true, "pass": "timeSensitive"])
      // Nor does the list of its requests tell when the user sleeps.
      try await QuietCalls.set(box.stand, ["until": .int64(4_000_000_000)])
      try await box.notify("a")
      #expect(try await box.list("History").first?["held"] == "quiet off")
      #expect(try await QuietCalls.row(box.stand, "a", app: BoxStand.app)["held"]?.string?.hasPrefix("2096") == true)
      for (method, arguments) in [
        ("Quiet", [""]), ("Quiet", ["org.example.Other"]), ("QuietApps", []),
        ("SetQuiet", [.string(BoxStand.app), .properties(["pass": "all"])]),
        ("SetQuiet", ["", .properties(["on": false])]),
      ] as [(MemberName, [Value])] {
        #expect(await box.refusal(method, arguments).contains("AccessDenied"), "\(method)")
      }
    }
  }

  @Test(
    arguments: [
      (["on": "yes"], "'on' must be true or false"), (["until": "07:00"], "'until' must be in seconds since 1970"),
      (["until": .int64(-1)], "'until' must be in seconds since 1970"), (["until": .int64(5)], "'until' has passed"),
      (["on": false, "until": .int64(4_000_000_000)], "'on' and 'until' cannot be combined"),
      (["add": "22:00..07:00"], "'add' must be a list of texts"),
      (["add": .strings(["22:00-07:00"])], "'add': '22:00-07:00' is not a span of time (column 1)"),
      (["remove": .strings(["x"])], "there are no quiet hours 'x'"),
      (["pass": "loud"], "'pass' must be one of 'all', 'active', 'timeSensitive', 'critical', 'nothing', or empty"),
      (["desktop": "on"], "'desktop' must be true or false"),
      (["after": "never"], "'after' must be 'digest' or 'each'"),
      (["quiet": true], "'quiet' is not one of add, after, desktop, on, pass, remove and until"),
    ] as [([String: Value], String)])
  func `Changes that are not valid are refused, and nothing of them is done`(
    changes: [String: Value], problem: String
  ) async throws {
    try await CenterStand.run { stand in
      let refusal = try await QuietCalls.refusal(stand, changes.merging(["pass": "all"]) { old, _ in old })
      #expect(refusal.contains(problem), "\(refusal)")
      #expect(try await QuietCalls.quiet(stand)["pass"] == "timeSensitive")
    }
  }

  @Test func `Settings of all apps are not those of one, and there are limits`() async throws {
    try await CenterStand.run { stand in
      #expect(
        try await QuietCalls.refusal(stand, ["desktop": true], app: "a").contains("'desktop' is for all apps together"))
      let hours = (0..<QuietHours.mostHours).map { "\($0 / 6 + 10):\($0 % 6)0..23:59" }
      try await QuietCalls.set(stand, ["add": .strings(hours)])
      #expect(try await QuietCalls.refusal(stand, ["add": .strings(["01:00..02:00"])]).contains("LimitExceeded"))
      // The same text is no other one.
      try await QuietCalls.set(stand, ["add": .strings([hours[0]])])
      for number in 0..<QuietHours.mostApps { try await QuietCalls.set(stand, ["on": true], app: "app\(number)") }
      #expect(try await QuietCalls.refusal(stand, ["on": true], app: "more").contains("LimitExceeded"))
      try await QuietCalls.set(stand, ["on": false], app: "app0")
      try await QuietCalls.set(stand, ["on": true], app: "more")
    }
  }
}
