// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Glibc

/// The Swift counterpart of `Benchmarks/client.c` and `server.c`: same command line, same messages.
///
///     dbus-bench server NAME           owns NAME on the session bus and answers Notify until it is stopped
///     dbus-bench sync NAME N           N calls of Notify, each waiting for its reply          prints `sync_us 61.2`
///     dbus-bench flight NAME N 64      N calls of Notify, 64 of them in flight                prints `flight_us 21.3`
///
/// The numbers are microseconds per call: the median of several rounds of N calls, after a warm-up.
@main struct Bench {
  static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    let usage = "server NAME | sync NAME N | flight NAME N UNDER-WAY"
    guard words.count >= 2, let name = BusName(words[1]) else { fail("usage", usage) }
    let loop: EventLoop
    do { loop = try EventLoop() } catch { fail("event loop", "\(error)") }
    switch (words[0], words.count) {
    case ("server", 2):
      run(on: loop) { try await Server(name: name, loop: loop).start() }
    case ("sync", 3), ("flight", 4):
      guard let calls = Int(words[2]), let underWay = Int(words.count > 3 ? words[3] : "1"), calls > 0, underWay > 0
      else { fail("usage", usage) }
      run(on: loop) {
        let client = Client(server: name, loop: loop)
        let microseconds = try await client.median(of: 5, rounds: calls, underWay: underWay)
        print("\(words[0])_us \(Double(Int(microseconds * 10)) / 10)")
        loop.stop()
      }
    default: fail("usage", usage)
    }
  }

  /// Runs the loop on the main thread, as the center does.
  private static func run(on loop: EventLoop, _ work: @escaping @Sendable () async throws -> Void) {
    Task.detached {
      do { try await work() } catch { fail("dbus-bench", "\(error)") }
    }
    loop.run()
  }
}

func fail(_ what: String, _ why: String) -> Never {
  let line = "dbus-bench: \(what): \(why)\n"
  _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
  exit(EXIT_FAILURE)
}
