// SPDX-License-Identifier: Apache-2.0
import CenterContract
import DBus
import EventLoop
import NotificationModel
import TestSupport
import Testing

@testable import suzud

/// Tests that the center's memory of other peers is limited.
@Suite(.timeLimit(.minutes(2)))
struct RememberedTests {
  @Test func `A server's signals for unknown numbers do not fill the memory`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server(script: { _ in .hold })
      try await stand.notify("a")
      _ = try await server.posted.next()
      for number in 2..<400 { try await server.press(UInt32(number), "go") }
      for _ in 0..<40 { try await server.press(2, "go") }
      // The signals come from another connection than the calls of `settle`.
      try await server.ping(CenterBus.name, CenterBus.path)
      try await stand.settle()
      let kept = await stand.center.earlyCounts
      #expect(kept.count == 4 * PostQueue.window && kept.max() == 16)
    }
  }

  @Test func `Sandboxed apps without recent calls are forgotten`() async throws {
    try await CenterStand.run { stand in
      let apps = try await stand.center.appsWithQuota(afterOld: 100)
      #expect(apps == 1)
    }
  }
}

extension CenterService {
  fileprivate var earlyCounts: [Int] { screenSide.link.early.counts }

  /// How many apps are remembered after another one makes a request.
  fileprivate func appsWithQuota(afterOld count: Int) throws -> Int {
    let old = EventLoop.Clock.monotonic.now - Rights.span * 2
    let quota = RequestQuota(store: around.agenda.store)
    for number in 0..<count { try quota.check(.of(app: "app\(number)"), 1, at: old) }
    try quota.check(.of(app: "last"), 1)
    return quota.appCount
  }
}
