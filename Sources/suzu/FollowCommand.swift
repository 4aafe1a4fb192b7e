// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import EventLoop
internal import Glibc
internal import NotificationModel
internal import SystemFiles

extension Verb {
  static let follow = Verb(
    name: "follow", synopsis: "[FILE|FOLDER…] [flags]",
    summary: "schedule the alarms of calendars, and follow changes of their files",
    flags: [
      Flag("list", nil, "list the followed calendars (without a path, this is the default)"),
      Flag("stop", nil, "stop following these calendars, and cancel what is pending of them"),
      Flag(
        "app", "APP", completing: .apps,
        "name the app that owns the requests (default: \(NotificationRequest.defaultApp))"),
      Flag(
        "skip", nil, "skip invalid alarms, and those that a request cannot express; without it, their file is refused"
      ),
      Flag("trust", nil, "allow buttons that run programs, in a calendar that 'suzu export' wrote"),
      Flag("json", nil, "print an array of objects with 'path', 'app', 'skip', 'trust', 'alarms', 'problems'"),
    ],
    words: [.file],
    notes: [
      "FOLDER has one .ics file for each event, or folders of such files, as vdirsyncer and khal keep them.",
      "What you cancel stays away until its time changes in the calendar.",
    ],
    examples: [
      "suzu follow ~/.calendars --skip", "suzu follow ~/calendar.ics", "suzu follow --stop ~/calendar.ics",
    ]
  ) { arguments, loop in
    try await FollowCommand(arguments).run(on: loop)
  }
}

/// `suzu follow`: starts and stops following calendars, and lists those that are followed.
struct FollowCommand {
  private let arguments: Arguments
  private let paths: [String]

  init(_ arguments: Arguments) throws(CommandError) {
    if arguments.words.contains("") { throw .data("a path is empty") }
    self.arguments = arguments
    paths = arguments.words.map(Self.absolute)
    let (lists, stops) = (arguments.has("list"), arguments.has("stop"))
    if lists && stops { throw .usage("'--list' and '--stop' cannot be combined") }
    if lists, let word = arguments.words.first {
      throw .usage("unexpected argument '\(PrintableText.line(word, atMost: 60))' with '--list'")
    }
    if stops && paths.isEmpty { throw .usage("no calendar given; see 'suzu follow --list'") }
    if stops || paths.isEmpty {
      for name in ["app", "skip", "trust"] where arguments.has(name) || arguments.value(name) != nil {
        throw .usage("'--\(name)' needs a file or folder to follow")
      }
    }
    if arguments.has("json") && !paths.isEmpty { throw .usage("'--json' is for the list") }
  }

  func run(on loop: EventLoop) async throws -> Int32 {
    let center = try await Center.connect(on: loop)
    if paths.isEmpty {
      list(try await center.followedCalendars())
    } else if arguments.has("stop") {
      for path in paths { try await stop(path, center) }
    } else {
      for path in paths { try Self.checkReadable(path) }
      for path in paths { try await follow(path, center) }
    }
    return EX_OK
  }

  /// The center has another working folder. Links in the path stay: they may lead elsewhere later.
  static func absolute(_ path: String) -> String {
    var whole = path
    if !path.hasPrefix("/"), let folder = getcwd(nil, 0) {
      whole = String(cString: folder) + "/" + path
      free(folder)
    }
    var parts: [Substring] = []
    for part in whole.split(separator: "/") where part != "." {
      // '..' after a link leads elsewhere, so such a path stays as it is.
      if part == ".." { return realPath(whole) ?? whole }
      parts.append(part)
    }
    return "/" + parts.joined(separator: "/")
  }

  private static func realPath(_ path: String) -> String? {
    guard let found = realpath(path, nil) else { return nil }
    defer { free(found) }
    return String(cString: found)
  }

  /// Throws with the status of a file that cannot be read. What it contains is read by the center.
  private static func checkReadable(_ path: String) throws(CommandError) {
    guard access(path, R_OK) == 0 else { throw .noInput(PrintableText.line(path, atMost: 4096), .current) }
  }

  private func follow(_ path: String, _ center: Center) async throws {
    let calendar: FollowedCalendar
    do throws(RequestError) {
      calendar = try FollowedCalendar(
        path: path, app: arguments.value("app") ?? NotificationRequest.defaultApp, skips: arguments.has("skip"),
        trusts: arguments.has("trust"))
    } catch {
      throw CommandError.data("\(error)")
    }
    let followed = try await center.follow(calendar)
    for problem in followed.problems { Console.warn("follow", PrintableText.line(problem, atMost: 400)) }
  }

  private func stop(_ path: String, _ center: Center) async throws {
    let paths = try await center.followedCalendars().map(\.path)
    guard paths.contains(path) else {
      let near = suggestion(for: path, among: paths)
      throw CommandError.data("'\(PrintableText.line(path, atMost: 200))' is not followed\(near)")
    }
    _ = try await center.unfollow(path)
  }

  /// A single problem in full, without the path that the row has already.
  private static func state(of calendar: FollowedCalendar) -> String {
    let problems = calendar.problems
    guard problems.count == 1, let problem = problems.first else {
      return problems.isEmpty ? "ok" : "\(problems.count) problems, see 'suzu doctor'"
    }
    let own = problem.hasPrefix(calendar.path) ? problem.dropFirst(calendar.path.count) : problem[...]
    return "problem: " + PrintableText.line(String(own.trimmingPrefix(/[\/:,]? ?/)), atMost: 400)
  }

  private func list(_ calendars: [FollowedCalendar]) {
    if arguments.has("json") {
      return Console.print("[" + calendars.map { PlainValue.dictionary($0.plain).json }.joined(separator: ",\n ") + "]")
    }
    guard !calendars.isEmpty else {
      if Console.hasReader { Console.remark("no calendar is followed; see 'suzu follow --help'") }
      return
    }
    let rows = calendars.map { calendar in
      return [
        PrintableText.line(calendar.path, atMost: 4096), String(calendar.alarms),
        PrintableText.line(calendar.app, atMost: 255),
        Self.state(of: calendar),
      ]
    }
    let columns = [
      Table.Column("CALENDAR", least: 16, rank: 0), Table.Column("ALARMS", least: 6, rank: 1),
      Table.Column("APP", least: 8, rank: 3), Table.Column("STATE", least: 8, rank: 2),
    ]
    Console.print(Table(columns, rows: rows, width: Console.columns).text(rows, .output))
  }
}
