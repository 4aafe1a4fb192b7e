// SPDX-License-Identifier: Apache-2.0
import Foundation
import NotificationModel
import Testing

@testable import suzu

/// Tests the help texts and their examples.
@Suite struct HelpTests {
  @Test func `The help of a verb lists its flags, then examples`() {
    #expect(
      Verb.list.help == """
        suzu list: list requests that are not on the screen yet, the next one first
        Usage: suzu list [flags]

          --delivered    list the notifications on the screen instead
          --app APP      list only this app's requests
          --search TEXT  list only requests with this text in their id, title, subtitle or body
          -n, --limit N  list at most N requests
          --json         print an array of requests with 'next', 'due', 'missedDates', 'state', 'snoozed'

        Examples:
          suzu list
          suzu list --app org.example.Tea -n 10
          suzu list --search dentist
          suzu list --json | jq -r '.[] | select(.every) | .id'
        """)
    #expect(
      Verb.cancel.help == """
        suzu cancel: cancel requests that are not on the screen yet (status 65: no such request)
        Usage: suzu cancel ID…|TITLE…|--all [flags]

          --all      select all of the app's requests, and print how many
          --app APP  name the app that owns them (default: dev.suzu.Suzu)

        With a request that repeats, the copy that a button has postponed (ID.snoozed) is cancelled, too. If one of several
        is unknown, the others are still cancelled, and the error says how many were. A notification that is shown
        again until it is answered stays on the screen, and does not come again.

        Examples:
          suzu cancel tea
          suzu cancel 'Tea is ready'                    (if one pending request has this title)
          suzu cancel --all --app org.example.Tea
          suzu list --app org.example.Tea --json | jq -r '.[].id' | xargs suzu cancel --app org.example.Tea --
        """)
    #expect(
      Verb.next.help == """
        suzu next: preview the next dates of a schedule or of a request
        Usage: suzu next EXPRESSION|ID|TITLE [flags]

          -n, --number N  print N dates (default: 5)
          --match PARTS   preview the dates with these parts: weekday=2,hour=7 (1 is Sunday); or JSON
          --zone ZONE     read the times in this zone, such as Europe/Paris, not in the machine's
          --from TIME     start at this time; a rule begins there
          --until TIME    end at this time; a date includes that whole day
          --count N       end after N dates, as 'notify --count' does
          --app APP       read the word as the id of this app's request (without it, an id of dev.suzu.Suzu)
          --json          print an array of {"at": local time, "utc": …, "note": the effect of daylight saving}

        A word that can be a schedule is one: if a request has the id 'daily', 'suzu next daily' still shows the schedule,
        and says so; 'suzu next daily --app dev.suzu.Suzu' shows the request.

        Examples:
          suzu next 'Mon,Tue,Thu 07:30'
          suzu next 02:30 --zone Europe/Paris --from 2027-03-27
          suzu next 'FREQ=MONTHLY;BYDAY=-1FR' --from '2027-01-01 17:00' -n 12
          suzu next 'tomorrow 7:30'
          suzu next 15m --json
          suzu next --match weekday=6,hour=17 --until 2027-03-31
          suzu next alarm -n 3                     (of the pending request 'alarm')
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

  // Fifty flags stood in one list, whose lines had up to 120 columns.
  @Test func `The flags of notify are in groups, and each fits a line of 80 columns`() {
    let page = Verb.notify.help.components(separatedBy: "\nExamples:")[0]
    #expect(page.contains("\nWhen (without any of these: at once):\n  --in DURATION "))
    #expect(page.components(separatedBy: ":\n  ").count == 8)
    for line in page.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
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
        .summaryName: "summary-name", .summaryCount: "summary-count",
      ]
      let name = names[key] ?? key.rawValue
      if let name { #expect(flags.contains(name), "\(key)") }
    }
  }
}
