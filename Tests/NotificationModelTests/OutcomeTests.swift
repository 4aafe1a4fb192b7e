// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import Testing

/// Tests the texts of outcomes and close reasons.
@Suite struct OutcomeTests {
  @Test(
    arguments: [
      (.done, "done"), (.unhandled, "unhandled"), (.failed("exit 3"), "failed: exit 3"), (.failed(""), "failed: "),
      (.refused("scheme 'x'"), "refused: scheme 'x'"),
      (.failed("failed: refused: done"), "failed: failed: refused: done"),
      (.failed("\u{301}accent first"), "failed: \u{301}accent first"), (.refused("\r\na"), "refused: \r\na"),
    ] as [(Outcome, String)])
  func `An outcome is written and read`(_ outcome: Outcome, _ text: String) {
    #expect(outcome.description == text)
    #expect(Outcome(text) == outcome)
  }

  @Test(arguments: [
    "", "Done", "done ", "failed", "failed:", "failed:exit 3", "refused", "lapsed:locked", "waiting",
  ])
  func `An unknown outcome is kept as text`(_ text: String) {
    #expect(Outcome(text) == .other(text))
    #expect(Outcome(text).description == text)
  }

  @Test func `Ends have fixed names`() {
    #expect(
      RequestEnd.allCases.map(\.rawValue) == [
        "expired", "dismissed", "acknowledged", "withdrawn", "vanished", "unknown", "replaced", "cancelled", "folded",
        "not allowed", "muted", "presented by the app", "silent push", "push expired", "skipped", "too late", "failed",
      ])
  }
}
