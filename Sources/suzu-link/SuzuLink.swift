// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Glibc
internal import Links
internal import NotificationModel
internal import RunningLinks

/// The program `suzu-link`: one loop on the main thread, from the start until SIGTERM.
@main enum SuzuLink {
  private static let help = """
    suzu-link: passes on messages of servers elsewhere to the center of notifications
    Usage: suzu-link
           suzu-link --test NAME
           suzu-link --help | --version

      --test NAME   connect the link once, print what happened, and end

    It runs all links in $XDG_CONFIG_HOME/suzu/links.d, follows changes there, and ends with the last of them.
    'suzu link add' makes one. systemd starts it as suzu-link.service as soon as there is a link. Exits on SIGTERM.

    """

  static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    switch words.first {
    case nil: break
    case "--help" where words.count == 1, "-h" where words.count == 1: finish(help, 0)
    case "--version" where words.count == 1: finish("suzu-link \(ProductVersion.text)\n", 0)
    case "--test" where words.count == 2: break
    case "--test": finish("suzu-link: '--test' needs the name of a link\n", EX_USAGE)
    case let word?: finish("suzu-link: '\(word)' is not an option; see 'suzu-link --help'\n", EX_USAGE)
    }
    signal(SIGPIPE, SIG_IGN)
    ProcessMemory.useOneHeap()
    guard let folders = LinkFolders() else {
      finish("suzu-link: no settings folder: set HOME or XDG_CONFIG_HOME\n", EX_CONFIG)
    }
    do throws(EventLoopError) {
      let loop = try EventLoop()
      // Both are used on this thread only: inside of `run`, and after it.
      if words.count == 2 {
        nonisolated(unsafe) let trial = LinkTrial(on: loop)
        loop.perform { trial.run(words[1], in: folders) }
        loop.run()
        exit(trial.status)
      }
      // The same holds here.
      nonisolated(unsafe) let process = LinkProcess(folders, on: loop)
      // A task with the loop as its executor: others resume through the runtime's pool, which would start threads.
      loop.perform { loop.startLater { await process.run() } }
      loop.run()
      exit(process.status)
    } catch {
      finish("suzu-link: cannot make an event loop: \(error)\n", EX_OSERR)
    }
  }

  private static func finish(_ text: String, _ status: Int32) -> Never {
    _ = text.withCString { write(status == 0 ? STDOUT_FILENO : STDERR_FILENO, $0, strlen($0)) }
    exit(status)
  }
}
