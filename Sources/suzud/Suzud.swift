// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop
internal import Glibc

/// The center as a program: one loop on the main thread, from start to SIGTERM.
@main enum Suzud {
  private static let help = """
    suzud: the center of scheduled and interactive notifications
    Usage: suzud [--help | --version]

    It owns 'dev.suzu.Center' on the session bus, which starts it when somebody asks for it:
    'suzu notify "Hello"' is enough. It ends on SIGTERM.

    """

  static func main() {
    switch CommandLine.arguments.dropFirst().first {
    case nil: break
    case "--help", "-h": finish(help, 0)
    case "--version": finish("suzud \(Version.text)\n", 0)
    case .some(let word): finish("suzud: '\(word)' is not an option; see 'suzud --help'\n", EX_USAGE)
    }
    do throws(EventLoopError) {
      let loop = try EventLoop()
      let life = Life(on: loop)
      // On the loop from its first step; it ends when the center does.
      _ = Task(executorPreference: loop) {
        await life.run()
        loop.stop()
      }
      loop.run()
      exit(life.status)
    } catch {
      finish("suzud: cannot make an event loop: \(error)\n", EX_OSERR)
    }
  }

  private static func finish(_ text: String, _ status: Int32) -> Never {
    _ = text.withCString { write(status == 0 ? STDOUT_FILENO : STDERR_FILENO, $0, strlen($0)) }
    exit(status)
  }
}
