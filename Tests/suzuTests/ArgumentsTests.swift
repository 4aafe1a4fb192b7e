// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import Testing

@testable import suzu

/// Tests parsing of command-line flags and words, and of the flags of `suzu notify`.
@Suite struct ArgumentsTests {
  static let flags = [
    Flag("number", letter: "n", "N", "many"), Flag("quiet", letter: "q", nil, "silent"), Flag("zone", "ZONE", "where"),
  ]

  static func read(_ words: String...) throws(CommandError) -> Arguments { try Arguments(words, flags: flags) }

  @Test(arguments: [
    ["-n", "5"], ["-n5"], ["--number", "5"], ["--number=5"], ["-n", "7", "-n5"], ["-qn5"], ["-qn", "5"],
  ])
  func `A letter is a short form of its flag`(words: [String]) throws {
    let arguments = try Arguments(words + ["word"], flags: Self.flags)
    #expect(try arguments.count("number") == 5)
    #expect(arguments.words == ["word"])
  }

  @Test func `Values may look like flags and words after two dashes are words`() throws {
    let arguments = try Self.read("-q", "--zone", "--number", "-", "--", "-n", "--quiet")
    #expect(arguments.has("quiet") && arguments.value("zone") == "--number")
    #expect(arguments.words == ["-", "-n", "--quiet"])
  }

  @Test(arguments: [
    (["-x"], "'-x' is not an option"), (["-qx"], "'-qx' is not an option"),
    (["-zone"], "'-zone' is not an option; did you mean '--zone'?"),
    (["-ZONE=1"], "'-ZONE' is not an option; did you mean '--zone'?"),
    (["- a text"], "'- a text' is not an option; put -- before a text that begins with a dash"),
    (["-n"], "'--number' needs a value: --number N"),
    (["--quiet=1"], "'--quiet' takes no value"),
    (["--numbr", "1"], "'--numbr' is not an option; did you mean '--number'?"),
  ])
  func `Unknown or misused flags are rejected`(words: [String], message: String) {
    let error = #expect(throws: CommandError.self) { try Arguments(words, flags: Self.flags) }
    #expect(error == .usage(message))
  }

  // MARK: notify

  static func words(_ words: String...) throws -> [String: PlainValue] {
    try NotifyCommand.words(Arguments(words, flags: NotifyCommand.flags))
  }

  @Test func `Flags map to the keys of a request`() throws {
    let words = try Self.words(
      "--at", "tomorrow 07:30", "--every", "Mon 07:30", "--rule", "FREQ=DAILY", "--match", "weekday=2,hour=7",
      "--repeat", "--zone", "Europe/Paris", "--from", "mon", "--until", "2027-01-01", "--count", "3", "--missed",
      "each",
      "--grace", "5m", "--wake", "--sound", "bell", "--badge", "0", "--thread", "t", "--markup", "--category",
      "im.received", "--in", "5m", "--progress", "half")
    #expect(
      words == [
        "at": .text("tomorrow 07:30"), "every": .text("Mon 07:30"), "rule": .text("FREQ=DAILY"),
        "match": .dictionary(["weekday": .integer(2), "hour": .integer(7)]), "repeat": .flag(true),
        "zone": .text("Europe/Paris"), "from": .text("mon"), "until": .text("2027-01-01"), "count": .integer(3),
        "missed": .text("each"), "grace": .text("5m"), "wake": .flag(true), "sound": .text("bell"),
        "badge": .integer(0), "thread": .text("t"), "markup": .flag(true), "category": .text("im.received"),
        "in": .text("5m"), "progress": .text("half"),
      ])
  }

  @Test func `A match may be given as JSON`() throws {
    #expect(try Self.words("--match", #" {"weekday": 2}"#)["match"] == .dictionary(["weekday": .integer(2)]))
    let error = #expect(throws: CommandError.self) { try Self.words("--match", #"{"weekday": }"#) }
    #expect(error == .data("'--match': line 1, column 13: a value is expected here"))
  }

  @Test func `A time in flags replaces only the time of the file`() {
    let file: [String: PlainValue] = [
      "title": .text("a"), "every": .text("1h"), "until": .text("mon"), "level": .text("active"),
    ]
    #expect(
      NotifyCommand.merge(file, ["at": .text("07:30"), "level": .text("passive")])
        == ["title": .text("a"), "at": .text("07:30"), "until": .text("mon"), "level": .text("passive")])
    #expect(NotifyCommand.merge(file, ["title": .text("b")])["every"] == .text("1h"))
  }
}
