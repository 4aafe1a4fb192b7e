// SPDX-License-Identifier: Apache-2.0
import DBus
import Freedesktop
import NotificationModel
import TestSupport
import Testing

@testable import suzud

/// Tests what a click on the notification itself does, and what its label says.
struct BodyClickTests {
  private static let run = Action(id: "run", title: "Run it", effect: .run(["true"]))
  private static let other = Action(id: "other", title: "Other", effect: .url("https://a.example"))
  private static let later = Action(id: "later", title: "Later", effect: .snooze(.seconds(600)))
  private static let delete = Action(id: "delete", title: "Delete", destructive: true, effect: .run(["true"]))
  private static let plain = Action(id: "plain", title: "Plain")

  private func present(
    _ actions: [Action], _ style: NotificationRequest.Style = .alert, app: String = "dev.suzu.Suzu", url: String? = nil,
    isCategory: Bool = false, appTakesClicks: Bool = false, server name: String = "", canAsk: Bool = true,
    _ capabilities: Set<Capability> = [.actions, .body]
  ) -> Presentation {
    var content = NotificationRequest.Content(title: "t")
    content.style = style
    content.url = url
    content.actions = isCategory ? [] : actions
    let category = isCategory ? Category(id: "c", actions: actions) : nil
    let request = NotificationRequest(trusted: content, app: AppID(trusted: app), id: nil, schedule: .now)
    return Presenter.present(
      request, Choices(request, category: category), on: ServerTraits(capabilities: capabilities, name: name),
      canAsk: canAsk, appTakesClicks: appTakesClicks)
  }

  private func label(_ presentation: Presentation) -> String? {
    presentation.notification.actions.first { $0.key == "default" }?.label
  }

  private func meaning(_ presentation: Presentation) -> OfferedActions.Choice? { presentation.offer.keys["default"] }

  @Test(arguments: [false, true])
  func `The only action that does something is the meaning of a click, and its label`(isCategory: Bool) {
    for actions in [[Self.run], [Self.run, Self.plain], [Self.plain, Self.run]] {
      let presentation = present(actions, isCategory: isCategory)
      #expect(meaning(presentation) == .action("run") && label(presentation) == "Run it")
      #expect(presentation.offer.click == .action("run"))
    }
    #expect(meaning(present([Self.later], isCategory: isCategory)) == .action("later"))
    #expect(meaning(present([Self.run], .banner, isCategory: isCategory)) == .action("run"))
  }

  @Test func `Where several actions do something, or none does, a click closes a banner and leaves an alert`() {
    for actions in [[Self.run, Self.other], [Self.run, Self.later], [Self.plain], [Self.plain, Self.plain]] {
      #expect(meaning(present(actions)) == .nothing && label(present(actions)) == "Keep open")
      #expect(meaning(present(actions, .banner)) == .click && label(present(actions, .banner)) == "Close")
    }
    // Without buttons, a click is how an alert is answered.
    #expect(meaning(present([])) == .click && label(present([])) == "Close")
  }

  @Test func `A destructive action needs a press on its own button`() {
    #expect(meaning(present([Self.delete])) == .nothing)
    #expect(meaning(present([Self.delete], .banner)) == .click)
  }

  @Test func `A URL and an action of the click's name come first`() {
    #expect(meaning(present([Self.run], url: "https://a.example")) == .click)
    #expect(label(present([Self.run, Self.other], url: "https://a.example")) == "Open")
    let own = Action(id: "default", title: "Show", effect: .run(["true"]))
    #expect(meaning(present([own, Self.run])) == .click && label(present([own, Self.run])) == "Show")
    #expect(present([own, Self.run]).notification.actions.map(\.label) == ["Show", "Run it"])
    // In a category, an action of that name is a button like the others.
    #expect(meaning(present([own], isCategory: true)) == .action("default"))
    #expect(present([own], isCategory: true).notification.actions.map(\.key) == ["default", "action:default"])
  }

  @Test func `A click reaches the app that owns the request, if there is one`() {
    #expect(meaning(present([Self.run], app: "org.example.App", appTakesClicks: true)) == .click)
    #expect(label(present([Self.run], app: "org.example.App", appTakesClicks: true)) == "Open")
    #expect(meaning(present([Self.run], app: "backup")) == .action("run"))
    #expect(meaning(present([Self.run, Self.other], app: "backup")) == .nothing)
    // The app handles the action without an effect, so it may come for the click as well.
    #expect(meaning(present([Self.plain], app: "org.example.App")) == .click)
    #expect(label(present([Self.plain], app: "org.example.App")) == "Open")
  }

  @Test(arguments: ["Xfce Notify Daemon", "lxqt-notificationd"])
  func `A server that draws the click as a button draws no second one, and none that does nothing`(name: String) {
    let labels = { (presentation: Presentation) in presentation.notification.actions.map(\.label) }
    #expect(labels(present([Self.run, Self.plain], server: name)) == ["Run it", "Plain"])
    #expect(labels(present([Self.run, Self.other], server: name)) == ["Run it", "Other"])
    #expect(labels(present([Self.run, Self.other], .banner, server: name)) == ["Close", "Run it", "Other"])
    #expect(labels(present([Self.run], url: "https://a.example", server: name)) == ["Open", "Run it"])
  }

  @Test(arguments: ["dunst", "mako"])
  func `Without drawn buttons, a click does what the only button would do, and otherwise asks`(name: String) {
    #expect(meaning(present([Self.run], server: name)) == .action("run"))
    #expect(meaning(present([Self.run, Self.plain], server: name)) == .chooser)
    #expect(meaning(present([Self.run, Self.other], server: name)) == .chooser)
    #expect(meaning(present([Self.run, Self.other], server: name, canAsk: false)) == .nothing)
  }

  @Test func `The meaning of a click survives a restart of the center`() {
    for presentation in [present([Self.run]), present([Self.plain]), present([]), present([Self.run], [.body])] {
      #expect(OfferedActions(json: presentation.offer.json) == presentation.offer)
    }
  }

  private func present(_ actions: [Action], _ capabilities: Set<Capability>) -> Presentation {
    present(actions, .alert, capabilities)
  }

  // MARK: In the center

  /// A click closed such an alert, ran nothing, and was recorded as `unhandled`.
  @Test func `A click on an alert with one program runs it`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      let folder = try TemporaryFolder()
      let run = action("ok", run: ["sh", "-c", "printf \"$SUZU_ACTION\" >'\(folder.path("ran"))'"])
      let alert: [String: Value] = ["app": "dev.suzu.Suzu", "style": "alert", "actions": actions(run)]
      try await stand.notify("a", alert)
      _ = try await stand.next(1)
      try await server.press(1, "default")
      #expect(try await stand.next(3).sorted() == ["Closed a withdrawn", "Outcome done", "Responded a ok"])
      #expect(folder.read("ran") == "ok")
      // The same through the command.
      try await stand.notify("b", alert)
      _ = try await stand.next(1)
      try await stand.call("Respond", ["dev.suzu.Suzu", "b", "default", .properties([:])])
      #expect(try await stand.next(3).sorted() == ["Closed b withdrawn", "Outcome done", "Responded b ok"])
    }
  }

  @Test func `An alert that a server closes because of a click without a meaning is shown again`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await stand.notify(
        "a", ["app": "dev.suzu.Suzu", "style": "alert", "actions": actions(action("x"), action("y"))])
      #expect(try await stand.next(1) == ["Delivered a"])
      _ = try await server.posted.next()
      for number in 1...3 as ClosedRange<UInt32> {
        try await server.press(number, "default")
        try await server.tellClosed(number, reason: 2)
        let again = try await server.posted.next()
        #expect(again.number == number + 1 && again.summary == "a" && again.replaces == 0)
      }
      try await stand.settle()
      // A click on what the server may keep in its history does not answer it.
      try await server.press(1, "x")
      try await stand.settle()
      let events = stand.events.waiting
      #expect(events.allSatisfy { $0 == "Delivered a" }, "\(events)")
      await #expect(throws: CallError.self) {
        try await stand.call("Respond", ["dev.suzu.Suzu", "a", "default", .properties([:])])
      }
      try await server.press(4, "x")
      var answered: [String] = []
      while answered.count < 3 { answered += try await stand.next(1).filter { $0 != "Delivered a" } }
      #expect(answered.sorted() == ["Closed a withdrawn", "Outcome done", "Responded a x"])
    }
  }

  @Test func `An alert that the user closes has ended, and so has one that expires`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      let alert: [String: Value] = [
        "app": "dev.suzu.Suzu", "style": "alert", "actions": actions(action("x"), action("y")),
      ]
      try await stand.notify("a", alert)
      _ = try await stand.next(1)
      try await server.tellClosed(1, reason: 2)
      #expect(try await stand.next(1) == ["Closed a dismissed"])
      try await stand.notify("b", alert)
      _ = try await stand.next(1)
      try await server.press(2, "default")
      try await server.tellClosed(2, reason: 1)
      #expect(try await stand.next(1) == ["Closed b expired"])
    }
  }

  @Test func `A click on a question of the center is no answer`() async throws {
    try await BoxStand.run(isAllowed: false) { box in
      let server = try await box.stand.server()
      try await box.notify("a")
      let question = try await server.posted.next()
      try await server.press(question.number, "default")
      try await server.tellClosed(question.number, reason: 2)
      let again = try await server.posted.next()
      #expect(again.summary == question.summary && again.number != question.number)
      try await server.press(again.number, "0")
      #expect(try await server.posted.next().summary == "a")
    }
  }
}
