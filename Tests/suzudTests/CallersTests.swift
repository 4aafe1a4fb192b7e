// SPDX-License-Identifier: Apache-2.0
import CenterContract
import DBus
import Freedesktop
import NotificationModel
import TestSupport
import Testing

@testable import suzud

/// Tests that a caller is identified once, unless that failed.
@Suite(.timeLimit(.minutes(1)))
struct CallersTests {
  // A shortage of descriptors once made a caller a stranger for as long as the center ran.
  @Test func `A caller that could not be identified is looked up again at its next call`() async throws {
    let asked = Inbox<Caller>()
    let answers = Inbox<Rights?>()
    let desktop = Desktop { name in
      asked.put(name)
      return (try? await answers.next()) ?? nil
    }
    answers.put(.all)
    try await CenterStand.run(desktop: desktop) { stand in
      let other = try await stand.bus.connect(on: stand.loop)
      func isTaken() async -> Bool {
        (try? await stand.call("Pending", ["", .properties([:])], as: other)) != nil
      }
      answers.put(Optional<Rights>.none)
      #expect(await !isTaken())
      answers.put(.all)
      #expect(await isTaken())
      // A definite answer is remembered.
      #expect(await isTaken())
      #expect(asked.waiting.count == 3)
    }
  }

  // The bus reuses unique names after a restart.
  @Test func `Callers identified on one bus are unknown on the next`() async throws {
    let asked = Inbox<Caller>()
    let answers = Inbox<Rights?>()
    let desktop = Desktop { name in
      asked.put(name)
      return (try? await answers.next()) ?? nil
    }
    answers.put(.all)
    try await CenterStand.run(desktop: desktop) { stand in
      let other = try await stand.bus.connect(on: stand.loop)
      _ = try await asked.next()
      let first = Task { try await stand.call("Pending", ["", .properties([:])], as: other) }
      _ = try await asked.next()
      // A second call waits for the same answer.
      let second = Task { try await stand.call("Pending", ["", .properties([:])], as: other) }
      try await stand.settle(as: other)
      await stand.center.forgetCallers()
      await #expect(throws: CallError.self) { try await second.value }
      answers.put(.all)
      await #expect(throws: CallError.self) { try await first.value }
      #expect(await !stand.center.knows(try #require(await other.uniqueName)))
      answers.put(.all)
      _ = try await stand.call("Pending", ["", .properties([:])], as: other)
      _ = try await asked.next()
    }
  }

  @Test func `The number of known callers is limited, and callers that left the bus are forgotten`() async throws {
    try await CenterStand.run { stand in
      for _ in 0..<KnownCallers.sweep + 8 {
        let other = try await stand.bus.connect(on: stand.loop)
        _ = try await stand.call("Pending", ["", .properties([:])], as: other)
        await other.close()
      }
      try await stand.settle()
      #expect(await stand.center.knownCallers < KnownCallers.sweep)
    }
    var callers = KnownCallers()
    for number in 0..<10_000 {
      let name = Caller(try #require(BusName(":1.\(number)")))
      let isFirst = callers.begin(name)
      #expect(isFirst)
      _ = callers.end(name, .all, began: callers.generation)
      #expect(callers.count <= KnownCallers.most)
    }
  }

  @Test func `A desktop that does not identify callers grants no rights`() async throws {
    #expect(await Desktop().identify(Caller(":1.1")) == Rights.none)
    #expect(Rights(asker: nil) == .all && Rights(asker: "box:a.b") == .of(app: "a.b"))
    for text in ["", "box:", "link:x", "all"] { #expect(Rights(asker: text) == Rights.none) }
    for rights in [Rights.all, .of(app: "ä.\u{301}b")] { #expect(Rights(asker: rights.asker) == rights) }
    #expect(Rights(.sandboxed(app: NotificationRequest.defaultApp, by: .flatpak)) == Rights.none)
    #expect(Rights(.undetermined) == nil && Rights(.unknown) == Rights.none)
  }
}

extension CenterService {
  fileprivate var knownCallers: Int { callers.known.count }
  fileprivate func knows(_ caller: BusName) -> Bool { callers.known[Caller(caller)] != nil }
}

extension CenterStand {
  /// Returns when the center has received everything that this connection sent: the bus keeps the order of one sender.
  fileprivate func settle(as connection: Connection) async throws {
    _ = try await connection.call(
      MethodCall(to: CenterBus.name, CenterBus.path, "org.freedesktop.DBus.Peer", "Ping"))
  }
}
