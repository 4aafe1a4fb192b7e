// SPDX-License-Identifier: Apache-2.0
import Testing

/// Kills the center right after a commit that ends a request which waits for a server.
extension SimulationTests {
  private static let id = "waiting"

  private static func notify(_ number: Int, _ when: RequestSpec.When) -> Script.Event {
    .notify(
      RequestSpec(
        number: number, id: id, when: when, zone: nil, missed: .deliver, grace: nil, isAlert: false, hasLaunch: false,
        snooze: nil, expires: nil))
  }

  /// What is shown of a request that waits for a server when its center is killed by the commit of `last`.
  private static func showings(endedBy last: Script.Event) throws -> [String] {
    let events: [Script.Event] = [
      .restartServer(60_000), notify(2, .now), .end(.afterSync(1), isPowerLoss: true, off: 1_000), last,
    ]
    let steps = events.enumerated().map { index, event in
      Script.Step(number: index + 1, at: Int64(index + 1) * 1_000, event: event)
    }
    let script = Script(seed: 1, start: 1_774_656_000_000, length: 600_000, steps: steps)
    let result = try Simulation.run(script, traces: true)
    #expect(result.ends == 1)
    #expect(result.differences.isEmpty, "\(result.differences)")
    return result.trace.filter { $0.contains("shows") }
  }

  @Test func `A request that waits for a server comes after a restart`() throws {
    #expect(try Self.showings(endedBy: .setClock(1_000)).count == 1)
  }

  @Test func `A request that was replaced while it waited for a server does not come after a restart`() throws {
    #expect(try Self.showings(endedBy: Self.notify(4, .after(300_000))).isEmpty)
  }

  @Test func `A request that was cancelled while it waited for a server does not come after a restart`() throws {
    #expect(try Self.showings(endedBy: .cancel(Self.id)).isEmpty)
  }
}
