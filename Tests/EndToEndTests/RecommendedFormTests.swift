// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Tests that every form that an error recommends is accepted when it is typed.
@Suite(.onOwnThread, .timeLimit(.minutes(5)))
struct RecommendedFormTests {
  private static let mistakes: [[String]] =
    [
      ["--at", "2035-01-04 09:00 +1"], ["--at", "2035-01-04T09:00+0100"], ["--at", "2035-01-04 09:00 GMT+1"],
      ["--at", "4 jan 2035 09:00 +1"], ["--at", "8:00 EST"], ["--at", "now + 5 minutes"], ["--at", "in 5"],
      ["--at", "5 minutes from now"], ["--at", "in ten minutes"], ["--at", "+2h"], ["--at", "24/12 18:00"],
      ["--at", "3/4 18:00"], ["--at", "730"], ["--at", "7h30"], ["--at", "7:3"], ["--at", "30 7 * * 1 /bin/foo"],
      ["--at", "half past seven"], ["--at", "every monday 9:00"], ["--at", "tomorow 7:30"],
      ["--in", "5"], ["--in", "in 5m"], ["--in", "PT15M"], ["--in", "5 minuten"], ["--in", "7:30"], ["--in", "4mi"],
      ["--every", "4"], ["--every", "P1D"], ["--every", "weekly monday 9:00"], ["--every", "Mon noon"],
      ["--every", "Mon 7:30, Tue 8:00"], ["--every", "Mon morning"], ["--every", "9:00-17:00"],
      ["--every", "08:00,12:00,18:00"], ["--every", "22:00-6:00"], ["--every", "31 7:30"], ["--every", "3 months"],
      ["--every", "every 2 weeks on mon 9:00"], ["--every", "24/12 18:00"], ["--every", "3/4 18:00"],
      ["--every", "Mon,Tue 0730"], ["--every", "30 7 * * 1 /usr/bin/foo"], ["--every", "*/15"],
      ["--every", "last friday"],
      ["--every", "24 dec 18:00"], ["--every", "hour=8"], ["--every", "Mon,Tue", "--at", "7:30"],
      ["--rule", "FREQ=DAILY;BYHOUR=16:00"], ["--rule", "FREQ=DAILY;BYHOUR=9:30"],
      ["--rule", "FREQ=MONTHLY;BYDAY=LASTFR"], ["--rule", "LASTFR"], ["--rule", "WEEKLY;BYDAY=MO"],
      ["--rule", "FREQ=DAILY;TZID=Europe/Paris"], ["--rule", "FREQ=DAILY;DTSTART=20350104T090000"],
      ["--rule", "30 7 * * 1"], ["--rule", "last friday 16:00"], ["--rule", "every monday 9:00"], ["--rule", "8:00"],
      ["--match", "hour=7:30"], ["--match", "hour=7 minute=30"], ["--match", "weekday=Mon,hour=7:30"],
      ["--match", "weekday=mon-fri,hour=7"], ["--match", "Mon 7:30"], ["--at", "8:00", "--zone", "GMT+2"],
      ["Body", "in", "4m"], ["--at", "tomorrow", "7:30", "Tea"],
    ].map { ["notify", "T"] + $0 } + [
      ["edit", "pause", "--in", "5"], ["edit", "pause", "--in", "ten minutes"], ["edit", "-dash", "--every", "2h"],
      ["edit", "--in", "5", "--", "-dash"], ["edit", "mon", "--at", "8:00"], ["edit", "tonight", "--at", "0:00"],
      ["edit", "match", "--at", "8:00"], ["edit", "match", "--every", "8:00"], ["edit", "rule", "--at", "8:00"],
      ["edit", "rule", "--every", "8:00"], ["edit", "again", "--every", "Tue"], ["edit", "pause", "--every", "Tue"],
      ["in", "5m", "Tea"], ["Tea", "in", "5m"], ["Tea is ready", "--in", "4m"], ["at", "8:00", "Tea"],
      ["remind", "me", "in", "5", "Tea"], ["edit", "-dash", "New", "--every", "2h"], ["cancel", "-dash"],
      ["show", "-dash"], ["dismiss", "all"],
      ["next", "now + 5 minutes"], ["next", "08:00,12:00"], ["next", "30 7 * * 1 /usr/bin/foo"],
    ]

  @Test func `What an error recommends is accepted`() throws {
    let session = try Session()
    for words in [
      ["pause", "--every", "15m"], ["mon", "--every", "Mon 07:30"], ["again", "--in", "15m", "--repeat"],
      ["rule", "--rule", "FREQ=WEEKLY;BYDAY=MO;BYHOUR=9"], ["match", "--match", "weekday=2,hour=7", "--repeat"],
      ["tonight", "--at", "today 23:59:59"],
    ] {
      #expect(try session.suzu(["notify", words[0], "--id"] + words).status == 0)
    }
    for mistake in Self.mistakes {
      #expect(try session.suzu("notify", "--id=-dash", "--every", "1h", "--", "-dash").status == 0)
      let refused = try session.suzu(mistake)
      // '8,12:00' for a list that is accepted with a warning.
      let isWarning = refused.status == 0 && refused.errors.contains("warning")
      #expect([1, 64, 65].contains(refused.status) || isWarning, "\(mistake): \(refused.status) \(refused.errors)")
      let commands = Recommendations(refused.errors, of: mistake).commands
      #expect(!commands.isEmpty, "\(mistake): \(refused.errors)")
      for command in commands {
        let ended = try session.suzu(command)
        #expect(ended.status == 0, "\(mistake) → \(command): \(ended.errors)")
      }
    }
  }
}

/// The command lines that an error message tells the user to type.
private struct Recommendations {
  private(set) var commands: [[String]] = []

  init(_ message: String, of typed: [String]) {
    let message = message.replacing("\n", with: "").replacing("city's", with: "city").replacing(
      ", or write ", with: "; ")
    for (index, part) in message.split(separator: "; ").map(String.init).enumerated() {
      // The problem comes first; it may end with the remedy.
      if index == 0, !part.contains(": write '"), !part.contains("use --") { continue }
      if part.hasPrefix("see '") || part.contains("runs the command at a click") { continue }
      if let range = part.firstRange(of: "suzu "), index > 0 {
        let line = part[range.lowerBound...]
        let isQuoted = part[..<range.lowerBound].hasSuffix("'")
        commands.append(Array(Self.words(String(isQuoted ? line.dropLast() : line)).dropFirst()))
      } else if part.contains("--") {
        add(flags: part, typed)
      } else {
        add(values: part, typed)
      }
    }
  }

  /// `use --every 'Mon 07:30'`: flags with their values.
  private mutating func add(flags part: String, _ typed: [String]) {
    var flags: [String] = []
    for match in part.matches(of: /--(in|at|every|rule|match|zone|from) ('[^']*'|[^ ',;?]+)/) {
      flags += ["--\(match.output.1)", String(match.output.2).replacing("'", with: "")]
    }
    guard let first = flags.first else { return }
    if first == "--zone" { flags += ["--at", "8:00"] }
    if first == "--from" { flags += ["--rule", "FREQ=DAILY"] }
    let head = typed[0] == "edit" ? Array(typed.prefix(2)) : ["notify", "T"]
    commands.append(head + flags)
  }

  /// `write '07:03' or '07:30'`: values of the flag that was typed last.
  private mutating func add(values part: String, _ typed: [String]) {
    let isAdvice = ["write", "did you mean", "make a request", "for example", "for these times", "use the rule"]
      .contains(where: part.hasPrefix)
    guard isAdvice || part.contains("write '") else { return }
    let start = part.firstRange(of: "write '")?.lowerBound ?? part.startIndex
    for match in part[start...].matches(of: /'([^']+)'/) {
      var value = String(match.output.1)
      if value.hasPrefix("BY") { value = "FREQ=YEARLY;" + value }
      commands.append(typed.dropLast() + [value])
    }
  }

  /// Splits a line as a shell does that knows only single quotes.
  private static func words(_ line: String) -> [String] {
    var (words, isOpen, word) = ([String](), false, "")
    for character in line {
      if character == "'" {
        isOpen.toggle()
      } else if character == " ", !isOpen {
        words.append(word)
        word = ""
      } else {
        word.append(character)
      }
    }
    return words + [word]
  }
}
