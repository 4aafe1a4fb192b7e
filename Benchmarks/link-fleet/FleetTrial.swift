// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Glibc

/// The whole trial: growing fleets, then faults with the largest.
///
/// Confined to the loop's thread.
final class FleetTrial {
  private let plan: FleetPlan
  private let loop: EventLoop
  private var fleet: Fleet?

  init(_ plan: FleetPlan, on loop: EventLoop) { (self.plan, self.loop) = (plan, loop) }

  /// Whether it has come to its end, and nothing was lost or shown twice.
  private(set) var isGood = false

  func run() async {
    do { isGood = try await runAll() } catch { say("link-fleet: \(error)") }
    loop.stop()
  }

  private func runAll() async throws -> Bool {
    // What it has started has process groups of its own.
    for signal in [SIGINT, SIGTERM, SIGHUP] {
      try loop.onSignal(signal) { [unowned self] in
        fleet?.kill()
        exit(128 + signal)
      }
    }
    say("one mosquitto, each desktop a link of suzu-link with a simulated center; times in ms")
    say("desktops  connected   p50     p99     longest  lost  twice  broker MB  us  desktop MB  us")
    var lost = 0
    var twice = 0
    var memory: [(desktops: Int, broker: Double, fleet: Double)] = []
    for size in plan.sizes {
      let fleet = try Fleet(size, of: plan, on: loop)
      self.fleet = fleet
      defer { fleet.kill() }
      let figures = try await measure(fleet)
      say(figures.row)
      lost += figures.lost
      twice += figures.twice
      memory.append((size, figures.brokerMemory, figures.desktopMemory))
      if size == plan.sizes.last {
        say("\nfaults, with \(size) desktops     lost  twice  again  all had it after")
        for fault in FleetFault.allCases {
          let outcome = try await fault.run(on: fleet)
          say(outcome.row(of: fault))
          lost += outcome.lost
          twice += outcome.twice
        }
        // What came late belongs to an earlier row.
        twice = max(twice, fleet.tally.shownTwice(of: fleet.published))
      }
      try fleet.stop()
    }
    if let first = memory.first, let last = memory.last, last.desktops >= 10 * first.desktops {
      let more = Double(last.desktops - first.desktops)
      say(
        "\neach desktop more: \(((last.broker - first.broker) * 1000 / more).text(1)) kB in the broker, "
          + "\(((last.fleet - first.fleet) * 1000 / more).text(1)) kB in the process that holds it")
    }
    say("\nlost \(lost), shown twice \(twice)")
    return lost == 0 && twice == 0
  }

  /// The time from the publishing of a message until each desktop has shown it.
  private func measure(_ fleet: Fleet) async throws -> FleetFigures {
    let connected = try await fleet.start()
    // The first is slower everywhere.
    _ = try await fleet.publish()
    var latencies: [Duration] = []
    var payloads: [Int] = []
    let before = (broker: ProcessUse.cpu(of: [fleet.broker.processID]), desktops: ProcessUse.cpu(of: fleet.processIDs))
    for _ in 0..<plan.payloads(for: fleet.size) {
      let (payload, start) = try await fleet.publish()
      payloads.append(payload)
      latencies += fleet.tally.times(of: payload).map { $0 - start }
    }
    let deliveries = Double(payloads.count * fleet.size)
    return FleetFigures(
      desktops: fleet.size, connected: connected, latencies: latencies.sorted(), lost: fleet.tally.lost(of: payloads),
      twice: fleet.tally.shownTwice(of: payloads), brokerMemory: ProcessUse.memory(of: [fleet.broker.processID]),
      brokerTime: (ProcessUse.cpu(of: [fleet.broker.processID]) - before.broker) / deliveries,
      desktopMemory: ProcessUse.memory(of: fleet.processIDs),
      desktopTime: (ProcessUse.cpu(of: fleet.processIDs) - before.desktops) / deliveries)
  }
}

/// What was measured with one number of desktops.
struct FleetFigures {
  let desktops: Int
  let connected: Duration
  /// The shortest first.
  let latencies: [Duration]
  let lost, twice: Int
  /// Megabytes of the broker, and of all desktops; microseconds of processor time for each message at each desktop.
  let brokerMemory, brokerTime, desktopMemory, desktopTime: Double

  private func part(_ share: Double) -> String {
    guard !latencies.isEmpty else { return "-" }
    return latencies[min(latencies.count - 1, Int(Double(latencies.count) * share))].milliseconds.text(1)
  }

  var row: String {
    let cells: [(String, Int)] = [
      ("\(desktops)", 8), (connected.milliseconds.text(0), 11), (part(0.5), 7), (part(0.99), 8), (part(1), 10),
      ("\(lost)", 6), ("\(twice)", 7), (brokerMemory.text(1), 11), (brokerTime.text(0), 4),
      ((desktopMemory / Double(desktops)).text(2), 12), (desktopTime.text(0), 4),
    ]
    return cells.map { $0.0.aligned($0.1) }.joined()
  }
}

extension Double {
  /// With so many digits behind the point.
  func text(_ digits: Int) -> String {
    let factor = (0..<digits).reduce(1.0) { factor, _ in factor * 10 }
    let rounded = (self * factor).rounded() / factor
    return digits == 0 ? "\(Int(rounded))" : "\(rounded)"
  }
}

extension String {
  /// At the right end of so many columns.
  func aligned(_ width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}

/// What the kernel says of processes.
enum ProcessUse {
  /// Their resident memory in megabytes.
  static func memory(of processes: [Int32]) -> Double {
    processes.reduce(0) { sum, process in
      let line = read("/proc/\(process)/status").split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
      return sum
        + (line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Double($0) } ?? 0)
        / 1000
    }
  }

  /// Their processor time in microseconds.
  static func cpu(of processes: [Int32]) -> Double {
    processes.reduce(0) { sum, process in
      // Behind the name, which may hold anything.
      let fields = read("/proc/\(process)/stat").split(separator: ")").last?.split(separator: " ") ?? []
      guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return sum }
      return sum + (user + system) * 1e6 / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
  }

  private static func read(_ path: String) -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: 8192)
    let count = Glibc.read(file, &buffer, buffer.count)
    return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
  }
}
