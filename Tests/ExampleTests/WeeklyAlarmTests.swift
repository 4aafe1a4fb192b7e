// SPDX-License-Identifier: Apache-2.0
import Foundation
import Suzu
import TestSupport
import Testing

/// Runs `Examples/weekly-alarm`.
@Suite(.onOwnThread, .timeLimit(.minutes(2))) struct WeeklyAlarmTests {
  private static let app: AppID = "org.example.WeeklyAlarm"
  private static let zone = "Europe/Paris"
  private static let calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(identifier: zone) ?? .gmt
    return calendar
  }()

  private static func run(_ program: String, _ body: @Sendable (ExampleStage) async throws -> Void) async throws {
    try await ExampleStage.run("weekly-alarm", starting: program, variables: ["TZ": zone], body)
  }

  /// The next date on a weekday by Foundation's calendar, which shares no code with the center.
  private static func date(_ weekday: Int, _ hour: Int, _ minute: Int) throws -> Date {
    let parts = DateComponents(hour: hour, minute: minute, weekday: weekday)
    return try #require(calendar.nextDate(after: .now, matching: parts, matchingPolicy: .nextTime))
  }

  /// Compares what was computed before and after, because the time may have come in between.
  private static func check<Value: Equatable>(
    _ expected: () throws -> Value, _ seen: () async throws -> Value
  ) async throws {
    let before = try expected()
    let seen = try await seen()
    let after = try expected()
    #expect(seen == before || seen == after)
  }

  /// A time that comes in two seconds, and its weekday, as words; and the same a week later.
  private static func soon() throws -> (words: [String], weekLater: Date) {
    let date = Date(timeIntervalSince1970: (Date.now.timeIntervalSince1970 + 2).rounded(.up))
    let parts = calendar.dateComponents([.hour, .minute, .second, .weekday], from: date)
    let (hour, minute, second, weekday) = try (
      #require(parts.hour), #require(parts.minute), #require(parts.second), #require(parts.weekday)
    )
    return (
      ["\(hour):\(minute):\(second)", ["sun", "mon", "tue", "wed", "thu", "fri", "sat"][weekday - 1]],
      try #require(calendar.date(byAdding: .weekOfYear, value: 1, to: date))
    )
  }

  @Test func `One request rings on three weekdays, and OK opens the program, for ever`() async throws {
    try await Self.run("weekly-alarm") { stage in
      #expect(try stage.run("weekly-alarm") == "There is no alarm.\n")
      try await Self.check {
        [try [2, 3, 5].map { try Self.date($0, 7, 30) }.min()]
      } _: {
        #expect(try stage.run("weekly-alarm", "7:30").hasPrefix("The alarm rings on "))
        return try await stage.pending(Self.app).map { $0.value }
      }
      try await Self.check {
        [try [1, 7].map { try Self.date($0, 9, 15) }.min()]
      } _: {
        try stage.run("weekly-alarm", "09:15", "saturday", "Sun")
        return try await stage.pending(Self.app).map { $0.value }
      }
      let (words, weekLater) = try Self.soon()
      try stage.run("weekly-alarm", words[0], words[1])
      let popup = try await stage.server.popup(titled: "Good morning")
      #expect(popup.buttons == ["OK", "In five minutes"])
      try await stage.choose("OK", on: popup)
      #expect(stage.started.readLine()?.hasPrefix("The alarm rings on ") == true)
      #expect(try await stage.outcome() == .done)
      #expect(try await stage.pending(Self.app) == ["alarm": weekLater])
      #expect(try stage.run("weekly-alarm", "off") == "There is no alarm.\n")
    }
  }

  @Test func `With Apple's names, each weekday has a request, and OK starts the ended program`() async throws {
    try await Self.run("apple-weekly-alarm") { stage in
      try await Self.check {
        try ["alarm 2": Self.date(2, 7, 30), "alarm 3": Self.date(3, 7, 30), "alarm 5": Self.date(5, 7, 30)]
      } _: {
        #expect(try stage.run("apple-weekly-alarm", "7:30").hasPrefix("The alarm rings on "))
        return try await stage.pending(Self.app)
      }
      let (words, weekLater) = try Self.soon()
      let set = try stage.run("apple-weekly-alarm", words[0], words[1])
      #expect(try await stage.pending(Self.app).count == 1)
      try await stage.choose("OK", on: stage.server.popup(titled: "Good morning"))
      let lines = try #require(stage.started.readLines(until: "The alarm rings on "))
      #expect(lines.count == 1 && lines[0] + "\n" != set)
      #expect(try await stage.outcome() == .done)
      #expect(try await stage.pending(Self.app).values.map { $0 } == [weekLater])
    }
  }
}
