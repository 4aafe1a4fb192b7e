// SPDX-License-Identifier: Apache-2.0
import DBus
import Freedesktop
import NotificationModel
import Testing

@testable import suzud

/// Tests the buttons that a server is sent, and the choice behind each.
struct ButtonsTests {
  private static let five = Category(
    id: "five", actions: ["a", "b", "c", "d", "e"].map { Action(id: $0, title: $0.uppercased()) }, type: "im.received")

  private func present(
    _ style: NotificationRequest.Style, _ category: Category? = five, name: String = "", version: String = "",
    _ capabilities: Set<Capability> = [.actions, .body], canAsk: Bool = true, actions: [Action] = []
  ) -> Presentation {
    var content = NotificationRequest.Content(title: "t")
    content.style = style
    content.actions = actions
    content.category = category.map { CategoryID(trusted: $0.id) }
    let request = NotificationRequest(trusted: content, app: .suzu, id: nil, schedule: .now)
    return Presenter.present(
      request, Choices(request, category: category),
      on: ServerTraits(capabilities: capabilities, name: name, version: version), canAsk: canAsk)
  }

  private func labels(_ presentation: Presentation) -> [String] { presentation.notification.actions.map(\.label) }

  @Test func `A banner has the minimal context, an alert the default one, and the click is always offered`() {
    #expect(labels(present(.banner)) == ["Close", "A", "B"])
    let four = Category(id: "four", actions: Array(Self.five.actions.prefix(4)), type: "im.received")
    #expect(labels(present(.alert, four)) == ["Keep open", "A", "B", "C", "D"])
    #expect(present(.alert).notification.hints["category"] == "im.received")
    #expect(present(.alert).offer.actions?.count == 5)
  }

  @Test func `With three drawn buttons the last one asks for the rest, if a dialog is available`() {
    let presentation = present(.alert, name: "gnome-shell")
    #expect(labels(presentation) == ["Keep open", "A", "B", "More…"])
    #expect(presentation.offer.keys[presentation.notification.actions[3].key] == .chooser)
    #expect(labels(present(.banner, name: "gnome-shell")) == ["Close", "A", "B"])
    #expect(labels(present(.alert, name: "gnome-shell", canAsk: false)) == ["Keep open", "A", "B", "C", "D"])
  }

  @Test func `One more button leads to the actions of an alert's category beyond four`() {
    let presentation = present(.alert)
    #expect(labels(presentation) == ["Keep open", "A", "B", "C", "D", "More…"])
    #expect(presentation.offer.keys["suzu-more"] == .chooser)
    // The author names these four actions, so none is missing.
    var picked = Self.five
    picked.standard = ["e", "a"]
    #expect(labels(present(.alert, picked)) == ["Keep open", "E", "A"])
    picked.standard = ["e", "d", "c", "b", "a"]
    #expect(labels(present(.alert, picked)) == ["Keep open", "E", "D", "C", "B", "More…"])
    #expect(labels(present(.alert, canAsk: false)) == ["Keep open", "A", "B", "C", "D"])
  }

  @Test func `Without clickable parts an alert asks at once, and a banner passes by`() {
    let alert = present(.alert, Self.five, [.body])
    #expect(alert.asksAtOnce && labels(alert) == [] && alert.offer.keys.isEmpty)
    #expect(alert.offer.actions?.count == 5)
    #expect(!present(.banner, Self.five, [.body]).asksAtOnce && !present(.alert, nil, [.body]).asksAtOnce)
    #expect(!present(.alert, Self.five, [.body], canAsk: false).asksAtOnce)
  }

  @Test(arguments: [("Notification Daemon", "1.26.0"), ("naughty", "v4.3"), ("Plasma", "6.3.6")])
  func `Labels are escaped for servers that read them as markup`(name: String, version: String) {
    let actions = [Action(id: "x", title: "<b>Salt</b> & pepper")]
    #expect(
      labels(present(.banner, nil, name: name, version: version, actions: actions)) == [
        "Close", "&lt;b&gt;Salt&lt;/b&gt; &amp; pepper",
      ])
    #expect(labels(present(.banner, nil, actions: actions)) == ["Close", "<b>Salt</b> & pepper"])
  }

  @Test(arguments: ["dunst", "mako"])
  func `Without drawn buttons the click asks`(name: String) {
    let presentation = present(.banner, name: name)
    #expect(presentation.offer.keys["default"] == .chooser)
    // Sent for the menus of such servers.
    #expect(labels(presentation) == ["Choose…", "A", "B"])
    #expect(present(.banner, nil, name: name).offer.keys == ["default": .action("default")])
    #expect(present(.banner, name: name, canAsk: false).offer.keys["default"] == .action("default"))
  }

  // Once, Budgie did not draw the first action of any notification.
  @Test func `The click is the last action for a server that skips the action behind it`() {
    #expect(
      labels(present(.alert, name: "Budgie Notification Server", version: "10.9.2"))
        == ["A", "B", "C", "More…", "Keep open"])
    #expect(labels(present(.banner, nil, name: "Budgie Notification Server")) == ["Close"])
  }

  @Test func `A destructive action says so`() {
    let actions = [Action(id: "x", title: "Delete", destructive: true), Action(id: "y", title: "Keep")]
    #expect(labels(present(.banner, nil, actions: actions)) == ["Close", "⚠ Delete", "Keep"])
  }

  @Test func `A server that draws icons gets them where every button has one of its own`() {
    let icons = [
      Action(id: "x", title: "Delete", destructive: true), Action(id: "y", title: "Play", icon: "media-playback-start"),
    ]
    let presentation = present(.banner, nil, [.actions, .actionIcons], actions: icons)
    #expect(presentation.notification.hints["action-icons"] == true)
    #expect(presentation.notification.actions.map(\.key) == ["default", "edit-delete", "media-playback-start"])
    #expect(presentation.offer.keys["media-playback-start"] == .action("y"))
    let mixed = present(.banner, nil, [.actions, .actionIcons], actions: icons + [Action(id: "z", title: "Z")])
    #expect(mixed.notification.hints["action-icons"] == nil)
    #expect(mixed.notification.actions.map(\.key) == ["default", "x", "y", "z"])
  }

  @Test func `The action's placeholder stands in the server's reply line`() {
    let action = Action(id: "r", title: "Reply", input: .init(placeholder: "a few words", button: "Send it"))
    let inline = present(.alert, nil, [.actions, .inlineReply], actions: [action]).notification.hints
    #expect(inline["x-kde-reply-placeholder-text"] == "a few words")
    #expect(inline["x-kde-reply-submit-button-text"] == "Send it")
    #expect(!present(.alert, nil, actions: [action]).notification.hints.keys.contains { $0.hasPrefix("x-kde") })
  }

  @Test func `The first action that asks for a text takes the server's reply line`() {
    let actions = [
      Action(id: "ok", title: "OK"), Action(id: "r1", title: "Reply", input: .init()),
      Action(id: "r2", title: "Other", input: .init()),
    ]
    let inline = present(.alert, nil, [.actions, .inlineReply], actions: actions)
    #expect(inline.notification.actions.map(\.key) == ["default", "ok", "inline-reply", "r2"])
    #expect(inline.offer.replyAction == "r1")
    let plain = present(.alert, nil, [.actions], actions: actions)
    #expect(plain.notification.actions.map(\.key) == ["default", "ok", "r1", "r2"])
    #expect(plain.offer.replyAction == nil)
  }

  @Test func `A server that may hide its reply line gets a button as well`() {
    let actions = [Action(id: "r", title: "Reply", input: .init()), Action(id: "b", title: "B")]
    func keys(_ version: String) -> [String] {
      present(
        .alert, nil, name: "SwayNotificationCenter", version: version, [.actions, .inlineReply], actions: actions
      ).notification.actions.map(\.key)
    }
    #expect(keys("0.12.6") == ["default", "inline-reply", "r", "b"])
    #expect(present(.alert, nil, name: "Plasma", [.actions, .inlineReply], actions: actions).offer.replyAction == "r")
  }

  @Test func `An action with the click's name is the click, and in a category it has its own button`() {
    let actions = [Action(id: "default", title: "Archive"), Action(id: "b", title: "B")]
    let own = present(.banner, nil, actions: actions)
    #expect(labels(own) == ["Archive", "B"] && own.offer.keys.count == 2)
    let filed = present(.banner, Category(id: "c", actions: actions))
    #expect(labels(filed) == ["Close", "Archive", "B"])
    #expect(filed.notification.actions.map(\.key) == ["default", "action:default", "b"])
  }

  @Test func `Two keys that escaping would make equal stay different`() {
    let actions = ["default", "action:default", "suzu-more", "inline-reply"].map { Action(id: $0, title: $0) }
    let offer = present(.alert, nil, actions: actions).offer
    #expect(Set(offer.keys.values).count == 4 && offer.keys.count == 4)
    #expect(offer.keys["default"] == .action("default"))
  }

  @Test func `Offered actions survive a restart of the center`() {
    for presentation in [
      present(.alert), present(.alert, name: "gnome-shell"), present(.banner, nil),
      present(.banner, Category(id: "c", actions: [], customDismiss: true)),
      present(.banner, nil, [.actions, .inlineReply], actions: [Action(id: "r", title: "R", input: .init())]),
    ] {
      #expect(OfferedActions(json: presentation.offer.json) == presentation.offer)
    }
    #expect(OfferedActions(json: nil) == OfferedActions())
    #expect(OfferedActions(json: "{\"keys\": 7, \"actions\": [1]}").keys == [:])
  }
}
