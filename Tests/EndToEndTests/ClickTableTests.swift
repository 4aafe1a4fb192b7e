// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Every kind of action, in every context, for an app that is attached, can be activated, can be launched or is absent,
/// in a locked session and in an open one, chosen in time, late, and around restarts: with the real center.
@Suite(
  .onOwnThread, .timeLimit(.minutes(10)), .enabled(if: ClickSession.isPossible, "no python3-dbus or python3-gi here"))
struct ClickTableTests {
  @Test func `Every click ends as designed, and its action runs once`() async throws {
    var count = 0
    var problems: [String] = []
    let start = ContinuousClock.now
    for isLocked in [false, true] {
      for moment in Combination.Moment.allCases where isLocked || moment != .beforeCenterUnlocked {
        count += Combination.row(isLocked: isLocked, moment).count
        // A failure in one row must not hide others in the next.
        do { problems += try await ClickRound.walk(isLocked: isLocked, moment) } catch { problems.append("\(error)") }
      }
    }
    let seconds = (ContinuousClock.now - start).components.seconds
    print("click table: \(count) combinations, \(problems.count) wrong, in \(seconds) s")
    #expect(problems.count == 0, "\(problems.prefix(40).joined(separator: "\n"))")
  }
}
