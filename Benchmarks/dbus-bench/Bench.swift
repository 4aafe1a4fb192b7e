// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Glibc

/// The Swift counterpart of `Benchmarks/client.c`, `glib-client.c` and `server.c`: same command line, same messages.
///
///     dbus-bench server NAME           owns NAME on the session bus and answers Notify until it is stopped
///     dbus-bench sync NAME N           N calls of Notify, each waiting for its reply          prints `sync_us 61.2`
///     dbus-bench flight NAME N 64      N calls of Notify, 64 of them in flight                prints `flight_us 21.3`
///     dbus-bench property NAME N       N reads of a property, each waiting for its value      prints `property_us 51.0`
///     dbus-bench signals NAME N        N signals of the server, until the last one            prints `signals_us 12.4`
///
/// The numbers are microseconds for each: the median of several rounds of N, after a warm-up.
@main struct Bench {
  static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    let usage = "server NAME | sync NAME N | flight NAME N UNDER-WAY | property NAME N | signals NAME N"
    guard words.count >= 2, let name = BusName(words[1]) else { fail("usage", usage) }
    let loop: EventLoop
    do { loop = try EventLoop() } catch { fail("event loop", "\(error)") }
    if words.count == 2 && words[0] == "server" {
      run(on: loop) { try await Server(name: name, loop: loop).start() }
      return
    }
    guard words.count >= 3, let count = Int(words[2]), let underWay = Int(words.count > 3 ? words[3] : "1"),
      count > 0, underWay > 0
    else { fail("usage", usage) }
    let client = Client(server: name, loop: loop)
    let measure: @Sendable () async throws -> Double =
      switch (words[0], words.count) {
      case ("sync", 3), ("flight", 4): { try await client.medianOfCalls(of: 5, calls: count, underWay: underWay) }
      case ("property", 3): { try await client.medianOfReads(of: 5, reads: count) }
      case ("signals", 3): { try await client.medianOfSignals(of: 5, signals: count) }
      default: fail("usage", usage)
      }
    run(on: loop) {
      print("\(words[0])_us \(Double(Int(try await measure() * 10)) / 10)")
      loop.stop()
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
