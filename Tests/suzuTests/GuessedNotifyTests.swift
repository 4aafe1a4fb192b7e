// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import suzu

/// Tests that a command line without `notify` is answered with the whole command.
@Suite struct GuessedNotifyTests {
  @Test(arguments: [
    (["in", "5m", "Tea"], "suzu notify Tea --in 5m"), (["Tea", "in", "5m"], "suzu notify Tea --in 5m"),
    (["Tea is ready", "--in", "4m"], "suzu notify 'Tea is ready' --in 4m"),
    (["at", "8:00", "Tea"], "suzu notify Tea --at 8:00"), (["5m", "Tea"], "suzu notify Tea --in 5m"),
    (["Tea", "is", "ready", "in", "5", "minutes"], "suzu notify 'Tea is ready' --in 5m"),
    (["every", "15m", "Stretch"], "suzu notify Stretch --every 15m"),
    (["every", "Mon", "7:30", "Stretch"], "suzu notify Stretch --every 'Mon 7:30'"),
    // It was once at 9:00, with the title 'every day tea'.
    (["every", "day", "at", "9:00", "tea"], "suzu notify tea --every 9:00"),
    (["tomorrow", "8:00", "Tea"], "suzu notify Tea --at 'tomorrow 8:00'"),
    (["remind", "me", "in", "5", "Tea"], "suzu notify Tea --in 5m"),
    (["timer", "5m"], "suzu notify TITLE --in 5m"), (["Tea", "--in", "5"], "suzu notify Tea --in 5m"),
    (["--in", "5m", "Tea"], "suzu notify Tea --in 5m"), (["at", "10m", "Tea"], "suzu notify Tea --in 10m"),
    (["add", "Tea", "--in", "5m", "--style", "alert", "--wake"], "suzu notify Tea --in 5m --wake --style alert"),
    (["Tea"], nil), (["Tea", "Mon"], nil), (["Tea", "--style", "alert"], nil), (["Tea", "--in", "soon"], nil),
    (["Tea", "in", "China"], nil), ([], nil), (["42"], nil),
  ])
  func `The command is named`(words: [String], command: String?) {
    #expect(GuessedNotify(words)?.command == command)
  }

  @Test func `A title that begins with a dash stands behind two`() {
    #expect(CommandWords.command("notify", "-x", "--in 5m") == "suzu notify --in 5m -- -x")
    #expect(CommandWords.command("edit", "a b", "--in 5m") == "suzu edit 'a b' --in 5m")
  }
}
