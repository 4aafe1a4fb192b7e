// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests invalid input in every place, closed pipes, full disks, narrow terminals and interrupts: each gives one clear
/// line and the right status, and has no partial effect.
@Suite(.onOwnThread, .timeLimit(.minutes(5)))
struct BadInputTests {
  private static func run(
    _ session: Session, _ arguments: [String], input: String = ""
  ) throws -> (status: Int32, output: String, errors: String) {
    try RunningProgram.run(
      Session.programs + "/suzu", arguments, environment: session.environment, input: input)
  }

  /// The verbs in the help, and those flags of each that take a value.
  private static func verbs(_ session: Session) throws -> [(name: String, flags: [String])] {
    let listed = try run(session, ["--help"]).output.split(separator: "\n").filter { $0.hasPrefix("  suzu ") }
    return try listed.map { line in
      let name = String(line.split(separator: " ")[1])
      let help = try run(session, [name, "--help"]).output
      return (name, help.matches(of: /\n  (?:-., )?--([a-z-]+) [^ ]/).map { String($0.1) })
    }
  }

  private static let nonsense = [
    "", " ", "\n", "a\nb", "-1", "99999999999999999999", "💥", "\u{1B}[31mred", "\u{202E}", "=", "a=", "::", "{", "%s%n",
    "../../..", String(repeating: "x", count: 60_000),
  ]

  /// The other arguments that each verb needs before it reads the flag.
  private static let words: [String: [String]] = [
    "notify": ["T", "--id", "i", "--in", "1h"], "notify-send": ["T", "--in", "1h"], "cancel": ["x"], "dismiss": ["x"],
    "respond": ["x", "y"], "category": ["set", "c", "--action", "a=A"], "next": ["Mon 07:30"],
  ]

  private static func statuses(_ verb: String, _ flag: String) -> [Int32] {
    switch (verb, flag) {
    // notify-send has one status for all mistakes.
    case ("notify-send", _), (_, "replace-id"): [0, 1, 64, 65, 66]
    // An agent takes 2 as a denial, and goes on after every other error.
    case ("ask", "hook"): [2]
    default: [0, 64, 65, 66]
    }
  }

  @Test func `Nonsense behind any flag is accepted or refused in one line`() throws {
    let session = try Session()
    var count = 0
    for (verb, flags) in try Self.verbs(session) {
      for flag in flags where !(verb == "notify-send" && flag == "action") {
        for value in Self.nonsense {
          // A flag may be given only once.
          var words = Self.words[verb] ?? []
          if let index = words.firstIndex(of: "--\(flag)"), flag != "action" { words.removeSubrange(index...index + 1) }
          let ended = try Self.run(session, [verb] + words + ["--\(flag)=\(value)"])
          count += 1
          let what: Comment =
            "\(verb) --\(flag) \(value.debugDescription.prefix(40)): \(ended.status) \(ended.errors.prefix(300))"
          #expect(Self.statuses(verb, flag).contains(ended.status), what)
          #expect(ended.errors.count { $0 == "\n" } == (ended.status == 0 ? ended.errors.isEmpty ? 0 : 1 : 1), what)
          #expect(!ended.errors.contains("\u{1B}") && !ended.errors.contains("\u{202E}"), what)
          #expect(ended.errors.utf8.count < 5_000, what)
          if ended.status != 0 { #expect(ended.output == "" && ended.errors.hasPrefix("suzu: \(verb): "), what) }
        }
      }
    }
    #expect(count > 600)
  }

  @Test(
    arguments: [
      (["cancel", "a\nb"], 65, "no pending request is called 'a b' (app dev.suzu.Suzu)"),
      (["dismiss", "\u{1B}[2J"], 65, "no notification on the screen is called '' (app dev.suzu.Suzu)"),
      (["notify", "T", "--id", "a\nb"], 65, "'--id' must not contain control characters"),
      (["notify", "T", "--id", ""], 65, "'--id' must not be empty"),
      (
        ["notify", "T", "--id", String(repeating: "x", count: 300)], 65,
        "'--id' must have at most 255 bytes, not 300"
      ),
      (["status"], 64, "'status' is not a command; use 'suzu list' for what is scheduled, and 'suzu doctor' for"),
      (["notify", "T", "--grace", "5m"], 65, "'--grace' needs a date; for example '--at 07:30'\n"),
      (
        ["launcher", "import", "/etc/hostname"], 65,
        "/etc/hostname is no property list, which 'suzu launcher import' reads"
      ),
      (["apps", "allow", "a b"], 65, "'a b' must be a desktop-entry id"),
      (["notify", "T", "--app", "\u{7}"], 65, "'--app' must not contain control characters"),
      (["notify", "T", "--at", "soon"], 65, "'--at': 'soon' is not a date or time"),
      (["notify", "T", "--at", "2001-01-01 00:00"], 65, "'--at'"),
      (["notify", "T", "--in", "5m", "--at", "07:30"], 65, "'--at'"),
      (["notify", "T", "--zone", "Mars/Base", "--at", "07:30"], 65, "'--zone': 'Mars/Base': unknown time zone"),
      (["notify", "T", "--category", "nobodys"], 65, "'--category' names 'nobodys', which is not registered"),
      (["notify", "T", "--file", "/no/such"], 66, "/no/such: No such file or directory"),
      (["category", "set", "--file", "/no/such"], 66, "/no/such: No such file or directory"),
      (["category", "show", "nobodys"], 65, "no category is called 'nobodys' (app dev.suzu.Suzu)"),
      (["category", "add"], 64, "'add' is not one of list, show, set, remove and check; did you mean 'set'?"),
      (["category", "lst"], 64, "'lst' is not one of list, show, set, remove and check; did you mean 'list'?"),
      (["category"], 64, "no command given; use list, show, set, remove or check"),
      (
        ["apps", "dney", "x"], 64,
        "'dney' is not one of list, allow, deny, deliver, away, previews and reset; did you mean 'deny'?"
      ),
      (
        ["apps", "deny", "x", "sounds"], 64,
        "'sounds' is not one of alert, badge, sound, places, networks; did you mean 'sound'?"
      ),
      (
        ["next", "8:00", "--zone", "CEST"], 65,
        "'--zone': 'CEST' is an abbreviation; write a city's zone, such as Europe/Berlin\n"
      ),
      (
        ["notify", "T", "--at", "8:00", "--zone", "cest"], 65,
        "'--zone': 'cest' is an abbreviation; write a city's zone, such as Europe/Berlin\n"
      ),
      (["notify", "T", "--at", "25:00"], 65, "'--at': '25:00' is not a time: the hour must be 0 to 23\n"),
      (
        ["notify", "T", "--action", "Yes", "--run", "Yes=true"], 64,
        "the button 'Yes' has no id; write --action yes=Yes;"
      ),
      (
        ["notify", "T", "--in", "10m", "--every", "5m"], 65,
        "'--in' and '--every' cannot be combined; --every 5m alone begins after 5m; for another beginning, write --from "
          + "'in 10m' instead of --in\n"
      ),
      (
        ["notify", "T", "--at", "8:00", "--rule", "FREQ=DAILY"], 65,
        "'--at' and '--rule' cannot be combined; for a repetition that begins then, write --from 8:00 instead of --at\n"
      ),
      (
        ["notify", "T", "--every", "5m", "--rule", "FREQ=DAILY"], 65,
        "'--every' and '--rule' cannot be combined; give one"
      ),
      (["notify", "T", "-u", "high"], 65, "must be low, normal or critical; did you mean 'critical'?"),
      (
        ["notify", "T", "--every", "every other day"], 65,
        "'--every': 'every other day' needs a rule; use --rule 'FREQ=DAILY;INTERVAL=2;BYHOUR=9'\n"
      ),
      (
        ["notify", "T", "--at", "half past seven"], 65,
        "'--at': 'half past seven' is not a time; write '07:30' or '19:30'\n"
      ),
      (["notify", "T", "--at", "next week"], 65, "'next week' names no day; write 'next mon 09:00' or 'in 1w'\n"),
      (
        ["history", "--since", "last week"], 65,
        "'--since last week' names no day; write 7d for the days up to now, or a date such as 2026-11-21\n"
      ),
      (["next", "Mon 25:00"], 65, "25 is not a valid hour (0 to 23)"),
      (["next", "15m", "--zone", "Nowhere"], 65, "unknown time zone"),
      (["respond", "x", "y"], 65, "'dev.suzu.Suzu' has no notification 'x' on the screen"),
    ] as [([String], Int32, String)])
  func `A wrong argument gives an error that names it`(arguments: [String], status: Int32, problem: String) throws {
    let ended = try Self.run(try Session(), arguments)
    #expect(ended.status == status && ended.output == "")
    let start = arguments[0] == "status" ? "suzu: " : "suzu: \(arguments[0]): "
    #expect(ended.errors.hasPrefix(start) && ended.errors.contains(problem), "\(ended.errors)")
    #expect(ended.errors.count { $0 == "\n" } == 1, "\(ended.errors)")
  }

  // It said that a <plist> was expected, and that an alarm for later was not on the screen.
  @Test func `Foreign XML, and a button of a request that is not shown yet, are named as what they are`() throws {
    let session = try Session()
    let file = try session.folder.write("<?xml version=\"1.0\"?>\n<html/>\n", to: "page.xml")
    for words in [["import", file], ["notify", "--file", file]] {
      let ended = try Self.run(session, words)
      let why = "this XML is no property list: it begins with <html> instead of <plist>"
      #expect(ended.errors == "suzu: \(words[0]): \(file), line 2, column 1: \(why)\n" && ended.status == 65)
    }
    #expect(
      try Self.run(session, ["notify", "Dentist", "--id", "d", "--at", "2035-06-14 8:00", "--action", "ok=OK"])
        .status == 0)
    for name in ["d", "Dentist"] {
      let ended = try Self.run(session, ["respond", name, "ok"])
      #expect(
        ended.errors == "suzu: respond: '\(name)' is scheduled for Thu 2035-06-14 08:00 and not shown yet\n"
          && ended.status == 65)
    }
  }

  @Test func `A missing picture gives a warning, and the text is shown`() throws {
    let session = try Session()
    let sent = try Self.run(session, ["notify", "T", "--id", "t", "--in", "1h", "--image", "./none.png"])
    #expect(sent.status == 0 && sent.output == "t\n")
    #expect(sent.errors.hasSuffix("/none.png: No such file or directory; shown without the image\n"))
    let listed = try Self.run(session, ["list", "--json"]).output
    #expect(listed.contains("/none.png\"") && !listed.contains("\"./none.png\""), "\(listed)")
  }

  // MARK: Outputs

  private static let printing = [
    ["--help"], ["notify", "--help"], ["notify", "T", "--in", "1h"], ["list"], ["list", "--json"],
    ["history", "--json"],
    ["category", "list", "--json"], ["apps", "--json"], ["next", "15m"], ["doctor"],
  ]

  @Test(arguments: printing)
  func `A closed standard output ends the command quietly by SIGPIPE`(arguments: [String]) throws {
    let session = try Session()
    #expect(try Self.run(session, ["notify", "T", "--in", "1h"]).status == 0)
    // The pipe has no reader from the beginning.
    let words = arguments.map { "'\($0)'" }.joined(separator: " ")
    let ended = try session.run(
      "/bin/bash", "-c", "exec {end}> >(exec true); wait $!; '\(Session.programs)/suzu' \(words) >&$end; echo $?")
    #expect(ended.output == "141\n" && ended.errors == "", "\(ended.output)\(ended.errors)")
  }

  @Test(arguments: printing)
  func `A write error on standard output is reported`(arguments: [String]) throws {
    let session = try Session()
    #expect(try Self.run(session, ["notify", "T", "--in", "1h"]).status == 0)
    let words = arguments.map { "'\($0)'" }.joined(separator: " ")
    let ended = try session.run("/bin/bash", "-c", "'\(Session.programs)/suzu' \(words) >/dev/full")
    #expect(ended.status == 74 && ended.errors == "suzu: standard output: No space left on device\n", "\(ended.errors)")
  }

  @Test func `SIGINT ends the command with status 130`() throws {
    let session = try Session()
    #expect(try Self.run(session, ["notify", "T", "--in", "1h"]).status == 0)
    let watch = try session.startWatch("--json")
    let popups = try session.start("popups")
    #expect(try Self.run(session, ["notify", "Now"]).status == 0)
    #expect(watch.readLine() != nil)
    watch.signal(SIGINT)
    #expect(watch.waitForExit() == 130 && watch.errors == "")
    #expect(popups.isRunning)
  }

  // MARK: Terminals

  private static let canMakeTerminals = FileManager.default.fileExists(atPath: "/dev/pts/ptmx")

  /// `script` provides a terminal, and passes on both outputs.
  private static func onTerminal(
    _ session: Session, _ command: String, columns: Int = 20, _ variables: String = "TERM=xterm"
  ) throws -> String {
    let ended = try session.run(
      "/usr/bin/script", "-qec", "stty cols \(columns); \(variables) '\(Session.programs)/suzu' \(command)", "/dev/null"
    )
    return ended.output
  }

  @Test(.enabled(if: canMakeTerminals, "no pseudo-terminals here: is /dev/pts mounted, as in a chroot it may not be?"))
  func `No line is wider than a terminal of 20 columns`() throws {
    let session = try Session()
    let request = #"[{"title": "とても長いタイトルです", "in": "1h", "id": "ながい名前の"}, {"title": "Short", "every": "1d"}]"#
    #expect(try Self.run(session, ["notify", "--file", "-"], input: request).status == 0)
    #expect(try Self.run(session, ["category", "set", "invitation-to-something", "--action", "a=A"]).status == 0)
    for command in ["list", "history", "category list", "next 'Mon 07:30'", "list --help", "--help"] {
      for line in try Self.onTerminal(session, command, "TERM=dumb").split(whereSeparator: \.isNewline) {
        // Wide characters are counted twice.
        let width = line.unicodeScalars.reduce(0) { $0 + ($1.value > 0x2E80 ? 2 : 1) }
        #expect(width <= 20, "\(command): \(line)")
      }
    }
  }

  @Test(.enabled(if: canMakeTerminals, "no pseudo-terminals here: is /dev/pts mounted, as in a chroot it may not be?"))
  func `Color needs a capable terminal and no NO_COLOR`() throws {
    let session = try Session()
    #expect(try Self.run(session, ["notify", "T", "--in", "1h"]).status == 0)
    for command in ["doctor", "list", "next 15m"] {
      func isColoured(_ variables: String) throws -> Bool {
        try Self.onTerminal(session, command, columns: 100, variables).contains("\u{1B}[")
      }
      #expect(try isColoured("TERM=xterm"))
      #expect(try !isColoured("TERM=xterm NO_COLOR=1") && !isColoured("TERM=dumb") && !isColoured("TERM="))
      #expect(try !Self.run(session, command.split(separator: " ").map(String.init)).output.contains("\u{1B}"))
    }
  }
}
