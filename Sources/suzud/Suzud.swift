// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop
internal import Glibc
internal import NotificationModel

/// The center as a program: one loop on the main thread, from the start until SIGTERM.
@main enum Suzud {
  private static let help = """
    suzud: the center of scheduled and interactive notifications
    Usage: suzud [--burst N] [--idle TIME]
           suzud --help | --version

      --burst N    show at most N notifications of an app in ten seconds, and one that counts the rest (0: all; default: 20)
      --idle TIME  how long without input you count as away, such as 10m (0: only if the session is locked; default: 5m)

    It owns the name 'dev.suzu.Center' on the session bus, which starts it on the first call:
    'suzu notify "Hello"' is enough. It stores requests in $XDG_DATA_HOME/suzu, and exits on SIGTERM.

    """

  static func main() {
    // A process of the center: see CalendarReading.
    if CommandLine.arguments.dropFirst().first == "--read-calendars" {
      CalendarReaderProcess.run(Array(CommandLine.arguments.dropFirst(2)))
    }
    let options = options(CommandLine.arguments.dropFirst())
    DescriptorLimit.raise()
    // The threads that start programs kept up to 15 MB.
    ProcessMemory.useOneHeap()
    do throws(EventLoopError) {
      let loop = try EventLoop()
      let process = CenterProcess(on: loop, options)
      // Runs on the loop from its first step, and ends when the center does.
      _ = Task(executorPreference: loop) {
        await process.run()
        loop.stop()
      }
      loop.run()
      exit(process.status)
    } catch {
      finish("suzud: cannot make an event loop: \(error)\n", EX_OSERR)
    }
  }

  private static func options(_ words: ArraySlice<String>) -> CenterProcess.Options {
    var options = CenterProcess.Options()
    var rest = words
    while let word = rest.popFirst() {
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      switch parts.first {
      case "--help", "-h": finish(help, 0)
      case "--version": finish("suzud \(ProductVersion.text)\n", 0)
      case "--burst":
        guard let number = (parts.count > 1 ? parts[1] : rest.popFirst()).flatMap({ Int($0) }), number >= 0 else {
          finish("suzud: '--burst' needs a number of notifications, such as 20\n", EX_USAGE)
        }
        options.burst = number
      case "--idle":
        let text = parts.count > 1 ? parts[1] : rest.popFirst()
        guard let text, let idle = idle(text) else {
          finish("suzud: '--idle' needs a time, such as 10m, or 0\n", EX_USAGE)
        }
        options.idle = idle
      default: finish("suzud: '\(word)' is not an option; see 'suzud --help'\n", EX_USAGE)
      }
    }
    return options
  }

  /// A time without input, at least that of the condition `idle`; zero for none.
  private static func idle(_ text: String) -> Duration? {
    if text == "0" { return .zero }
    guard let idle = try? Duration.parse(text), idle >= .seconds(1) else { return nil }
    return idle
  }

  private static func finish(_ text: String, _ status: Int32) -> Never {
    _ = text.withCString { write(status == 0 ? STDOUT_FILENO : STDERR_FILENO, $0, strlen($0)) }
    exit(status)
  }
}
