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
  /// - measured: when the bus was slow, and the time of libdbus for the largest message.
  /// - large: when messages of the largest size were in flight.
  /// - bound: the time that the center may add, at all other times, to the times of the bus and of the processor queue.
  mutating func take(
    _ calls: [HonestCallers.Call], _ measured: AdversaryScene.Measured, _ large: [BusWaits.Interval], bound: Duration
  ) {
    let late = measured.late
    let waits = calls.map { call in
      let wait = call.time.upperBound - call.time.lowerBound
      // Both may be the same time.
      return (call: call, wait: wait, own: max(.zero, wait - max(late.time(in: call.time), call.starved)))
    }
    let longest = waits.max { $0.wait < $1.wait }
    let own = waits.map(\.own)
    let atLarge = waits.filter { wait in large.contains { $0.overlaps(wait.call.time) } }
    let others = waits.filter { wait in !large.contains { $0.overlaps(wait.call.time) } }
    let (ofLarge, ofOthers) = (atLarge.map(\.own).max() ?? .zero, others.map(\.own).max() ?? .zero)
    // Two attackers may send one at the same time.
    let largeBound = bound + measured.floor * 2
    expect("honest calls", calls.count, atMost: "-", !calls.isEmpty)
    expect(
      "longest wait of an honest call, all included", milliseconds(longest?.wait ?? .zero), atMost: "-", true)
    expect(
      "longest time that the center had no processor meanwhile", milliseconds(calls.map(\.starved).max() ?? .zero),
      atMost: "-", true)
    expect(
      "longest time that the bus was late", milliseconds(late.map { $0.upperBound - $0.lowerBound }.max() ?? .zero),
      atMost: "-", true)
    expect("what libdbus alone takes for a message of 60 MiB", milliseconds(measured.floor), atMost: "-", true)
    expect(
      "longest wait of an honest call, without these (\(others.count))", milliseconds(ofOthers),
      atMost: milliseconds(bound), ofOthers <= bound)
    expect(
      "  while such a message is under way (\(atLarge.count))", milliseconds(ofLarge),
      atMost: milliseconds(largeBound), ofLarge <= largeBound)
    expect(
      "  of which half, 99 %, 99.9 % wait no longer than",
      [0.5, 0.99, 0.999].map { own.percentile($0) }.joined(separator: ", "), atMost: "-", true)
    for wait in others.filter({ $0.own > bound }).sorted(by: { $0.own > $1.own }).prefix(5) {
      reasons.append("\(wait.call.kind) waited \(milliseconds(wait.wait)), \(milliseconds(wait.own)) for the center")
    }
    expectNone("honest calls that failed", calls.compactMap(\.failure))
  }
}

/// The duration as a text, rounded to a tenth of a millisecond.
func milliseconds(_ duration: Duration) -> String { [duration].percentile(1) }

extension String {
  fileprivate func padding(to length: Int) -> String { self + String(repeating: " ", count: max(1, length - count)) }
}
