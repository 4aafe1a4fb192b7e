// SPDX-License-Identifier: Apache-2.0
public import NotificationModel
import Suzu
import Testing

@testable import suzu

/// Tests which values of a stored request `suzu edit` keeps.
@Suite struct EditCommandTests {
  private static func row(_ words: [String: PlainValue]) -> Listed {
    Listed(
      ["app": "a", "id": "x", "title": "T", "state": "pending", "next": "2027-01-02T07:30:00+01:00"].merging(words) {
        $1
      })
  }

  private static func merged(
    _ words: [String: PlainValue], _ changes: [String: PlainValue], isPending: Bool = true
  ) throws -> [String: PlainValue] {
    try EditCommand.merge(row(words), changes, isPending: isPending)
  }

  private static let kept: [String: PlainValue] = ["app": "a", "id": "x", "title": "T"]

  @Test func `What is not changed stays`() throws {
    let words: [String: PlainValue] = [
      "body": "B", "every": "Mon 07:30", "from": "2026-01-01T00:00:00Z", "missed": "skip",
    ]
    #expect(try Self.merged(words, ["body": "C"]) == Self.kept.merging(words) { $1 }.merging(["body": "C"]) { $1 })
  }

  @Test func `The id stays, also with a hint that stands for one`() throws {
    let words = ["x", "--hint", "string:x-dunst-stack-tag:y"]
    #expect(try EditCommand(Arguments(words, flags: Verb.edit.flags)).changes["id"] == nil)
  }

  @Test func `A delay keeps its date`() throws {
    #expect(
      try Self.merged(["in": "1h"], ["body": "C"])
        == Self.kept.merging(["at": "2027-01-02T07:30:00+01:00", "body": "C"]) { $1 })
    #expect(try Self.merged(["in": "1h"], ["in": "2h"]) == Self.kept.merging(["in": "2h"]) { $1 })
  }

  // `--at 8:00` once moved an appointment to tomorrow.
  @Test func `A time without a day keeps the day`() throws {
    for (old, new) in [
      ("2035-06-14 07:30:00", "2035-06-14 8:00"), ("2035-06-14T07:30:00+02:00", "2035-06-14 8:00"),
      ("in 2 days", "2027-01-02 8:00"),
    ] {
      #expect(
        try Self.merged(["at": .text(old), "zone": "Europe/Paris"], ["at": "8:00"])
          == Self.kept.merging(["at": .text(new), "zone": "Europe/Paris"]) { $1 })
    }
    #expect(try Self.merged(["in": "1h"], ["at": "5pm"]) == Self.kept.merging(["at": "2027-01-02 5pm"]) { $1 })
    for time in ["tomorrow 8:00", "mon 8:00", "2035-06-15 08:00", "2035-06-15", "in 10m", "2035-06-15T08:00:00Z"] {
      #expect(
        try Self.merged(["at": "2035-06-14 07:30:00"], ["at": .text(time)])
          == Self.kept.merging(["at": .text(time)]) { $1 })
    }
  }

  @Test func `Another date replaces the old one and its start`() throws {
    #expect(
      try Self.merged(
        ["every": "Mon 07:30", "from": "2026-01-01T00:00:00Z", "count": .integer(3)], ["every": "Mon 08:00"])
        == Self.kept.merging(["every": "Mon 08:00", "count": .integer(3)]) { $1 })
    #expect(
      try Self.merged(["at": "2027-01-02 07:30:00"], ["every": "1h"]) == Self.kept.merging(["every": "1h"]) { $1 })
  }

  @Test(
    arguments: [["every": "Mon 07:30"], ["rule": "FREQ=DAILY"], ["in": "1h", "repeat": .flag(true)]]
      as [[String: PlainValue]])
  func `A request that repeats does not become a single one`(words: [String: PlainValue]) {
    let error = #expect(throws: CommandError.self) { try Self.merged(words, ["at": "08:00"]) }
    #expect(error?.message.contains("'x' repeats") == true)
  }

  @Test func `What is on the screen is shown again at once, or at a new date`() throws {
    let words: [String: PlainValue] = [
      "every": "Mon 07:30", "count": .integer(3), "state": "delivered", "missedDates": .integer(2),
      "shown": "2027-01-02T07:30:00Z",
    ]
    #expect(try Self.merged(words, ["body": "C"], isPending: false) == Self.kept.merging(["body": "C"]) { $1 })
    #expect(try Self.merged(words, ["at": "09:00"], isPending: false) == Self.kept.merging(["at": "09:00"]) { $1 })
  }
}

extension PlainValue: ExpressibleByStringLiteral {
  /// A text in a test.
  public init(stringLiteral text: String) { self = .text(text) }
}
