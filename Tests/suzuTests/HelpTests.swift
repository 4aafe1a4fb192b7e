// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import Testing

@testable import suzu

/// Tests the help texts and their examples.
@Suite struct HelpTests {
  @Test func `The help of a verb lists its flags, then examples`() {
    #expect(
      Verb.list.help == """
        suzu list: list what is to come, the next first
        Usage: suzu list [flags]

          --delivered    what is on the screen instead
          --app APP      of one app only; else of all
          -n, --limit N  so many at most
          --json         an array of requests, with 'next', 'due', 'state', 'outcome', 'missed'

        Examples:
          suzu list
          suzu list --app org.example.Tea -n 10
          suzu list --json | jq -r '.[] | select(.every) | .id'
        """)
    #expect(
      Verb.cancel.help == """
        suzu cancel: take back what is not on the screen yet (status 65: it is not there)
        Usage: suzu cancel ID…|--all [flags]

          --all      all of the app's; prints how many there were
          --app APP  whose they are (dev.suzu.Suzu, as of 'suzu notify')

        Examples:
          suzu cancel tea
          suzu cancel --all --app org.example.Tea
          suzu list --app org.example.Tea --json | jq -r '.[].id' | xargs suzu cancel --app org.example.Tea --
        """)
    #expect(
      Verb.next.help == """
        suzu next: say when a time comes, before anything is asked for
        Usage: suzu next EXPRESSION [flags]

          -n, --number N  how many dates (5)
          --zone ZONE     where it is meant, as Europe/Paris; else where this machine is
          --from TIME     the dates from then on; a rule starts there
          --json          an array of {"at": local time, "utc": …, "note": what daylight saving does to it}

        Examples:
          suzu next 'Mon,Tue,Thu 07:30'
          suzu next 02:30 --zone Europe/Paris --from 2027-03-27
          suzu next 'FREQ=MONTHLY;BYDAY=-1FR' --from '2027-01-01 17:00' -n 12
          suzu next 'tomorrow 7:30'
          suzu next 15m --json
        """)
  }

  @Test(arguments: Command.verbs.map(\.name))
  func `Every verb has valid examples and lines that fit`(name: String) throws {
    let verb = try #require(Command.verbs.first { $0.name == name })
    #expect(verb.examples.count >= 2 && verb.examples.allSatisfy { $0.contains("suzu \(name)") })
    for example in verb.examples {
      let words = Self.words(of: example)
      #expect(throws: Never.self, "\(example)") { try Arguments(words, flags: verb.flags) }
    }
    for line in verb.help.split(separator: "\n") where !line.contains("suzu ") { #expect(line.count <= 120, "\(line)") }
  }

  /// Splits the words after the verb as a shell would, up to a pipe or a remark in parentheses.
  private static func words(of example: String) -> [String] {
    var words: [String] = []
    var word: String?
    var isQuoted = false
    for character in example.split(separator: "suzu ", maxSplits: 1).last ?? "" {
      switch character {
      case "'":
        isQuoted.toggle()
        word = word ?? ""
      case "|" where !isQuoted, "(" where !isQuoted: return Array(words.dropFirst())
      case " " where !isQuoted:
        if let word { words.append(word) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    return Array((words + [word].compactMap(\.self)).dropFirst())
  }

  @Test func `Every key of a request is a flag of notify, or its title or body`() {
    let flags = Set(NotifyCommand.flags.map(\.name))
    for key in NotificationRequest.Key.allCases {
      let names: [NotificationRequest.Key: String?] = [
        .title: nil, .body: nil, .actions: "action", .hints: "hint", .userInfo: "user-info", .appName: "app-name",
      ]
      let name = names[key] ?? key.rawValue
      if let name { #expect(flags.contains(name), "\(key)") }
    }
  }
}
