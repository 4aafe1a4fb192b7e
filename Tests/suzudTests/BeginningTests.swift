// SPDX-License-Identifier: Apache-2.0
import CenterContract
import DBus
import EventLoop
import Foundation
import NotificationModel
import Scheduling
import TestSupport
import Testing

@testable import suzud

/// Tests the start of actions: it is recorded first, and must be possible.
@Suite(.timeLimit(.minutes(2)))
struct BeginningTests {
  /// Acts while the center queries the lock: the click is on disk by then, its beginning is not.
  private static func desktop(_ isAsked: @escaping @Sendable () async -> Void) -> Desktop {
    var desktop = Desktop.unlocked
    desktop.session.isLocked = {
      await isAsked()
      return false
    }
    return desktop
  }

  private static let quick: Timeouts = {
    var timeouts = Timeouts()
    timeouts.pauses.record = .milliseconds(5)
    timeouts.pauses.longestRecord = .milliseconds(40)
    return timeouts
  }()

  private static func runs(_ program: String...) -> [String: Value] {
    ["actions": actions(action("go", run: program, ["foreground": true]))]
  }

  @Test func `An action whose start cannot be recorded does not run, and its outcome says why`() async throws {
    let folder = try TemporaryFolder()
    let center = Inbox<CenterService>()
    let desktop = Self.desktop { if let center = center.waiting.first { await center.loseStore() } }
    try await CenterStand.run(timeouts: Self.quick, desktop: desktop) { stand in
      let server = try await stand.server()
      center.put(stand.center)
      try await stand.notify("a", Self.runs("touch", folder.path("done")))
      #expect(try await stand.next(1) == ["Delivered a"])
      try await server.press(1, "go")
      let lines = try await stand.next(3)
      let outcome = lines.first { $0.hasPrefix("Outcome") } ?? ""
      #expect(outcome.hasPrefix("Outcome failed: not begun, because the disk could not record it: "))
      #expect(folder.read("done") == nil)
    }
  }

  /// Runs in its own process, whose files cannot grow for a while.
  @Test func `An action runs once if the disk fails for a moment`() async throws {
    await #expect(processExitsWith: .success) {
      signal(SIGXFSZ, SIG_IGN)
      let folder = try TemporaryFolder()
      let asked = Inbox<Bool>()
      var timeouts = Timeouts()
      timeouts.pauses.record = .milliseconds(20)
      timeouts.pauses.longestRecord = .seconds(20)
      let desktop = Self.desktop {
        letFilesGrow(to: 0)
        asked.put(true)
      }
      try await CenterStand.run(timeouts: timeouts, desktop: desktop) { stand in
        let server = try await stand.server()
        try await stand.notify("a", Self.runs("/bin/sh", "-c", "echo >>'\(folder.path("done"))'"))
        #expect(try await stand.next(1) == ["Delivered a"])
        try await server.press(1, "go")
        _ = try await asked.next()
        // By then the write has been tried, and has failed.
        try await stand.settle()
        letFilesGrow(to: .max)
        let outcome = try await stand.events.next(within: .seconds(30)) { $0.hasPrefix("Outcome") }
        #expect(outcome == "Outcome done")
        #expect(folder.read("done") == "\n")
      }
    }
  }

  // MARK: Too long to begin

  @Test func `A request with a button whose program could not be started is refused`() async throws {
    try await CenterStand.run { stand in
      let long = String(repeating: "x", count: 200_000)
      let own = try await stand.refusal(
        of: .properties([
          "title": "t", "body": .string(long), "actions": actions(action("go", run: ["echo", "{body}"])),
        ]))
      #expect(own.name == RefusalCode.invalidRequest.errorName)
      #expect(own.message.hasPrefix("the action 'go' would start a program with an argument of 200000 bytes"))
      #expect(own.message.contains("standard input"))
      #expect(
        try await stand.refusal(of: .properties(["title": "t", "url": .string("https://a.org/" + long)])).name
          == RefusalCode.invalidRequest.errorName)

      // Arguments that are too long by themselves are refused with their category, the others with the request.
      await #expect(throws: CallError.self) {
        try await stand.setCategories(["id": "long", "actions": actions(action("go", run: ["echo", long]))])
      }
      try await stand.setCategories(["id": "c", "actions": actions(action("go", run: ["echo", "{userInfo.text}"]))])
      let request: [String: Value] = ["app": "test", "title": "t", "category": "c"]
      let info: Value = .properties(["text": .string(long)])
      #expect(
        try await stand.refusal(of: .properties(request.merging(["userInfo": info]) { $1 })).message
          .contains("an argument of 200000 bytes"))
      try await stand.call("Notify", [.properties(request)])
    }
  }

  @Test func `A category that became too long for a request gives a clear outcome`() async throws {
    try await CenterStand.run { stand in
      try await stand.setCategories(["id": "c", "actions": actions(action("go", run: ["echo", "{id}"]))])
      try await stand.notify("a", ["category": "c", "body": .string(String(repeating: "x", count: 200_000))])
      try await stand.setCategories(["id": "c", "actions": actions(action("go", run: ["echo", "{body}"]))])
      let server = try await stand.server()
      #expect(try await stand.next(1) == ["Delivered a"])
      try await server.press(1, "go")
      let lines = try await stand.next(3)
      #expect(
        lines.contains {
          $0.hasPrefix("Outcome failed: echo cannot be started with an argument of 200000 bytes")
        }, "\(lines)")
    }
  }
}

extension CenterService {
  /// The disk is missing.
  fileprivate func loseStore() { around.agenda.store.close() }
}
