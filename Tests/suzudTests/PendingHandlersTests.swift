// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import Scheduling
import Testing

@testable import suzud

/// Tests which responses wait for their apps, and for how long.
@Suite struct PendingHandlersTests {
  private func click(_ app: String, _ number: UInt64) -> Click {
    let request = NotificationRequest(
      trusted: .init(title: "t"), app: AppID(trusted: app), id: "a", schedule: .now)
    let response = Response(number: number, app: app, id: "a", action: "go")
    return Click(
      response: response, request: request, action: Action(id: "go", title: "Go"), rights: .all, record: nil,
      date: Timestamp(milliseconds: Int64(number)))
  }

  @Test func `A started app gets its response within a minute, and once`() {
    var pending = PendingHandlers()
    pending.launched(click("a", 1), at: .seconds(100))
    pending.launched(click("a", 2), at: .seconds(130))
    #expect(pending.takeLaunched(for: "a", at: .seconds(170)).map(\.response.number) == [2])
    #expect(pending.takeLaunched(for: "a", at: .seconds(170)).isEmpty)
  }

  @Test func `The responses of started apps that never attach are forgotten`() {
    var pending = PendingHandlers()
    for number in 0..<1000 { pending.launched(click("a", UInt64(number)), at: .seconds(100)) }
    #expect(pending.launchedCount == PendingHandlers.mostLaunchings)
    for number in 0..<1000 { pending.launched(click("app\(number)", 1), at: .milliseconds(100_000 + number)) }
    #expect(pending.launchedCount <= PendingHandlers.mostLaunchings + PendingHandlers.mostLaunched)
    #expect(pending.takeLaunched(for: "app0", at: .seconds(101)).isEmpty)
    #expect(pending.takeLaunched(for: "app999", at: .seconds(101)).count == 1)
    pending.launched(click("last", 1), at: .seconds(200))
    #expect(pending.launchedCount == 1)
  }

  @Test func `The oldest response makes way if too many wait for an app`() {
    var pending = PendingHandlers()
    let gone = (1...UInt64(PendingHandlers.mostWaiting + 2)).compactMap { pending.wait(click("a", $0)) }
    #expect(gone.map(\.response.number) == [1, 2])
    let other = pending.wait(click("b", 1))
    #expect(other?.response.number == nil)
    #expect(pending.takeWaiting(for: "a").count == PendingHandlers.mostWaiting)
  }

  @Test func `A response that was chosen earlier is sent earlier, however late it is known that it waits`() {
    var pending = PendingHandlers()
    for number: UInt64 in [2, 4, 1, 3] { _ = pending.wait(click("a", number)) }
    let (first, other) = (pending.takeFirst(for: "a"), pending.takeFirst(for: "b"))
    #expect(first?.response.number == 1 && other?.response.number == nil)
    #expect(pending.takeWaiting(for: "a").map(\.response.number) == [2, 3, 4])
    #expect(pending.oldest == nil)
    let begun = ["a", "a", "b"].map { pending.beginGiving(to: $0) }
    #expect(begun == [true, false, true])
    pending.endGiving(to: "a")
    let isFree = pending.beginGiving(to: "a")
    #expect(isFree)
  }
}
