// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import EventLoop
internal import Glibc
internal import NotificationModel
internal import Synchronization

/// The program `suzu`: parses the command line, runs one verb and exits with its status.
@main enum Command {
  static let verbs: [Verb] = [
    .notify, .notifySend, .push, .ask, .run, .unit, .list, .show, .edit, .history, .why, .cancel, .dismiss, .ack, .mute,
    .quiet, .respond, .watch, .category, .apps, .place, .follow, .next, .doctor, .remote, .link, .importing,
    .exporting, .launcher, .popups,
  ]

  /// Whether our caller ignores SIGPIPE. Written once, before there is another thread.
  nonisolated(unsafe) private(set) static var startedIgnoringPipes = false

  static func main() {
    // write(2) reports a closed pipe, and the program ends cleanly.
    startedIgnoringPipes = Process.ignores(SIGPIPE)
    signal(SIGPIPE, SIG_IGN)
    do throws(CommandError) {
      try checkEncoding()
      if let (verb, arguments) = try understand(CommandLine.arguments.dropFirst()) {
        exit(run(verb, arguments))
      }
      exit(EX_OK)
    } catch {
      Console.complain(error.message)
      exit(error.status)
    }
  }

  /// Swift replaces invalid bytes in arguments by U+FFFD, which would then be stored and shown.
  private static func checkEncoding() throws(CommandError) {
    for number in 1..<max(Int(CommandLine.argc), 1) {
      guard let argument = CommandLine.unsafeArgv[number], String(validatingCString: argument) == nil else { continue }
      throw .usage(
        "argument \(number) is not UTF-8 text: '\(PrintableText.line(String(cString: argument), atMost: 60))'")
    }
  }

  /// The verb and its arguments; nil if the answer has been printed already.
  private static func understand(
    _ words: ArraySlice<String>
  ) throws(CommandError) -> (Verb, Arguments)? {
    if calledAs == "notify-send" { return try arguments(of: .notifySend, words) }
    // `--user` may stand before or after the verb.
    var words = words
    let user = try takeUser(from: &words)
    // Not `Verb.run.name`: its tables would be made for every command, and take a tenth of the time of `suzu notify`.
    if words.first == RunCommand.name {
      // The command runs as the user that typed it.
      try OtherUser.postpone(user)
    } else if let user {
      try OtherUser.become(user)
    } else {
      try OtherUser.becomeCaller()
    }
    guard let name = words.first else {
      Console.print(shortHelp)
      return nil
    }
    switch name {
    case "--help", "-h", "help":
      let columns = Console.helpColumns
      Console.print(
        try words.first { !["help", "--help", "-h"].contains($0) }.map { word throws(CommandError) in
          try verb(word).help(columns: columns)
        }
          ?? help(columns: columns))
      return nil
    case CompletionCommand.name: return try arguments(of: .complete, words.dropFirst())
    case "--version", "-V":
      Console.print("suzu \(ProductVersion.text)")
      return nil
    default: return try arguments(of: try verb(name, in: Array(words)), words.dropFirst())
    }
  }

  /// The program's name without its folder.
  private static var calledAs: Substring {
    guard let path = CommandLine.arguments.first else { return "" }
    return path[(path.utf8.lastIndex(of: UInt8(ascii: "/")).map(path.utf8.index(after:)) ?? path.startIndex)...]
  }

  /// - Parameter words: the whole command line, for advice.
  private static func verb(_ name: String, in words: [String] = []) throws(CommandError) -> Verb {
    // A shortcut for scripts: building the tables of all verbs takes a tenth of the run time of `suzu notify`.
    if name == NotifyCommand.name { return .notify }
    if let verb = verbs.first(where: { $0.name == name }) { return verb }
    let what = name.hasPrefix("-") ? "an option" : "a command"
    let known = name.hasPrefix("-") ? ["--help", "--version"] : verbs.map(\.name)
    let typed = PrintableText.line(name, atMost: 60)
    let nearest = name.misspelling(ofOneOf: known)
    if nearest == nil, let command = GuessedNotify(words)?.command {
      throw .usage("'\(typed)' is not \(what); use \(command); see 'suzu --help'")
    }
    if name.contains(" "), !name.hasPrefix("-") {
      throw .usage(
        "'\(name)' is not a command; did you mean suzu notify \(CommandWords.quoted(name))?; see 'suzu --help'")
    }
    let near = GuessedWords.advice(onVerb: name).map { "; \($0)" } ?? suggestion(for: name, among: known)
    throw .usage("'\(name)' is not \(what)\(near); see 'suzu --help'")
  }

  private static func arguments(of verb: Verb, _ words: ArraySlice<String>) throws(CommandError) -> (Verb, Arguments)? {
    let flags = words.prefix { $0 != "--" }
    // If the verb uses `-h` for something else, it means help only when it stands alone.
    let asksForHelp = verb.flags.contains { $0.letter == "h" } ? flags.elementsEqual(["-h"]) : flags.contains("-h")
    if asksForHelp || flags.contains("--help") || words.elementsEqual(["help"]) && verb.takesNoWords
      || calledAs == "notify-send" && flags.contains("-?")
    {
      Console.print(verb.help(columns: Console.helpColumns))
      return nil
    }
    if calledAs == "notify-send", flags.contains("-v") || flags.contains("--version") {
      // Scripts check the version for features: report the one with the same features.
      Console.print("notify-send 0.8.1 (suzu \(ProductVersion.text))")
      return nil
    }
    do throws(CommandError) {
      return (
        verb,
        try Arguments(words, flags: verb.flags, of: verb.name, isLenient: verb.name == NotifyCommand.notifySendName)
      )
    } catch {
      throw verb.name == Verb.ask.name ? error.about(verb).inHook(words) : error.about(verb)
    }
  }

  /// Removes and returns `--user NAME`, which every verb accepts.
  private static func takeUser(from words: inout ArraySlice<String>) throws(CommandError) -> String? {
    let end = words.firstIndex(of: "--") ?? words.endIndex
    // A flag is no name.
    guard let index = words[..<end].firstIndex(where: { $0 == "--user" || $0.hasPrefix("--user=") }) else { return nil }
    var user = String(words[index].dropFirst("--user=".count))
    words.remove(at: index)
    if user.isEmpty {
      guard index < words.endIndex, !words[index].hasPrefix("-") else {
        throw .usage("'--user' needs a value: --user NAME")
      }
      user = words.remove(at: index)
    }
    return user
  }

  private static func run(_ verb: Verb, _ arguments: Arguments) -> Int32 {
    do throws(EventLoopError) {
      let loop = try EventLoop()
      let status = Atomic<Int32>(EX_OK)
      let work = Work(status: status)
      _ = Task(executorPreference: loop) {
        work.status.store(await perform(verb, arguments, on: loop), ordering: .relaxed)
        loop.stop()
      }
      loop.run()
      return work.status.load(ordering: .relaxed)
    } catch {
      Console.complain("cannot make an event loop: \(error)")
      return EX_OSERR
    }
  }

  private final class Work: Sendable {
    let status: Atomic<Int32>
    init(status: consuming Atomic<Int32>) { self.status = status }
  }

  private static func perform(_ verb: Verb, _ arguments: Arguments, on loop: EventLoop) async -> Int32 {
    do {
      return try await verb.run(arguments, loop)
    } catch {
      var known = (error as? CommandError) ?? (error as? SuzuError).map { CommandError($0) }
      if let user = OtherUser.name, (error as? SuzuError)?.code == .noBus {
        known = .unavailable(
          "the user '\(PrintableText.line(user, atMost: 64))' has no session: there is no /run/user/\(getuid())/bus; "
            + "log in as that user, or run 'loginctl enable-linger \(PrintableText.line(user, atMost: 64))'")
      }
      let error = known?.about(verb) ?? CommandError(message: "\(verb.name): \(error)", status: EX_SOFTWARE)
      // Root usually has no desktop of its own.
      let isLost = geteuid() == 0 && known?.message.contains("no session bus") == true
      Console.complain(error.message + (isLost ? "; running as root: choose a user with --user NAME" : ""))
      return error.status
    }
  }

  /// What `suzu` alone prints.
  private static let shortHelp = """
    suzu: show notifications with buttons, now or later

      suzu notify 'Tea is ready' --in 4m
      suzu notify 'Get up' --every 'Mon,Tue,Thu 07:30' --style alert --action later=Later --snooze later=10m
      suzu list                 list what is scheduled
      suzu cancel ID            cancel it
      suzu history              list past notifications and their outcomes
      suzu doctor               check what works on this desktop

    'suzu --help' lists all commands, 'suzu VERB --help' shows the flags and examples of one.
    """

  static func help(columns: Int?) -> String {
    var page = HelpPage(columns: columns)
    page.add("suzu: show notifications with buttons, now or later")
    page.addBlank()
    let rows = verbs.map { ("suzu " + $0.name + ($0.synopsis.isEmpty ? "" : " " + $0.synopsis), $0.summary) }
    page.add(rows, aligned: rows.map(\.0.count).max() ?? 0)
    page.addBlank()
    page.add(
      "'suzu VERB --help' shows the flags and examples of each. As root, choose a user with --user NAME.")
    return page.text
  }
}
