// SPDX-License-Identifier: Apache-2.0

/// The checks after the attacks, and their results.
struct AdversaryVerdict {
  /// One row of the printed table.
  struct Check {
    let name: String
    let measured: String
    let bound: String
    let isKept: Bool
  }

  private(set) var checks: [Check] = []
  /// The explanation of a failed check.
  private(set) var reasons: [String] = []

  var broken: [Check] { checks.filter { !$0.isKept } }

  mutating func expect(_ name: String, _ measured: some Any, atMost bound: some Any, _ isKept: Bool) {
    checks.append(Check(name: name, measured: "\(measured)", bound: "\(bound)", isKept: isKept))
  }

  mutating func expectNone(_ name: String, _ found: some Collection<String>) {
    expect(name, found.count, atMost: 0, found.isEmpty)
    reasons += found.prefix(8).map { "\(name): \($0)" }
  }

  /// Adds the explanation of a failed check.
  mutating func explain(_ reason: String) { reasons.append(reason) }

  /// A table for the log, with a row for each check and each attack.
  func table(_ tallies: [String: Adversary.Tally]) -> String {
    func row(_ first: String, _ others: String...) -> String {
      "  " + first.padding(to: 62) + others.map { $0.padding(to: 22) }.joined()
    }
    var lines = [row("checked", "found", "bound")]
    lines += checks.map { row($0.name, $0.measured, $0.bound, $0.isKept ? "" : "NOT KEPT") }
    lines.append(row("attack", "plays", "calls refused", "longest"))
    for (name, tally) in tallies.sorted(by: { $0.key < $1.key }) {
      lines.append(
        row(name, "\(tally.plays)", "\(tally.refusals) of \(tally.calls)", milliseconds(.seconds(tally.longest))))
      if Attacker.chosen != nil { lines += tally.errors.sorted().prefix(4).map { "    \($0)" } }
    }
    lines.append(row("all attacks", "\(tallies.values.reduce(0) { $0 + $1.plays })"))
    return lines.joined(separator: "\n")
  }
}

/// The measurements that must not grow.
extension AdversaryVerdict {
  /// How many KiB the heap may gain, over the start and from the middle to the end.
  static let mostGrowth = (sinceStart: 32 << 10, sinceMiddle: 16 << 10)
  static let mostDescriptors = 8
  static let mostPeak = 300 << 10

  mutating func take(_ sizes: [CenterSize]) {
    guard let start = sizes.first, let end = sizes.last, sizes.count > 2 else {
      return expect("samples of memory and descriptors", sizes.count, atMost: "3", false)
    }
    let (grown, grownLate) = (end.anonymous - start.anonymous, end.anonymous - sizes[1].anonymous)
    expect(
      "anonymous memory since the start", "\(grown) KiB", atMost: "\(Self.mostGrowth.sinceStart) KiB",
      grown <= Self.mostGrowth.sinceStart)
    expect(
      "anonymous memory since the middle", "\(grownLate) KiB", atMost: "\(Self.mostGrowth.sinceMiddle) KiB",
      grownLate <= Self.mostGrowth.sinceMiddle)
    expect("peak of resident memory", "\(end.peak) KiB", atMost: "\(Self.mostPeak) KiB", end.peak <= Self.mostPeak)
    let more = sizes.map(\.descriptors).max().map { $0 - start.descriptors } ?? 0
    expect("descriptors more than at the start", more, atMost: Self.mostDescriptors, more <= Self.mostDescriptors)
  }
}

/// The waits of honest callers.
extension AdversaryVerdict {
  /// - Parameters:
  ///   - measured: when the bus and the disk were slow, and what libdbus alone takes for the loads of attackers.
  ///   - found: when these loads were under way.
  ///   - bound: the time that the center may add to the times of the bus, of the disk and of the processor queue; while
  ///     a load is under way, to that of libdbus as well.
  mutating func take(
    _ calls: [HonestCallers.Call], _ measured: AdversaryScene.Measured, _ found: Adversary.Findings, bound: Duration
  ) {
    let lateAtAll = measured.lateBus.union(measured.lateDisk)
    let waits = calls.map { call in
      let wait = call.time.upperBound - call.time.lowerBound
      let bus = measured.lateBus.time(in: call.time)
      // The disk explains no time in which the center ran.
      let blocked = max(.zero, wait - call.center.running - call.center.waiting)
      let disk = min(lateAtAll.time(in: call.time) - bus, blocked)
      // The bus may have been slow while the center had no processor.
      let own = max(.zero, wait - max(bus, call.center.waiting) - disk)
      let plays = found.plays.filter { $0.time.overlaps(call.time) }
      return Wait(
        call: call, all: wait, own: own, disk: disk, attacks: plays.map(\.name), loads: Set(plays.compactMap(\.load)))
    }
    expect("honest calls", calls.count, atMost: "-", !calls.isEmpty)
    expect(
      "longest wait of an honest call, all included", milliseconds(waits.map(\.all).max() ?? .zero), atMost: "-", true)
    expect(
      "longest time that the center had no processor meanwhile",
      milliseconds(calls.map(\.center.waiting).max() ?? .zero), atMost: "-", true)
    expect("longest time that the bus was late", milliseconds(measured.lateBus.longest), atMost: "-", true)
    expect(
      "longest time that a sync of another file took, of \(measured.lateDisk.count) late ones",
      milliseconds(measured.lateDisk.longest), atMost: "-", true)
    expectWaits("longest wait without these", waits.filter(\.loads.isEmpty), bound)
    for (load, size) in [(Attacker.Load.burst, "25 MB"), (.largest, "60 MiB")] {
      let floor = measured.floor[load] ?? (.zero, nil)
      expect("what libdbus alone takes for \(size) at once", milliseconds(floor.before), atMost: "-", true)
      // For a reader: while attackers use the processors, libdbus is slower. The bound does not follow.
      if let during = floor.during { expect("  during the attacks", milliseconds(during), atMost: "-", true) }
      // Two attackers may send it at the same time. A wait beside both loads counts for the larger one.
      let atLoad = waits.filter { $0.loads.contains(load) && (load == .largest || !$0.loads.contains(.largest)) }
      expectWaits("  longest wait meanwhile", atLoad, bound + floor.before * 2)
    }
    expect(
      "half, 99 % and 99.9 % of all waits are no longer than",
      [0.5, 0.99, 0.999].map { waits.map(\.own).percentile($0) }.joined(separator: ", "), atMost: "-", true)
    expectNone("honest calls that failed", calls.compactMap(\.failure))
  }

  private struct Wait {
    let call: HonestCallers.Call
    let all: Duration
    /// Without the times of the bus, of the disk and of the processor queue.
    let own: Duration
    let disk: Duration
    /// The attacks that were under way, and what they sent that takes libdbus long.
    let attacks: [String]
    let loads: Set<Attacker.Load>
  }

  private mutating func expectWaits(_ name: String, _ waits: [Wait], _ bound: Duration) {
    let longest = waits.map(\.own).max() ?? .zero
    expect("\(name) (\(waits.count))", milliseconds(longest), atMost: milliseconds(bound), longest <= bound)
    if longest > bound {
      let kinds = Dictionary(grouping: waits) { $0.call.kind }.mapValues { $0.map(\.own) }
      for (kind, waits) in kinds.sorted(by: { $0.key < $1.key }) {
        reasons.append(
          "\(kind): \(waits.count), half, 99 % and the longest "
            + [0.5, 0.99, 1].map { waits.percentile($0) }.joined(separator: ", "))
      }
    }
    for wait in waits.filter({ $0.own > bound }).sorted(by: { $0.own > $1.own }).prefix(5) {
      reasons.append(
        "\(wait.call.kind) waited \(milliseconds(wait.all)), \(milliseconds(wait.own)) for the center, "
          + "which ran \(milliseconds(wait.call.center.running)), \(milliseconds(wait.disk)) for the disk, during "
          + wait.attacks.joined(separator: "; "))
    }
  }
}

/// The duration as a text, rounded to a tenth of a millisecond.
func milliseconds(_ duration: Duration) -> String { [duration].percentile(1) }

extension String {
  fileprivate func padding(to length: Int) -> String { self + String(repeating: " ", count: max(1, length - count)) }
}
