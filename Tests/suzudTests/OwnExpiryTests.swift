// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import TestSupport
import Testing

@testable import suzud

/// Tests that a notification with `expires` ends in time, also on servers that would keep it for ever.
@Suite(.timeLimit(.minutes(2)))
struct OwnExpiryTests {
  private static var brief: Timeouts {
    var timeouts = Timeouts()
    timeouts.pauses.expiry = .milliseconds(5)
    return timeouts
  }

  private static func expiring(_ more: [String: Value] = [:]) -> [String: Value] {
    ["expires": "50ms", "level": "critical"].merging(more) { $1 }
  }

  // It stayed on Xfce, and `--wait` never ended.
  @Test func `A critical notification is closed when its time has passed`() async throws {
    try await CenterStand.run(timeouts: Self.brief) { stand in
      let server = try await stand.server()
      try await stand.notify("a", Self.expiring())
      #expect(try await server.posted.next().timeout == 50)
      #expect(try await server.closed.next() == 1)
      #expect(try await stand.next(2) == ["Delivered a", "Closed a expired"])
      #expect(try await stand.history("a").map { $0["reason"]?.string } == ["expired"])
      // The server says what it did, and that changes nothing.
      try await server.tellClosed(1, reason: 3)
      try await stand.settle()
      #expect(try await stand.history("a").map { $0["reason"]?.string } == ["expired"])
    }
  }

  @Test func `A server that keeps expired notifications without a word gets a close for each`() async throws {
    try await CenterStand.run(timeouts: Self.brief) { stand in
      let server = try await stand.server(name: "SwayNotificationCenter", version: "0.11.0")
      try await stand.notify("a", ["expires": "50ms"])
      #expect(try await server.closed.next() == 1)
      #expect(try await stand.next(2) == ["Delivered a", "Closed a expired"])
    }
  }

  // A server keeps a notification while the pointer is over it.
  @Test func `Other notifications are left to a server that reports their expiry`() async throws {
    try await CenterStand.run(timeouts: Self.brief) { stand in
      let server = try await stand.server()
      try await stand.notify("left", ["expires": "1ms"])
      try await stand.notify("stays", ["level": "critical"])
      try await stand.notify("never", ["level": "critical", "expires": "never"])
      try await stand.notify("closed", Self.expiring())
      #expect(try await server.closed.next() == 4)
      let shown = try await stand.listing("Delivered").compactMap { $0["id"]?.string }
      #expect(shown.sorted() == ["left", "never", "stays"])
    }
  }

  // Xfce neither shows nor closes what comes during 'Do not disturb': it was 'on the screen' for ever.
  @Test func `A server that should have closed it gets some more time, and then a close`() async throws {
    var timeouts = Self.brief
    timeouts.pauses.expiryOnServer = .milliseconds(20)
    try await CenterStand.run(timeouts: timeouts) { stand in
      let server = try await stand.server()
      try await stand.notify("kept", ["expires": "1ms"])
      try await stand.notify("stays", ["title": "without an expiry"])
      #expect(try await server.closed.next() == 1)
      #expect(try await stand.next(3) == ["Delivered kept", "Delivered stays", "Closed kept expired"])
      #expect(try await stand.history("kept").map { $0["reason"]?.string } == ["expired"])
    }
  }

  @Test func `A newer request with the same id has a time of its own`() async throws {
    try await CenterStand.run(timeouts: Self.brief) { stand in
      let server = try await stand.server()
      try await stand.notify("a", Self.expiring(["expires": "1s"]))
      #expect(try await stand.next(1) == ["Delivered a"])
      try await stand.notify("a", ["title": "newer", "level": "critical"])
      #expect(try await stand.next(2) == ["Closed a replaced", "Delivered a"])
      // The time of the first one passes before that of another.
      try await stand.notify("b", Self.expiring(["expires": "1200ms"]))
      #expect(try await stand.next(2) == ["Delivered b", "Closed b expired"])
      #expect(try await server.closed.next() == 2)
      #expect(try await stand.listing("Delivered").compactMap { $0["id"]?.string } == ["a"])
    }
  }
}
