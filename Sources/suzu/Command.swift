// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Glibc
internal import Suzu
internal import Synchronization

/// `suzu`: a verb, its flags, one loop, one exit status.
@main enum Command {
  static let version = "0.1.0"
  static let verbs: [Verb] = [
    .notify, .list, .history, .cancel, .dismiss, .respond, .watch, .category, .apps, .next, .doctor,
    .importing, .exporting, .launcher, .popups,
  ]

  static func main() {
    // A reader that closes the pipe early is told by write(2), and ends us cleanly.
    signal(SIGPIPE, SIG_IGN)
    do throws(CommandError) {
      if let (verb, arguments) = try understand(CommandLine.arguments.dropFirst()) {
        exit(run(verb, arguments))
      }
      exit(EX_OK)
    } catch {
      Console.complain(error.message)
      exit(error.status)
    }
  }

  /// The verb and its arguments; nil where the answer has been printed already.
  private static func understand(
    _ words: ArraySlice<String>
  ) throws(CommandError) -> (Verb, Arguments)? {
    // For whom: before the verb or after it.
    var words = words
    if let user = try takeUser(from: &words) { try OtherUser.become(user) } else { try OtherUser.becomeCaller() }
    guard let name = words.first else { throw .usage("what shall be done? 'suzu --help' lists it") }
    switch name {
    case "--help", "-h", "help":
      let asked = words.dropFirst().first.flatMap { word in verbs.first { $0.name == word } }
      Console.print(asked?.help ?? help)
      return nil
    case "--version":
      Console.print("suzu \(version)")
      return nil
    default: break
    }
    guard let verb = verbs.first(where: { $0.name == name }) else {
      let near = suggestion(for: name, among: verbs.map(\.name))
      throw .usage("'\(name)' is not a command\(near); see 'suzu --help'")
    }
    let rest = words.dropFirst()
    if rest.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
      Console.print(verb.help)
      return nil
    }
    do throws(CommandError) {
      return (verb, try Arguments(rest, flags: verb.flags))
    } catch {
      let hint = "see 'suzu \(verb.name) --help'"
      throw CommandError(message: "\(verb.name): \(error.message); \(hint)", status: error.status)
    }
  }

  /// `--user NAME`, which every verb understands; it is taken out of the words.
  private static func takeUser(from words: inout ArraySlice<String>) throws(CommandError) -> String? {
    let end = words.firstIndex(of: "--") ?? words.endIndex
    guard let index = words[..<end].firstIndex(where: { $0 == "--user" || $0.hasPrefix("--user=") }) else { return nil }
    var user = String(words[index].dropFirst("--user=".count))
    words.remove(at: index)
    if user.isEmpty {
      guard index < words.endIndex else { throw .usage("'--user' needs a name: whose desktop is meant") }
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

  /// Carries the exit status from the task to the main thread.
  private final class Work: Sendable {
    let status: Atomic<Int32>
    init(status: consuming Atomic<Int32>) { self.status = status }
  }

  private static func perform(_ verb: Verb, _ arguments: Arguments, on loop: EventLoop) async -> Int32 {
    do {
      return try await verb.run(arguments, loop)
    } catch {
      let error = (error as? CommandError) ?? (error as? SuzuError).map { CommandError($0) }
      // Root is seldom the one who sits in front of the screen.
      let isLost = geteuid() == 0 && error?.message.hasPrefix("no session bus") == true
      let hint = isLost ? "; root says whose desktop is meant: --user NAME" : ""
      Console.complain("\(verb.name): \(error?.message ?? "it did not work")\(hint)")
      return error?.status ?? EX_SOFTWARE
    }
  }

  private static var help: String {
    let width = verbs.map { $0.name.count + $0.synopsis.count + 1 }.max() ?? 0
    let lines = verbs.map { verb in
      let form = verb.name + " " + verb.synopsis
      return "  suzu " + form + String(repeating: " ", count: width - form.count + 2) + verb.summary
    }
    return """
      suzu: notifications with buttons, now or later, whether you are running or not

      \(lines.joined(separator: "\n"))

      'suzu VERB --help' shows the flags and examples of each.
      """
  }
}
