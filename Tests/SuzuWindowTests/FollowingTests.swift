// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport
import Testing

/// Tests how soon a page shows what the command has changed. SUZU_PROGRAMS names another build to measure.
@Suite(.onOwnThread, .timeLimit(.minutes(5)), .enabled(if: WindowStage.isPossible))
struct FollowingTests {
  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// How long after the end of the command each change is on the page, in milliseconds; the middle one of several.
  private static func delay(
    _ page: String, _ keys: String, _ stage: WindowStage, _ words: [String],
    row name: (Int) -> String = { "Tea \($0), " }
  ) throws -> Double {
    try stage.keys(keys)
    // The list is there: only rows come from now on.
    try stage.see(containing: "First, ")
    var delays: [Double] = []
    for number in 0..<9 {
      var ended = 0.0
      let list = try stage.wait(for: "list") { nodes in nodes.first { $0.role == "list" && $0.name == page } }
      let shown = try stage.reader.moment(of: name(number), in: list) {
        let done = try stage.session.suzu(["notify", "Tea \(number)"] + words)
        ended = now
        #expect(done.status == 0, "\(done.errors)")
      }
      delays.append((try #require(shown, "\(page): no row of Tea \(number)") - ended) * 1000)
    }
    delays.sort()
    print("window: \(page): on the page \(Int(delays[4])) ms after the command, \(Int(delays[8])) ms at most")
    return delays[4]
  }

  @Test func `Each page shows a change of the command within a tenth of a second`() throws {
    let stage = try WindowStage()
    let (alarm, event) = (["--every", "Mon..Fri 07:30"], ["--on", "wifi Home"])
    for words in [["--in", "2h"], alarm, event, []] {
      #expect(try stage.session.suzu(["notify", "First"] + words).status == 0)
    }
    #expect(try Self.delay("Upcoming", "alt+1", stage, ["--in", "3h"]) < 100)
    #expect(try Self.delay("Alarms", "alt+2", stage, alarm) { "07:30, Tea \($0), " } < 100)
    // Without a notification server they stay due.
    #expect(try Self.delay("History", "alt+3", stage, []) < 100)
    #expect(try Self.delay("Events", "alt+4", stage, event) < 100)
  }
}
