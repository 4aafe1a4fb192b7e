// SPDX-License-Identifier: Apache-2.0
import DBus
import NotificationModel
import Synchronization
import TestSupport
import Testing

@testable import suzud

/// Tests actions that wait for the unlock of the session.
@Suite(.timeLimit(.minutes(2)))
struct LockedSessionTests {
  /// A lock that the test opens.
  private final class Lock: Sendable {
    let opened = Inbox<Bool>()
    let asked = Inbox<Duration>()
    private let locked = Mutex(true)

    var desktop: Desktop {
      var desktop = Desktop.unlocked
      desktop.session.isLocked = { self.locked.withLock { $0 } }
      desktop.session.unlocked = { limit in
        self.asked.put(limit)
        return (try? await self.opened.next(within: .seconds(60))) ?? false
      }
      return desktop
    }

    func open() {
      locked.withLock { $0 = false }
      opened.put(true)
    }
  }

  @Test(arguments: ["authenticationRequired", "foreground"])
  func `An action in a locked session waits for the unlock, and then runs once`(word: String) async throws {
    let lock = Lock()
    try await CenterStand.run(desktop: lock.desktop) { stand in
      let server = try await stand.server()
      let folder = try TemporaryFolder()
      let run = ["sh", "-c", "echo >>'\(folder.path("done"))'"]
      try await stand.notify("a", ["actions": actions(action("x", run: run, [word: true]), action("y", run: run))])
      try await stand.notify("b", ["actions": actions(action("y", run: run))])
      _ = try await stand.next(2)
      try await server.press(1, "x")
      #expect(try await stand.next(3).sorted() == ["Closed a withdrawn", "Outcome waiting: locked", "Responded a x"])
      #expect(try await stand.listing("History").contains { $0["outcome"] == "waiting: locked" })
      #expect(try await lock.asked.next() > .seconds(3500))
      // An action that does not need the user does not wait.
      try await server.press(2, "y")
      #expect(try await stand.next(3).sorted() == ["Closed b withdrawn", "Outcome done", "Responded b y"])
      #expect(folder.read("done") == "\n")
      lock.open()
      #expect(try await stand.next(1) == ["Outcome done"])
      #expect(folder.read("done") == "\n\n")
    }
  }

  @Test func `An action lapses if the session is not unlocked in time`() async throws {
    let lock = Lock()
    try await CenterStand.run(desktop: lock.desktop) { stand in
      let server = try await stand.server()
      try await stand.notify("a", ["actions": actions(action("x", run: ["true"], ["authenticationRequired": true]))])
      _ = try await stand.next(1)
      try await server.press(1, "x")
      _ = try await stand.next(3)
      lock.opened.put(false)
      #expect(try await stand.next(1) == ["Outcome lapsed: locked"])
    }
  }

  @Test(arguments: [(0, "Outcome done"), (1, "Outcome lapsed: not confirmed"), (nil, "Outcome lapsed: not confirmed")])
  func `A destructive action that had to wait asks for confirmation`(answer: Int?, outcome: String) async throws {
    let lock = Lock()
    try await CenterStand.run(desktop: lock.desktop) { stand in
      let server = try await stand.server()
      let more: [String: Value] = ["authenticationRequired": true, "destructive": true]
      try await stand.notify("a", ["actions": actions(action("x", run: ["true"], more))])
      _ = try await stand.next(1)
      _ = try await server.posted.next()
      try await server.press(1, "x")
      _ = try await stand.next(3)
      lock.open()
      let question = try await server.posted.next()
      #expect(question.summary == "x?" && question.keys == ["default", "0", "1"] && question.timeout == 0)
      // The center must know its number first.
      #expect(try await stand.next(1).first?.hasPrefix("Delivered dev.suzu.question") == true)
      if let answer { try await server.press(2, "\(answer)") } else { try await server.tellClosed(2, reason: 2) }
      #expect(try await stand.next(2).contains(outcome))
    }
  }

  // Once, a destructive action that only had `foreground` ran without a confirmation.
  @Test(arguments: ["authenticationRequired", "foreground"])
  func `A destructive action asks for confirmation if the unlock came while no center ran`(
    word: String
  ) async throws {
    let home = try TemporaryFolder()
    let folder = try TemporaryFolder()
    let lock = Lock()
    try await CenterStand.run(home: home, desktop: lock.desktop) { stand in
      let server = try await stand.server()
      let run = ["sh", "-c", "echo >>'\(folder.path("done"))'"]
      try await stand.notify("a", ["actions": actions(action("x", run: run, [word: true, "destructive": true]))])
      _ = try await stand.next(1)
      try await server.press(1, "x")
      _ = try await lock.asked.next()
    }
    try await CenterStand.run(home: home) { stand in
      let server = try await stand.server()
      let question = try await server.posted.next()
      #expect(question.summary == "x?" && folder.read("done") == nil)
      try await server.press(question.number, "0")
      _ = try await stand.events.next { $0 == "Outcome done" }
      #expect(folder.read("done") == "\n")
    }
    lock.opened.put(false)
  }

  @Test func `An action keeps waiting for the unlock across a restart of the center`() async throws {
    let home = try TemporaryFolder()
    let folder = try TemporaryFolder()
    let first = Lock()
    try await CenterStand.run(home: home, desktop: first.desktop) { stand in
      let server = try await stand.server()
      let run = ["sh", "-c", "echo >>'\(folder.path("done"))'"]
      try await stand.notify("a", ["actions": actions(action("x", run: run, ["authenticationRequired": true]))])
      _ = try await stand.next(1)
      try await server.press(1, "x")
      _ = try await first.asked.next()
    }
    let second = Lock()
    try await CenterStand.run(home: home, desktop: second.desktop) { (stand) async throws in
      let limit = try await second.asked.next()
      #expect(limit < .seconds(3600))
      #expect(folder.read("done") == nil)
      second.open()
      #expect(try await stand.next(1) == ["Outcome done"])
      #expect(folder.read("done") == "\n")
    }
    first.opened.put(false)
  }
}
