// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Foundation
import Glibc
import NotificationModel
import Scheduling
import TestSupport
import Testing

/// Tests a store with rules that take too many steps, as an older center accepted them.
@Suite(.timeLimit(.minutes(3))) struct LongSearchTests {
  /// Each takes all steps that one search may take.
  private static let rule = "FREQ=SECONDLY;INTERVAL=86399;BYHOUR=20;BYMINUTE=59;BYSECOND=1"

  private static func fill(_ folder: TemporaryFolder, hostile: Int) throws {
    let home = folder.path("home/.local/share")
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
    let store = try Store(folder: home + "/suzu") { now }
    let schedule = try Schedule.rule(rule, zone: "UTC", from: "2026-11-21 20:59:00")
    var requests = try (0..<hostile).map { number in
      try NotificationRequest(app: "box", id: RequestID("hostile \(number)"), title: "hostile", schedule: schedule)
    }
    requests.append(
      try NotificationRequest(app: "test", id: "honest", title: "honest", schedule: .at("2026-11-21T12:00:00Z")))
    let rows = requests.enumerated().map { number, request in
      NewRequest(
        app: request.app.text, id: request.id?.text ?? "", payload: Payload.text(of: request),
        start: .at(PlannedDate(due: now - 5000 + Int64(number))))
    }
    try store.put(rows, now: now - 10_000)
    store.close()
  }

  @Test func `Stored rules that take too many steps delay neither the start nor other requests nor the end`()
    async throws
  {
    let folder = try TemporaryFolder()
    try Self.fill(folder, hostile: 30)
    let session = try Session(in: folder)
    try await withLoop { loop in
      let shown = Inbox<String>()
      let server = try await ScriptedServer.start(on: session.bus, loop) { posted in
        shown.put(posted.summary)
        return .number
      }
      let center = try session.startCenter()
      #expect(try session.awaitOwner(of: "dev.suzu.Center"))
      // The center answers during the searches, and due requests are shown in the end.
      #expect(try session.suzu("notify", "Tea", "--in", "1h", "--id", "tea").output == "tea\n")
      while try await shown.next(within: .seconds(60)) != "honest" {}
      #expect(try session.suzu("list", "--json").output.contains("hostile 0"))
      #expect(try session.suzu("doctor").output.contains("set aside"))
      center.signal(SIGTERM)
      #expect(center.waitForExit(within: 10) == 0)
      await server.die()
    }
  }
}
