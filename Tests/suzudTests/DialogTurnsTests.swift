// SPDX-License-Identifier: Apache-2.0
import DBus
import NotificationModel
import TestSupport
import Testing

@testable import suzud

/// Tests that the dialogs of one app are shown one after the other, with the app's name.
@Suite(.timeLimit(.minutes(1)))
struct DialogTurnsTests {
  private static let replying: [String: Value] = [
    "actions": actions(action("reply", url: "https://example.org/{reply}", ["input": .properties([:])]))
  ]

  // A sandboxed app once had 19 of them open at the same time.
  @Test func `Each app has one open dialog, and its other dialogs wait for their turn`() async throws {
    let opened = Inbox<DialogHeading>()
    let replies = Inbox<Desktop.Dialogs.Reply>()
    var desktop = Desktop.unlocked
    desktop.apps.name = { $0 == BoxStand.app ? "Your keyring" : "Tea" }
    desktop.dialogs.prompt = { heading, _, _ in
      opened.put(heading)
      return heading.app == "Tea" ? .cancelled : (try? await replies.next()) ?? .cancelled
    }
    try await BoxStand.run(desktop: desktop) { box in
      let server = try await box.stand.server()
      for id in ["a", "b", "c"] { try await box.notify(id, Self.replying) }
      try await box.stand.notify("u", Self.replying)
      _ = try await box.stand.next(4)
      for number in 1...4 as ClosedRange<UInt32> { try await server.press(number, "reply") }
      // The name that a sandboxed app gives itself is followed by its id.
      #expect(
        try await opened.next()
          == DialogHeading(app: "Your keyring (org.example.Boxed)", text: "reply: a", notification: "a"))
      #expect(try await opened.next() == DialogHeading(app: "Tea", text: "reply: u", notification: "u"))
      try await box.stand.settle()
      #expect(opened.waiting.isEmpty)
      for text in ["reply: b", "reply: c"] {
        replies.put(.cancelled)
        #expect(try await opened.next().text == text)
      }
      replies.put(.cancelled)
    }
  }

  @Test func `Dialogs beyond the limit of waiting ones end as busy`() async throws {
    let opened = Inbox<DialogHeading>()
    let replies = Inbox<Desktop.Dialogs.Reply>()
    var desktop = Desktop.unlocked
    desktop.dialogs.prompt = { heading, _, _ in
      opened.put(heading)
      return (try? await replies.next()) ?? .cancelled
    }
    try await BoxStand.run(desktop: desktop) { box in
      let server = try await box.stand.server()
      let count = DialogTurns.mostWaiting + 2
      for number in 1...count { try await box.notify("\(number)", Self.replying) }
      _ = try await box.stand.next(count)
      for number in 1...count { try await server.press(UInt32(number), "reply") }
      var lines: [String] = []
      while lines.last != "Outcome lapsed: busy" { lines += try await box.stand.next(1) }
      for _ in 0..<count { replies.put(.cancelled) }
      for number in 1..<count { #expect(try await opened.next().text == "reply: \(number)") }
      #expect(opened.waiting.isEmpty)
    }
  }
}
