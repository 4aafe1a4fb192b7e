// SPDX-License-Identifier: Apache-2.0
import DBus
import Glibc
import NotificationModel
import Scheduling
import TestSupport
import Testing
import Zoneinfo

@testable import suzud

/// Tests requests that a setting of their app keeps for later.
@Suite(.timeLimit(.minutes(2))) struct HeldTests {
  private static func configure(_ stand: CenterStand, _ settings: [String: Value]) async throws {
    try await stand.call("Configure", ["test", .properties(settings)])
  }

  /// A time of day that is about twelve hours away.
  private static var far: Value {
    var (now, local) = (time(nil), tm())
    localtime_r(&now, &local)
    let hour = (local.tm_hour + 12) % 24
    return .strings(["\(hour):00"])
  }

  private static func ends(_ stand: CenterStand) async throws -> [String: String] {
    try await stand.all("History").reduce(into: [:]) { $0[$1["id"]?.string ?? ""] = $1["reason"]?.string ?? "none" }
  }

  @Test func `Passive ones are held, say until when, and come as one notification`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await Self.configure(stand, ["deliver": Self.far])
      for id in ["a", "b", "c"] { try await stand.notify(id, ["level": "passive", "title": .string("News \(id)")]) }
      try await stand.notify("now")
      #expect(try await server.posted.next().summary == "now")
      let due = try await stand.all("History").filter { $0["state"] == "due" }
      #expect(due.count == 3 && due.allSatisfy { ($0["held"]?.string?.count ?? 0) >= 20 })
      #expect(try await stand.property("PendingCount") == .uint32(3))
      let why = try await stand.why("a")
      #expect(why.hasPrefix("has come, and is held until 20"), "\(why)")
      // One of them is cancelled, and one replaced.
      #expect(try await stand.count("Cancel", ["b"]) == 1)
      try await stand.notify("c", ["level": "passive", "title": "Newer"])
      try await Self.configure(stand, ["deliver": .strings([])])
      let digest = try await server.posted.next()
      #expect(digest.summary == "2 notifications" && digest.body.contains("News a") && digest.body.contains("Newer"))
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
      let ends = try await Self.ends(stand)
      #expect(ends["a"] == "folded" && ends["b"] == "cancelled")
      #expect(try await stand.property("PendingCount") == .uint32(0))
      let replaced = try await stand.all("History").filter { $0["id"] == "c" }.map { $0["reason"]?.string }
      #expect(replaced == ["folded", "replaced"])
    }
  }

  @Test func `One that was held alone comes as itself`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await Self.configure(stand, ["deliver": Self.far])
      try await stand.notify("a", ["level": "passive", "actions": actions(action("ok"))])
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
      try await Self.configure(stand, ["deliver": .strings([])])
      let posted = try await server.posted.next()
      #expect(posted.summary == "a" && posted.actions.contains("ok"))
    }
  }

  // Times of day are whole minutes, so this takes up to one.
  @Test func `At the time of day they come by themselves`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      var (soon, local) = (time(nil) + 65, tm())
      localtime_r(&soon, &local)
      let minute = (local.tm_min < 10 ? "0" : "") + "\(local.tm_min)"
      try await Self.configure(stand, ["deliver": .strings(["\(local.tm_hour):\(minute)"])])
      for id in ["a", "b"] { try await stand.notify(id, ["level": "passive"]) }
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
      #expect(try await server.posted.next(within: .seconds(75)).summary == "2 notifications")
      // Not time(2), whose clock is a tick behind.
      var now = timespec()
      clock_gettime(CLOCK_REALTIME, &now)
      #expect(now.tv_sec >= soon / 60 * 60)
    }
  }

  @Test func `What was held before a restart is held after it, and has one end`() async throws {
    let folder = try TemporaryFolder()
    try await CenterStand.run(home: folder) { stand in
      try await Self.configure(stand, ["deliver": Self.far])
      for id in ["a", "b"] { try await stand.notify(id, ["level": "passive"]) }
    }
    try await CenterStand.run(home: folder) { stand in
      let server = try await stand.server()
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
      #expect(try await stand.all("History").map { $0["held"] != nil } == [true, true])
      try await Self.configure(stand, ["deliver": .strings([])])
      #expect(try await server.posted.next().summary == "2 notifications")
      try await stand.settle()
      let ends = try await Self.ends(stand)
      #expect(ends["a"] == "folded" && ends["b"] == "folded")
    }
  }

  enum Absence { case locked, idle }

  @Test(arguments: [Absence.locked, .idle])
  func `Banners of a user who is away are told once, on the return`(absence: Absence) async throws {
    let presence = ScriptedPresence()
    try await CenterStand.run(presence: presence) { stand in
      let server = try await stand.server()
      try await Self.configure(stand, ["away": "hold"])
      await stand.center.tell(presence, isLocked: absence == .locked, isIdle: absence == .idle)
      for id in ["a", "b"] { try await stand.notify(id) }
      // These do not wait.
      try await stand.notify("alert", ["style": "alert"])
      try await stand.notify("urgent", ["level": "timeSensitive"])
      #expect(try await server.posted.next(2).map(\.summary) == ["alert", "urgent"])
      let held = try await stand.all("History").filter { $0["held"] == "back" }
      #expect(held.count == 2)
      #expect(try await stand.why("a") == "has come, and is held until you are back")
      await stand.center.tell(presence, isLocked: false, isIdle: false)
      // What was on the screen gets its expiry back.
      let (urgent, digest) = (try await server.posted.next(), try await server.posted.next())
      #expect(urgent.summary == "urgent" && urgent.replaces != 0 && urgent.timeout == -1)
      #expect(digest.summary == "While you were away" && digest.body.contains("a") && digest.body.contains("b"))
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
      let ends = try await Self.ends(stand)
      #expect(ends["a"] == "folded" && ends["b"] == "folded")
    }
  }

  @Test func `While the user is there banners come at once`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await Self.configure(stand, ["away": "hold"])
      for id in ["a", "b"] { try await stand.notify(id) }
      #expect(try await server.posted.next(2).map(\.summary) == ["a", "b"])
    }
  }

  @Test func `Until it is known where the user is banners wait, and then come as themselves`() async throws {
    let presence = ScriptedPresence()
    try await CenterStand.run(presence: presence) { stand in
      let server = try await stand.server()
      try await Self.configure(stand, ["away": "hold"])
      for id in ["a", "b"] { try await stand.notify(id) }
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
      await stand.center.tell(presence, isLocked: false, isIdle: false)
      #expect(try await server.posted.next(2).map(\.summary) == ["a", "b"])
    }
  }

  @Test func `What was held while the user was away comes when its app need not wait any more`() async throws {
    let presence = ScriptedPresence()
    try await CenterStand.run(presence: presence) { stand in
      let server = try await stand.server()
      try await Self.configure(stand, ["away": "hold"])
      await stand.center.tell(presence, isLocked: true, isIdle: true)
      for id in ["a", "b"] { try await stand.notify(id) }
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
      try await Self.configure(stand, ["away": "show"])
      #expect(try await server.posted.next().summary == "2 notifications")
      #expect(try await presence.watched.next(4) == ["+unlocked", "+idle 5m", "-unlocked", "-idle 5m"])
    }
  }

  @Test(
    arguments: [
      (["deliver": "12:30"], "'deliver' must be a list of times of day such as '12:30'"),
      (["deliver": .strings(["25:00"])], "'deliver' must be times of day such as '12:30', not '25:00'"),
      (["away": "yes"], "'away' must be 'show', 'keep' or 'hold'"),
      (["away": true], "'away' must be 'show', 'keep' or 'hold'"),
      (["quiet": true], "'quiet' is not one of away, deliver and previews"),
      (["previews": "hidden"], "'previews' must be one of 'always', 'unlocked', 'never'"),
    ] as [([String: Value], String)])
  func `Settings that are not valid are refused`(settings: [String: Value], problem: String) async throws {
    try await CenterStand.run { stand in
      do {
        try await Self.configure(stand, settings)
        Issue.record("taken")
      } catch CallError.refused(let error) {
        #expect(error.message == problem)
      }
    }
  }

  @Test func `The next time of day follows the clocks of the zone`() throws {
    let paris = try ZoneDatabase(folder: FixedZones.folder).zone(named: "Europe/Paris").rules
    let times = try DeliveryTimes(["17:00", "2:30", "12:30"])
    #expect(times.texts == ["02:30", "12:30", "17:00"])
    for (from, next) in [
      ("2026-11-24T11:30:00Z", "2026-11-24T11:30:00Z"), ("2026-11-24T11:30:01Z", "2026-11-24T16:00:00Z"),
      ("2026-11-24T16:00:01Z", "2026-11-25T01:30:00Z"),
      // The clocks skip it, and show it twice.
      ("2027-03-28T00:00:00Z", "2027-03-28T01:00:00Z"), ("2026-10-25T00:00:00Z", "2026-10-25T00:30:00Z"),
    ] {
      let start = try #require(Instant(rfc3339: from)).seconds * 1000
      let date = times.next(from: Timestamp(milliseconds: start), in: paris)
      #expect(date?.milliseconds == Instant(rfc3339: next).map { $0.seconds * 1000 }, "\(from)")
    }
    for wrong in [[], ["12"], ["12:3"], ["24:00"], ["12:60"], ["+1:30"], (0..<25).map { "01:\($0 + 10)" }] {
      #expect(throws: RequestError.self, "\(wrong)") { try DeliveryTimes(wrong) }
    }
  }

  @Test func `Many held ones of an app take limited memory, and all are told`() throws {
    var held = Held()
    for number in 0..<300 {
      let id = "\(number)"
      let request = NotificationRequest(
        trusted: .init(title: id), app: "a", id: RequestID(trusted: id), schedule: .now)
      let due = Due(
        request, record: .init(delivery: .init(Int64(number + 1)), revision: .init(Int64(number + 1))),
        date: Timestamp(milliseconds: 0))
      #expect(held.add(due, as: RequestKey(due), until: .unlocked) == (number < Held.mostOfAnApp))
    }
    let released = held.take { _, _ in true }
    #expect(released.count == 1 && released[0].requests.count == 200 && released[0].more == 100)
    let store = try Store(folder: try TemporaryFolder().path("suzu")) { Timestamp(milliseconds: 0) }
    let texts = DigestTexts(
      apps: Apps(store: store), categories: Categories(store: store, files: CategoryFiles(folders: [])),
      names: AppNames { _ in nil })
    let digest = HeldDigest(released[0].requests, .batch(of: "a", more: 100), texts) { nil }.request
    #expect(digest.content.title == "300 notifications" && digest.content.body?.hasPrefix("290 earlier ones\n") == true)
    #expect(held.take { _, _ in true }.isEmpty && held.nextDate == nil)
  }
}
