// SPDX-License-Identifier: Apache-2.0
import CenterClient
import Foundation
import NotificationModel
import TestSupport
import Testing

/// Tests apps with an application delegate, each a program of its own, which a click starts.
@Suite(.onOwnThread, .timeLimit(.minutes(5))) struct ApplicationTests {
  private static func run(
    _ program: String, _ body: @Sendable (CenterStand, RunningProgram) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    try await CenterStand.run(
      services: [CenterStand.app: Session.programs + "/" + program],
      variables: ["SUZU_APP_ID": CenterStand.app, "APP_LINES": folder.path("witness")], in: folder
    ) { stand in
      try await body(stand, try stand.session.witness())
    }
  }

  @Test func `An app of the older form schedules, and gets clicks, actions and typed texts`() async throws {
    try await Self.run("old-app") { stand, lines in
      let app = try RunningProgram(
        Session.programs + "/old-app", ["schedule"], environment: stand.session.environment)
      #expect(lines.readLine() == "launched")
      #expect(lines.readLine() == "active")
      #expect(lines.readLine() == "registered 7")
      let posted = try await stand.server.posted.next()
      #expect(posted.summary == "Invitation" && posted.body == "Tea at five")
      #expect(posted.actions.filter { ["Accept", "⚠ Trash", "Reply"].contains($0) }.count == 3, "\(posted.actions)")
      #expect(lines.readLine() == #"scheduled ["Every day", "Every day"] true"#)
      #expect(lines.readLine() == "left 1")
      #expect(lines.readLine() == "badge 5")
      #expect(lines.readLine() == "may true 1")
      _ = try await stand.events.next { if case .delivered = $0 { true } else { false } }
      try await stand.server.press(posted.number, posted.key("Accept"))
      #expect(lines.readLine() == "action ACCEPT Tea at five")
      #expect(try await stand.outcome() == .done)

      try await stand.notify("typed")
      try await stand.observer.respond(app: CenterStand.app, id: "typed", action: "REPLY", reply: "with milk")
      #expect(lines.readLine() == "action REPLY with milk")
      #expect(try await stand.outcome() == .done)

      // The handler of this action is released without a call.
      try await stand.notify("typed")
      try await stand.observer.respond(app: CenterStand.app, id: "typed", action: "TRASH")
      #expect(lines.readLine() == "action TRASH Green")
      #expect(
        try await stand.outcome() == .failed("the app has released the completion handler without calling it"))

      let clicked = try await stand.notify("clicked")
      try await stand.server.press(clicked, "default")
      #expect(lines.readLine() == "received Green tea://invite 4")
      #expect(try await stand.outcome() == .done)
      #expect(try await stand.observer.badge(app: CenterStand.app) == 4)

      app.signal(SIGTERM)
      #expect(lines.readLine() == "ends")
      #expect(app.waitForExit() == 0)
    }
  }

  @Test func `A click starts an app of the older form with the notification in its launch options`() async throws {
    try await Self.run("old-app") { stand, lines in
      let first = try await stand.notify("first")
      try await stand.server.press(first, "default")
      #expect(lines.readLine() == "launched by Green")
      #expect(lines.readLine() == "active")
      #expect(lines.readLine() == "registered 7")
      #expect(try await stand.outcome() == .done)
      // The launch options had the first click: the next line is about the second one.
      let second = try await stand.notify("second")
      try await stand.server.press(second, "default")
      #expect(lines.readLine() == "received Green tea://invite 0")
      try stand.endApp()
      #expect(lines.readLine() == "ends")
    }
  }

  private static func payload(_ aps: [String: PlainValue], page: Int64) throws -> PushPayload {
    try PushPayload(["aps": .dictionary(aps), "page": .integer(page)])
  }

  @Test func `A silent push starts an app of the older form, which gets the data of each`() async throws {
    try await Self.run("old-app") { stand, lines in
      let silent: [String: PlainValue] = ["content-available": .integer(1)]
      try await stand.observer.push(Self.payload(silent, page: 7), to: AppID(CenterStand.app))
      #expect(
        (0..<4).compactMap { _ in lines.readLine() }.sorted() == ["active", "launched", "pushed 7 1", "registered 7"])
      #expect(try await stand.outcome() == .done)
      try await stand.observer.push(Self.payload(silent, page: 0), to: AppID(CenterStand.app))
      #expect(lines.readLine() == "pushed 0 1")
      #expect(try await stand.outcome() == .failed("the app could not get its data"))
      try await stand.observer.push(Self.payload(silent, page: 9), to: AppID(CenterStand.app))
      #expect(lines.readLine() == "pushed 9 1")
      #expect(
        try await stand.outcome() == .failed("the app has released the completion handler without calling it"))
      try stand.endApp()
      #expect(lines.readLine() == "ends")
    }
  }

  @Test func `A click on a notification that came as a push is told as one`() async throws {
    try await Self.run("old-app") { stand, lines in
      let app = try RunningProgram(Session.programs + "/old-app", environment: stand.session.environment)
      for line in ["launched", "active", "registered 7"] { #expect(lines.readLine() == line) }
      for (page, key, line) in [(1, "Accept", "push ACCEPT 1"), (2, "default", "pushed 2 0")] {
        try await stand.observer.push(
          Self.payload(["alert": .text("Tea"), "category": .text("INVITE")], page: Int64(page)),
          to: AppID(CenterStand.app))
        let posted = try await stand.server.posted.next()
        _ = try await stand.events.next { if case .delivered = $0 { true } else { false } }
        try await stand.server.press(posted.number, key == "default" ? key : posted.key(key))
        #expect(lines.readLine() == line)
        #expect(try await stand.outcome() == .done)
      }
      app.signal(SIGTERM)
      #expect(lines.readLine() == "ends")
      #expect(app.waitForExit() == 0)
    }
  }

  @Test func `A list of things to do finds its notifications again, and computes their badges`() async throws {
    try await Self.run("todo-app") { stand, lines in
      let app = try RunningProgram(Session.programs + "/todo-app", environment: stand.session.environment)
      #expect(lines.readLine() == #"items ["Late", "Milk", "Tea"] badges [2, 3]"#)
      let posted = try await stand.shown(nil)
      #expect(posted.body == #"Todo Item "Late" Is Overdue"#)
      try await stand.server.press(posted.number, posted.key("Complete"))
      #expect(lines.readLine() == #"COMPLETE_TODO Late, left ["Milk", "Tea"]"#)
      #expect(try await stand.outcome() == .done)
      app.signal(SIGTERM)
      #expect(app.waitForExit() == 0)
    }
  }

  @Test func `An app whose code is all on the main actor`() async throws {
    try await Self.run("main-actor-app") { stand, lines in
      let app = try RunningProgram(Session.programs + "/main-actor-app", environment: stand.session.environment)
      #expect(lines.readLine() == "no push")
      #expect(lines.readLine() == "added 2")
      let posted = try await stand.shown("cards")
      #expect(try await stand.observer.badge(app: CenterStand.app) == 3)
      try await stand.server.press(posted.number, posted.key("Later"))
      #expect(lines.readLine() == #"LATER ["cards"]"#)
      #expect(try await stand.outcome() == .done)
      app.signal(SIGTERM)
      #expect(app.waitForExit() == 0)
    }
  }

  @Test func `A push starts a messenger, whose service extension decrypts it`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "[Desktop Entry]\nType=Application\nName=Tea\nDBusActivatable=true\nX-Suzu-ChangesPushes=true\n",
      to: "home/.local/share/applications/\(CenterStand.app).desktop")
    try await CenterStand.run(
      services: [CenterStand.app: Session.programs + "/push-app"],
      variables: ["SUZU_APP_ID": CenterStand.app, "APP_LINES": folder.path("witness")], in: folder
    ) { stand in
      let lines = try stand.session.witness()
      for text in ["olleH", "aeT"] {
        try await stand.observer.push(
          PushPayload([
            "aps": .dictionary([
              "alert": .dictionary(["title": .text("Anna"), "body": .text("New message")]),
              "mutable-content": .integer(1), "url": .text("https://example.org"),
            ]), "text": .text(text), "chat": .text("7"),
          ]), to: AppID(CenterStand.app))
        if text == "olleH" { #expect(lines.readLine() == "launched") }
        let posted = try await stand.server.posted.next()
        #expect(posted.summary == "Anna" && posted.body == String(text.reversed()))
        _ = try await stand.events.next { if case .delivered = $0 { true } else { false } }
      }
      let row = try await stand.observer.history(app: CenterStand.app).first
      #expect(row?.words["url"] == .text("https://example.org") && row?.words["level"] == .text("timeSensitive"))
      try stand.endApp()
    }
  }

  /// Its delegate of the newer form is set only while it launches: the response waits for it.
  @Test func `A click starts an app that sets its delegate while it launches`() async throws {
    try await Self.run("new-app") { stand, lines in
      let first = try await stand.notify("first")
      try await stand.server.press(first, "default")
      #expect(lines.readLine() == "launched")
      #expect(lines.readLine() == "response com.apple.UNNotificationDefaultActionIdentifier Tea")
      #expect(try await stand.outcome() == .done)
      try stand.endApp()
    }
  }
}

extension CenterStand {
  /// Shows a notification of the app, and returns its number on the server.
  @discardableResult
  fileprivate func notify(_ id: RequestID) async throws -> UInt32 {
    try await observer.notify(
      NotificationRequest(app: AppID(Self.app), id: id, title: "Tea") {
        $0.body = "Green"
        $0.userInfo = ["scheme": .text("tea://invite")]
        // The first of these apps has registered it.
        if id == "typed" { $0.category = "INVITE" }
      })
    return try await shown(id.text).number
  }

  /// Ends the app that the bus has started.
  fileprivate func endApp() throws {
    kill(try #require(try session.process(of: Self.app)), SIGTERM)
  }
}
