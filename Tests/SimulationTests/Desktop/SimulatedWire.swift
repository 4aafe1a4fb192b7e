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
    /// How many messages are on their way.
    var count = 0
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
    guard way.count > 0 || moment > machine.now else { return arrives() }
    way.count += 1
    way.last = max(moment, way.last)
    ways[direction] = way
    let session = session
    machine.after(way.last - machine.now) { [self] in
      guard session == self.session else { return }
      ways[direction]?.count -= 1
      arrives()
    }
  }

  /// Nothing is on its way any more.
  func clear() {
    session += 1
    ways = [:]
    losses = [:]
  }
}
