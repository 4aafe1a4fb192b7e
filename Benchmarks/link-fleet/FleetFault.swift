// SPDX-License-Identifier: Apache-2.0
internal import EventLoop

/// What goes wrong while messages are published. A wrong authority and an expired certificate concern one link alone:
/// `RealMosquittoTests` has them.
enum FleetFault: String, CaseIterable {
  case restart = "the broker is restarted"
  case frozenDesktops = "half of the desktops hold still"
  case frozenBroker = "the broker holds still"
  case duplicates = "a message comes five times"
  case replay = "a retained message comes again"
  case long = "messages of 10 MiB and 64 KiB"

  /// What has become of the messages.
  struct Outcome {
    let lost, twice: Int
    /// How often the center was told again what it knew by its id.
    let again: Int
    /// From the last publishing until the last desktop has shown it.
    let after: Duration

    func row(of fault: FleetFault) -> String {
      let name = fault.rawValue
      return name + "\(lost)".aligned(36 - name.count) + "\(twice)".aligned(7) + "\(again)".aligned(7)
        + "\(after.milliseconds.text(0)) ms".aligned(18)
    }
  }

  func run(on fleet: Fleet) async throws -> Outcome {
    let first = fleet.published.count
    let repeats = fleet.tally.repeats
    try await cause(on: fleet)
    // Behind everything else.
    let (payload, start) = try await fleet.publish()
    let payloads = Array(fleet.published[first...])
    let end = fleet.tally.times(of: payload).max() ?? start + Fleet.limit
    return Outcome(
      lost: fleet.tally.lost(of: payloads), twice: fleet.tally.shownTwice(of: payloads),
      again: fleet.tally.repeats - repeats, after: end - start)
  }

  private func cause(on fleet: Fleet) async throws {
    let tally = fleet.tally
    switch self {
    case .restart:
      // It has them, and the desktops do not.
      fleet.freezeHalf()
      for _ in 0..<3 { try await fleet.send() }
      fleet.thawHalf()
      try await fleet.restartBroker()
    case .frozenDesktops:
      let timeouts = tally.timeouts
      fleet.freezeHalf()
      try await fleet.send()
      guard await tally.wait(within: Fleet.limit, until: { tally.timeouts - timeouts == fleet.lastHalf }) else {
        throw FleetError("the broker has given up only \(tally.timeouts - timeouts) of \(fleet.lastHalf) desktops")
      }
      try await fleet.send()
      fleet.thawHalf()
    case .frozenBroker:
      fleet.broker.freeze()
      guard await tally.wait(within: Fleet.limit, until: { tally.connected.isEmpty }) else {
        throw FleetError("\(tally.connected.count) desktops do not notice that the broker holds still")
      }
      fleet.broker.thaw()
    case .duplicates:
      let (payload, _) = try await fleet.send(id: "order-1")
      for _ in 0..<4 { try await fleet.repeat(payload, id: "order-1") }
    case .replay:
      let (payload, _) = try await fleet.send(isRetained: true)
      try await fleet.publish()
      // A broker that knows no session sends what it retains with each new one.
      try await fleet.restartBroker(forgetting: true)
      try await fleet.repeat(payload, isRetained: true)
      try await fleet.waitForAll()
    case .long:
      let omissions = tally.omissions
      try fleet.broker.publish(bytes: 10 << 20)
      try fleet.broker.publish(bytes: 64 << 10)
      try await fleet.publish()
      // The broker does not pass on the first to clients that want none of this size; they leave out the second.
      // They say so in their log, which is read apart from what they show.
      guard await tally.wait(within: Fleet.limit, until: { tally.omissions - omissions == fleet.size }) else {
        throw FleetError("\(tally.omissions - omissions) of \(fleet.size) desktops have left out the long message")
      }
    }
  }
}
