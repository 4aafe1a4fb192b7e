// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Freedesktop
import TestSupport
import Testing

@testable import suzud

/// Tests answers of programs to notifications that are still on their way to the screen.
@Suite struct RespondTests {
  /// Starts an answer; it is on its way to the center when this returns.
  private static func answer(_ id: String, on stand: CenterStand) async throws -> Task<Void, any Error> {
    let started = Inbox<Bool>()
    let answering = Task {
      started.put(true)
      try await stand.respond(id, "yes")
    }
    _ = try await started.next()
    try await stand.settle()
    return answering
  }

  private static let yes: [String: Value] = ["actions": actions(action("yes"))]

  // A script that answered directly after sending was told that there is no such notification.
  @Test func `An answer waits for a notification that is being posted`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server { _ in .hold }
      try await stand.notify("a", Self.yes)
      _ = try await server.posted.next()
      let answering = try await Self.answer("a", on: stand)
      await server.release()
      try await answering.value
      #expect(try await stand.next(4) == ["Delivered a", "Responded a yes", "Closed a withdrawn", "Outcome done"])
    }
  }

  @Test func `An answer waits for a notification that waits for a server, and counts for the newer version`()
    async throws
  {
    try await CenterStand.run { stand in
      try await stand.notify("a", Self.yes)
      let answering = try await Self.answer("a", on: stand)
      try await stand.notify("a", Self.yes)
      _ = try await stand.server()
      try await answering.value
      let events = try await stand.next(4).filter { !$0.hasPrefix("Closed a replaced") }
      #expect(events.starts(with: ["Delivered a", "Responded a yes"]), "\(events)")
    }
  }

  @Test(arguments: [true, false])
  func `An answer is refused if the notification is cancelled, or does not come in time`(isCancelled: Bool) async throws
  {
    var timeouts = Timeouts.usual
    if !isCancelled { timeouts.server.posting = .milliseconds(20) }
    try await CenterStand.run(timeouts: timeouts) { stand in
      let server = try await stand.server { _ in .hold }
      try await stand.notify("a", Self.yes)
      _ = try await server.posted.next()
      let answering = try await Self.answer("a", on: stand)
      if isCancelled { #expect(try await stand.count("Cancel", ["a"]) == 1) }
      await #expect(throws: CallError.self) { try await answering.value }
      await server.release()
    }
  }
}
