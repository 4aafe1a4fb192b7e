// SPDX-License-Identifier: Apache-2.0
import DBus
import Suzu
import SuzuTesting
import TestSupport
import Testing

/// Compares the spy with the real center, which runs as a program on a private bus.
@Suite(.onOwnThread, .timeLimit(.minutes(2))) struct CenterComparison {
  /// Schedules without a date of today, so that both have the same dates whatever the time is.
  private static let schedules: [Schedule] = {
    let made: [Schedule?] = [
      try? .every("Mon,Tue,Thu 07:30", from: "2030-01-01 00:00"),
      try? .every("Mon,Tue,Thu 07:30", zone: "Europe/Paris", from: "2030-03-25 00:00"),
      try? .every("*-*-* 02:30", zone: "Europe/Paris", from: "2030-03-29 00:00"),
      try? .every("*-*-* 02:15", zone: "Australia/Lord_Howe", from: "2030-10-04 00:00"),
      try? .every("hourly", zone: "Australia/Lord_Howe", from: "2030-04-06 22:00", count: 9),
      try? .every("*-*-31 12:00", from: "2030-01-01 00:00"),
      try? .every("*-02-29 12:00", from: "2030-01-01 00:00"),
      try? .rule("FREQ=WEEKLY;BYDAY=MO,TU,TH;BYHOUR=7;BYMINUTE=30", from: "2030-01-01 00:00"),
      try? .rule(
        "FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=17;BYMINUTE=0;BYSECOND=0", zone: "America/New_York", from: "2030-01-01 00:00"),
      try? .rule("FREQ=DAILY;BYHOUR=2;BYMINUTE=30;BYSECOND=0;COUNT=4", zone: "Europe/Paris", from: "2030-10-25 00:00"),
      try? .match(["weekday": 2, "hour": 7, "minute": 30], from: "2030-01-01 00:00"),
      try? .repeating(.match(["day": 31, "hour": 9]), from: "2030-01-01 00:00"),
      try? .at("2030-03-31 02:30", zone: "Europe/Paris"),
      try? .at("2030-06-01T10:00:00+05:30"),
      try? .every("15m", from: "2030-01-01 00:00", count: 6),
      try? .every("Sat,Sun 10:00", from: "2030-01-01 00:00", until: "2030-01-20"),
    ]
    return made.compactMap { $0 }
  }()

  @Test func `All schedules of the table are valid`() { #expect(Self.schedules.count == 16) }

  /// A session whose center has the zones of the tests, on a machine in UTC.
  private static func withCenter(_ body: @Sendable (Center, SpyCenter) async throws -> Void) async throws {
    let session = try Session(variables: ["TZDIR": try FixedZones.folder])
    let center = try await session.bus.center()
    let clock = try VirtualClock("2029-12-31 12:00", zoneinfo: FixedZones.folder)
    try await body(center, SpyCenter(clock: clock))
    await center.close()
  }

  @Test func `The spy's next dates are those of the center`() async throws {
    try await Self.withCenter { center, spy in
      for schedule in Self.schedules {
        let request = try NotificationRequest(title: "T", schedule: schedule)
        let real = try await center.nextDates(of: request, count: 25)
        #expect(!real.isEmpty, "\(schedule)")
        #expect(try spy.nextDates(of: request, count: 25) == real, "\(schedule)")
      }
    }
  }

  @Test func `What comes on a walk is what the center says comes next`() async throws {
    try await Self.withCenter { center, _ in
      var count = 0
      for schedule in Self.schedules {
        let clock = try VirtualClock("2029-12-31 12:00", zoneinfo: FixedZones.folder)
        let spy = SpyCenter(clock: clock)
        let request = try NotificationRequest(id: "a", title: "T", schedule: schedule)
        let real = try await center.nextDates(of: request, count: 25)
        try spy.notify(request)
        let coming = try #require(spy.pending("a")).next(25)
        #expect(coming == real, "\(schedule)")
        try clock.advance(to: try #require(real.last))
        #expect(spy.delivered.map(\.due) == real, "\(schedule)")
        #expect(spy.delivered.allSatisfy { $0.delay == .zero && $0.missed == 0 }, "\(schedule)")
        #expect(spy.reports == [], "\(schedule)")
        count += real.count
      }
      print("virtual walk: \(count) dates of \(Self.schedules.count) schedules, all as the center says")
    }
  }

  /// Requests that the center refuses, as dictionaries: the checks of Swift's types come later.
  private static let refused: [[String: PlainValue]] = [
    ["title": .text("T"), "at": .text("2020-01-01 00:00")],
    ["title": .text("T"), "at": .text("once upon a time")],
    ["title": .text("T"), "every": .text("*-02-30 12:00")],
    ["title": .text("T"), "every": .text("Mon 07:30"), "zone": .text("Europe/Pariss")],
    ["title": .text("T"), "every": .text("Mon 07:30"), "until": .text("2020-01-01")],
    ["title": .text("T"), "rule": .text("FREQ=SOMETIMES")],
    ["title": .text("T"), "category": .text("nowhere")],
    ["title": .text("T"), "id": .text("dev.suzu.mine")],
    ["title": .text(" ")],
    ["title": .text("T"), "app": .text("not an app")],
    [
      "title": .text("T"), "body": .text(String(repeating: "x", count: 200_000)),
      "actions": .list([
        .dictionary(["id": .text("a"), "title": .text("A"), "run": .list([.text("echo"), .text("{body}")])])
      ]),
    ],
  ]

  @Test func `The spy refuses what the center refuses, with the same words`() async throws {
    try await Self.withCenter { center, spy in
      for words in Self.refused {
        let request = try PlainValue.dictionary(words).decode(as: NotificationRequest.self)
        let real = await #expect(throws: SuzuError.self) { _ = try await center.notify(request) }
        let ours = #expect(throws: SuzuError.self) { _ = try spy.notify(request) }
        #expect(ours == real, "\(words.mapValues { String("\($0)".prefix(80)) })")
      }
      #expect(spy.requests.isEmpty && spy.pending.isEmpty)
      let lists = try [
        [NotificationRequest(title: "T"), NotificationRequest(title: "U") { $0.category = "nowhere" }]
      ]
      for list in lists {
        let real = await #expect(throws: SuzuError.self) { _ = try await center.notify(list) }
        let ours = #expect(throws: SuzuError.self) { _ = try spy.notify(list) }
        #expect(ours == real)
      }
      #expect(spy.shown.isEmpty)
      let doubled = [Category(id: "c", actions: []), Category(id: "c", actions: [])]
      let real = await #expect(throws: SuzuError.self) { try await center.setCategories(doubled) }
      let ours = #expect(throws: SuzuError.self) { try spy.setCategories(doubled) }
      #expect(ours == real)
    }
  }

  @Test func `Listings have the same keys`() async throws {
    try await Self.withCenter { center, spy in
      let requests = try [
        NotificationRequest(id: "weekly", title: "T", schedule: .every("Mon 07:30", from: "2030-01-01 00:00")) {
          $0.userInfo = ["a": .integer(1)]
        }
      ]
      try await center.notify(requests)
      try spy.notify(requests)
      let real = try await center.rows(of: .pending, limit: 10)
      #expect(try spy.rows(of: .pending, limit: 10).rows == real.rows && real.count == 1)
    }
  }
}
