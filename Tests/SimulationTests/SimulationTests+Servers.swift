// SPDX-License-Identifier: Apache-2.0
import Testing

/// Plays short scripts with the manners of a server, on a bus that is late or loses messages. Each found a fault of the
/// center.
extension SimulationTests {
  private static func notify(
    _ id: String, isAlert: Bool = false, hasLaunch: Bool = true, expires: Int64? = nil
  ) -> Script.Event {
    .notify(
      RequestSpec(
        number: 0, id: id, when: .now, zone: nil, missed: .deliver, grace: nil, isAlert: isAlert, hasLaunch: hasLaunch,
        snooze: nil, expires: expires))
  }

  private static func alert(_ id: String) -> Script.Event { notify(id, isAlert: true) }

  /// Plays it with several seeds: each user does something else.
  ///
  /// - Parameter server: its name and version; nil for a plain one.
  /// - Returns: how often something happened.
  @discardableResult
  private static func play(
    on server: String? = nil, _ events: [(second: Double, event: Script.Event)], counting word: String = "shows"
  ) throws -> Int {
    let steps = events.enumerated().map { index, one in
      var event = one.event
      if case .notify(let spec) = event { event = .notify(spec.numbered(index + 1)) }
      return Script.Step(number: index + 1, at: Int64(one.second * 1_000), event: event)
    }
    var count = 0
    for seed in UInt64(1)...8 {
      var script = Script(seed: seed, start: 1_768_003_200_000, length: 86_400_000, steps: steps)
      if let server { script.server = try #require(.named(server)) }
      let result = try Simulation.run(script, traces: true)
      let trace = result.trace.joined(separator: "\n")
      #expect(result.differences.isEmpty, "seed \(seed): \(result.differences)\n\(trace)")
      count += result.trace.count { $0.contains(word) }
    }
    return count
  }

  // MARK: Little room

  // The center closes an alert, to keep its buttons, and shows it again. It took the report of that for the end of the
  // alert. A real one sends that report only to the center that has shown it.
  @Test func `GNOME's alerts stay when the center starts anew`() throws {
    let count = try Self.play(
      on: "gnome-shell 48.7",
      [
        (1, Self.notify("a")), (1, Self.notify("b")), (1, Self.alert("c")),
        (1.5, .end(.now, isPowerLoss: false, off: 100)), (3, .restartServer(100)),
      ])
    #expect(count == 5 * 8)
  }

  // Four are on their way at once, so the center cannot make room.
  @Test func `An alert that the server closes for others comes back`() throws {
    let count = try Self.play(
      on: "gnome-shell 48.7",
      [
        (1, .slowServer(answer: 500, for: 10_000)), (2, Self.alert("a")), (2, Self.notify("b")), (2, Self.notify("c")),
        (2, Self.notify("d")),
      ],
      counting: "the server closes")
    #expect(count == 8)
  }

  // The center forgot the end of a notification whose number it got late.
  @Test func `An alert comes back that the server closed for others before it hung`() throws {
    try Self.play(
      on: "gnome-shell 48.7",
      [
        (1, .slowServer(answer: 10, for: 10_000)), (2, Self.alert("a")), (2, Self.notify("b")), (2, Self.notify("c")),
        (2, Self.notify("d")), (2.001, .hangServer(for: 20_000)),
      ])
  }

  // The server gives it the number of the one before, whose end the center took for that of the older one.
  @Test func `An alert comes back that the server closed right after it has replaced another one`() throws {
    try Self.play(
      on: "naughty v4.3",
      [(1, .slowServer(answer: 500, for: 10_000)), (2, Self.alert("a")), (5, Self.alert("a"))]
        + (1...10).map { (5, Self.notify("n\($0)")) })
  }

  // It waited for room as the older one did.
  @Test func `A request with the id of an alert that waits for room is shown at once`() throws {
    try Self.play(
      on: "gnome-shell 48.7",
      [
        (1, Self.alert("a")), (1.1, Self.alert("b")), (1.2, Self.alert("c")), (1.3, Self.alert("d")),
        (1.5, Self.notify("a")),
      ])
  }

  // It was taken for the older one, which made room while both waited.
  @Test func `A request is shown at once although the one before with its id could make room`() throws {
    try Self.play(
      on: "gnome-shell 48.7",
      [
        (1, Self.alert("a")), (1, Self.alert("b")), (1, Self.alert("c")), (1.5, .refuse(1)), (1.5, Self.alert("d")),
        (1.6, Self.alert("a")), (1.6, Self.alert("b")), (1.6, Self.alert("c")),
      ])
  }

  // The one that was replaced was counted twice.
  @Test func `No alert makes room for a notification that takes the place of another one`() throws {
    try Self.play(
      on: "gnome-shell 48.7",
      [(1, Self.alert("a")), (1.5, Self.alert("b")), (2, Self.notify("a")), (2, Self.notify("c"))])
  }

  // They were taken for being on the screen, and left no room for anything.
  @Test func `What Budgie has ended while there was no center takes up no room`() throws {
    try Self.play(
      on: "Budgie Notification Server 10.7.1",
      [
        (1, Self.notify("a")), (1.1, Self.notify("b")), (1.2, Self.notify("c")),
        (1.5, .end(.now, isPowerLoss: false, off: 60_000)), (300, Self.notify("d")), (301, Self.notify("e")),
      ])
  }

  @Test func `A request that is cancelled while the server is asked leaves its room to the next one`() throws {
    try Self.play(
      on: "Budgie Notification Server 10.7.1",
      [
        (100, .slowServer(answer: 1_000, for: 1_500)), (101, Self.notify("a")), (101, Self.notify("b")),
        (101, Self.notify("c")), (101.1, Self.notify("d")), (101.2, .cancel("c")),
      ])
  }

  @Test func `A click in Cinnamon ends no other notification`() throws {
    let count = try Self.play(
      on: "cinnamon 5.6.8", [(1, Self.alert("a")), (1, Self.alert("b")), (1, Self.alert("c"))], counting: "user presses"
    )
    #expect(count > 8)
  }

  // MARK: Late and lost messages

  // The call to the server before was answered by the bus, and the center left the new one alone for a second.
  @Test func `A call to a server that has ended does not delay those to the next one`() throws {
    try Self.play([
      (5, .slowBus(delay: 600, for: 1)), (5, Self.notify("a")), (5, .restartServer(20)),
    ])
  }

  // It was sent again, and closed at once.
  @Test func `A notification that has expired is not shown again because a call was lost`() throws {
    let count = try Self.play([
      (1, Self.notify("a", isAlert: true, expires: 20)), (17, .end(.now, isPowerLoss: false, off: 100)),
      (17.05, .loseMessages(.call, 1)),
    ])
    #expect(count >= 8)
  }
}

extension RequestSpec {
  fileprivate func numbered(_ number: Int) -> RequestSpec {
    RequestSpec(
      number: number, id: id, when: when, zone: zone, missed: missed, grace: grace, isAlert: isAlert,
      hasLaunch: hasLaunch, snooze: snooze, expires: expires)
  }
}
