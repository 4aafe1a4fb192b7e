// SPDX-License-Identifier: Apache-2.0

/// The way of messages between the center and the server: the bus passes each on at once, or late, or loses it. Those of
/// one direction keep their order.
final class SimulatedWire {
  enum Direction: CaseIterable { case toServer, toCenter }

  /// What may be lost.
  enum Kind: String, CaseIterable { case call, answer, signal }

  private let machine: SimulatedMachine
  private var random: SeededRandom
  /// How long a message takes at most, in milliseconds.
  var delay: Int64 = 0
  /// How many messages of a kind it will lose.
  var losses: [Kind: Int] = [:]
  private var ways: [Direction: Way] = [:]
  /// A power cut ends what is on its way.
  private var session = 0

  private struct Way {
    /// What is on its way, the first one first.
    var messages: [() -> Void] = []
    /// When the last one of them arrives.
    var last: Int64 = 0
  }

  init(seed: UInt64, on machine: SimulatedMachine) {
    self.machine = machine
    random = SeededRandom(seed, for: "wire")
  }

  /// Passes a message on; `arrives` is called when it is there.
  ///
  /// - Parameters:
  ///   - kind: nil if it is not lost.
  ///   - lost: called at once if it is lost.
  func pass(
    _ direction: Direction, _ kind: Kind? = nil, lost: () -> Void = {}, arrives: @escaping () -> Void
  ) {
    if let kind, let count = losses[kind], count > 0 {
      losses[kind] = count - 1
      return lost()
    }
    var way = ways[direction] ?? Way()
    let moment = machine.now + (delay == 0 ? 0 : random.number(0...delay))
    guard !way.messages.isEmpty || moment > machine.now else { return arrives() }
    way.messages.append(arrives)
    way.last = max(moment, way.last)
    ways[direction] = way
    let session = session
    // When the machine wakes up, events that came while it slept may be behind newer ones. Messages are not.
    machine.after(way.last - machine.now) { [self] in
      if session == self.session { ways[direction]?.messages.removeFirst()() }
    }
  }

  /// Nothing is on its way any more.
  func clear() {
    session += 1
    ways = [:]
    losses = [:]
  }
}
