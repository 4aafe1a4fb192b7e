// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Freedesktop
import NotificationModel
import TestSupport
import Testing

@testable import suzud

/// Tests notifications whose texts the user hides.
@Suite(.timeLimit(.minutes(2))) struct HiddenTextsTests {
  /// A session that is locked until `unlock` has an element.
  private struct Lock {
    let unlock = Inbox<Bool>()
    let queries = Inbox<Bool>()

    var desktop: Desktop {
      var desktop = Desktop.unlocked
      desktop.session.isLocked = { [unlock, queries] in
        queries.put(true)
        return unlock.waiting.isEmpty
      }
      desktop.session.unlocked = { [unlock] _ in
        guard let isBack = try? await unlock.next(within: .seconds(60)) else { return true }
        unlock.put(isBack)
        return true
      }
      return desktop
    }
  }

  private static let chat: [String: Value] = [
    "id": "chat", "actions": actions(action("reply")),
    "hidden": .properties(["body": "{count} messages", "subtitle": true]),
  ]

  private static func hide(_ stand: CenterStand, _ previews: String) async throws {
    try await stand.call("Configure", ["test", .properties(["previews": .string(previews)])])
  }

  // GNOME draws one with buttons anew only if it was closed before. The report of that was taken for its end.
  @Test func `On GNOME, an alert stays when its texts come with the unlock`() async throws {
    let lock = Lock()
    try await CenterStand.run(desktop: lock.desktop) { stand in
      let server = try await stand.server(name: "gnome-shell", version: "48.7") {
        $0.summary == "Anna" ? .hold : .number
      }
      try await stand.setCategories(Self.chat)
      try await Self.hide(stand, "unlocked")
      try await stand.notify("a", ["title": "Anna", "body": "secret", "category": "chat", "style": "alert"])
      #expect(try await server.posted.next().summary == "test")
      #expect(try await stand.next(1) == ["Delivered a"])
      lock.unlock.put(true)
      #expect(try await server.closed.next() == 1)
      #expect(try await server.posted.next().summary == "Anna")
      try await server.tellClosed(1, reason: 3)
      await server.release()
      try await stand.settle()
      // Nothing but the old one is closed.
      #expect(server.closed.waiting.allSatisfy { $0 == 1 })
      #expect(try await stand.next(1) == ["Delivered a"])
      try await server.press(2, "reply")
      #expect(try await stand.next(1) == ["Responded a reply"])
    }
  }

  @Test func `While the session is locked, texts are hidden, and they come with the unlock`() async throws {
    let lock = Lock()
    try await CenterStand.run(desktop: lock.desktop) { stand in
      let server = try await stand.server(capabilities: ["actions", "body", "body-markup", "sound"])
      try await stand.setCategories(Self.chat)
      try await Self.hide(stand, "unlocked")
      let message: [String: Value] = [
        "title": "Anna", "subtitle": "Team", "body": "<b>secret</b>", "markup": true, "category": "chat",
        "thread": "team", "image": "face", "icon": "/tmp/anna.png", "style": "alert",
      ]
      try await stand.notify("a", message)
      let hidden = try await server.posted.next()
      #expect(hidden.summary == "test" && hidden.body == "Team\n1 messages")
      #expect(hidden.hints["image-path"] == nil && hidden.icon == "" && hidden.actions.contains("reply"))
      #expect(!"\(hidden)".contains("secret") && !"\(hidden)".contains("Anna") && !"\(hidden)".contains("anna"))
      // The second of its thread counts both; another app's are shown.
      #expect(try await stand.next(1) == ["Delivered a"])
      try await stand.notify("b", message.merging(["body": "secret"]) { $1 })
      #expect(try await server.posted.next().body == "Team\n2 messages")
      try await stand.notify("c", ["app": "other", "body": "open"])
      #expect(try await server.posted.next().body == "open")
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
      lock.unlock.put(true)
      let shown = try await server.posted.next(2)
      #expect(shown.map(\.summary) == ["Anna", "Anna"])
      #expect(shown.map(\.body) == ["Team\n<b>secret</b>", "Team\nsecret"])
      // They take the places of the hidden ones, silently.
      #expect(shown[0].replaces == hidden.number && shown[0].hints["suppress-sound"] == .boolean(true))
      try await stand.notify("d", message)
      #expect(try await server.posted.next().summary == "Anna")
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
    }
  }

  // The answer gave it another number, and the center forgot that it was on the screen: a click did not end it, and it
  // came back with the next start.
  @Test func `A server that hangs at the unlock may give a new number later`() async throws {
    let lock = Lock()
    try await CenterStand.run(timeouts: ServerFaultTests.brief, desktop: lock.desktop) { stand in
      let server = try await stand.server()
      _ = try await server.questions.next(2)  // what it is asked at first
      try await stand.setCategories(Self.chat)
      try await Self.hide(stand, "unlocked")
      try await stand.notify("a", ["title": "Anna", "category": "chat", "style": "alert"])
      #expect(try await server.posted.next().number == 1)
      #expect(try await stand.next(1) == ["Delivered a"])

      await server.follow { _ in .hold }
      await server.setAnswers(questions: false)
      lock.unlock.put(true)
      #expect(try await server.posted.next().replaces == 1)
      // The probe proves that the time limit of the call has passed.
      _ = try await server.questions.next()
      await server.setAnswers()
      await server.release(.exactly(7))
      #expect(try await stand.next(1) == ["Delivered a"])
      try await server.press(7, "reply")
      #expect(try await stand.next(2) == ["Responded a reply", "Closed a withdrawn"])
      #expect(try await stand.property("PendingCount") == .uint32(0))
    }
  }

  @Test func `With 'never' texts stay hidden, and the lock is not queried`() async throws {
    let lock = Lock()
    try await CenterStand.run(desktop: lock.desktop) { stand in
      let server = try await stand.server()
      try await Self.hide(stand, "never")
      try await stand.notify("a", ["title": "Anna", "body": "secret", "subtitle": "Team"])
      let hidden = try await server.posted.next()
      #expect(hidden.summary == "test" && hidden.body == "Notification")
      #expect(lock.queries.waiting.isEmpty)
      // It is stored and listed with its texts.
      #expect(try await stand.next(1) == ["Delivered a"])
      #expect(try await stand.all("Delivered").first?["body"] == "secret")
      try await Self.hide(stand, "always")
      try await stand.notify("b", ["title": "Anna"])
      #expect(try await server.posted.next().summary == "Anna")
      #expect(lock.queries.waiting.isEmpty)
    }
  }

  @Test func `A category may keep the title`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await stand.setCategories(["id": "c", "hidden": .properties(["title": true])])
      try await Self.hide(stand, "never")
      try await stand.notify("a", ["title": "Anna", "body": "secret", "category": "c"])
      let hidden = try await server.posted.next()
      #expect(hidden.summary == "Anna" && hidden.body == "Notification")
    }
  }

  @Test func `Many that come at once share one query of the lock`() async throws {
    let (queries, go) = (Inbox<Bool>(), Inbox<Bool>())
    var desktop = Desktop.unlocked
    desktop.session.isLocked = {
      let isFirst = queries.waiting.isEmpty
      queries.put(true)
      if isFirst { _ = try? await go.next(within: .seconds(60)) }
      return false
    }
    try await CenterStand.run(desktop: desktop) { stand in
      let server = try await stand.server()
      try await Self.hide(stand, "unlocked")
      for number in 0..<20 { try await stand.notify("\(number)") }
      try await stand.settle()
      #expect(queries.waiting.count == 1 && server.posted.waiting.isEmpty)
      // One is cancelled meanwhile, and one replaced: these are not shown.
      #expect(try await stand.count("Cancel", ["3"]) == 1)
      try await stand.notify("4", ["title": "newer"])
      go.put(true)
      let shown = try await server.posted.next(19).map(\.summary)
      #expect(Set(shown) == Set((0..<20).map { "\($0)" } + ["newer"]).subtracting(["3", "4"]))
      try await stand.settle()
      let ends = try await stand.all("History").compactMap { $0["reason"]?.string }
      #expect(ends.sorted() == ["cancelled", "replaced"])
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
    }
  }

  @Test func `A server that ends while the lock is queried loses nothing`() async throws {
    let go = Inbox<Bool>()
    let queries = Inbox<Bool>()
    var desktop = Desktop.unlocked
    desktop.session.isLocked = {
      queries.put(true)
      _ = try? await go.next(within: .seconds(60))
      return false
    }
    try await CenterStand.run(desktop: desktop) { stand in
      let first = try await stand.server()
      try await Self.hide(stand, "unlocked")
      try await stand.notify("a", ["style": "alert"])
      _ = try await queries.next()
      await first.die()
      let second = try await stand.server(name: "second")
      go.put(true)
      go.put(true)
      #expect(try await second.posted.next().summary == "a")
    }
  }

  @Test func `A digest of an app whose texts are hidden says only how many there are`() async throws {
    try await CenterStand.run(burst: 1) { stand in
      let server = try await stand.server()
      try await Self.hide(stand, "never")
      try await stand.setCategories(["id": "c", "summary": "{count} from {names}"])
      for id in ["a", "b"] {
        try await stand.notify(id, ["title": "secret", "category": "c", "summaryName": "secret"])
      }
      let posted = try await server.posted.next(2)
      #expect(posted[1].summary == "… and 1 more" && !"\(posted)".contains("secret"))
    }
  }

  @Test func `Texts that the user never wants to see are not spoken`() async throws {
    let spoken = Inbox<String>()
    var desktop = Desktop.unlocked
    desktop.signs.speak = { text, _ in
      spoken.put(text)
      return .taken
    }
    try await CenterStand.run(desktop: desktop) { stand in
      let server = try await stand.server()
      try await Self.hide(stand, "never")
      try await stand.notify("a", ["speak": true])
      _ = try await server.posted.next()
      #expect(try await stand.next(1) == ["Delivered a"])
      try await Self.hide(stand, "always")
      try await stand.notify("b", ["speak": true])
      #expect(try await spoken.next() == "b.")
    }
  }
}
