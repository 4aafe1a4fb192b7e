// SPDX-License-Identifier: Apache-2.0
import DBus
import Freedesktop
import NotificationModel
import Testing

@testable import suzud

/// Tests the form that a request gets for a server.
struct PresenterTests {
  private static let everything: Set<Capability> = [.actions, .body, .bodyMarkup]

  private func present(
    _ request: NotificationRequest, _ capabilities: Set<Capability> = everything
  ) -> ServerNotification {
    presentation(request, capabilities).notification
  }

  private func presentation(
    _ request: NotificationRequest, _ capabilities: Set<Capability> = everything, isReshown: Bool = false
  ) -> Presentation {
    Presenter.present(
      request, Choices(request, category: nil), on: ServerTraits(capabilities: capabilities), isSilent: isReshown)
  }

  // MARK: Texts

  @Test func `The body is escaped only for servers with markup, and the headline never is`() throws {
    let request = try NotificationRequest(title: "R&D <now>") { $0.body = "1 < 2 & <b>bold</b>" }
    #expect(present(request).body == "1 &lt; 2 &amp; &lt;b&gt;bold&lt;/b&gt;")
    #expect(present(request).summary == "R&D <now>")
    #expect(present(request, [.body]).body == "1 < 2 & <b>bold</b>")
  }

  @Test func `Subtitle and body become lines of one text`() throws {
    func body(_ subtitle: String, _ body: String?) throws -> String {
      let request = try NotificationRequest(title: "t") {
        $0.subtitle = subtitle
        $0.body = body
      }
      return present(request).body
    }
    #expect(try body("s", "b\nc") == "s\nb\nc")
    #expect(try body("s", nil) == "s")
    #expect(try body("", "b") == "b")
    #expect(try present(NotificationRequest(title: "t")).body == "")
  }

  @Test func `Requested markup reaches servers that read it, and is plain text for the others`() throws {
    let request = try NotificationRequest(title: "t") {
      $0.subtitle = "a & b"
      $0.body = "<b>bold</b> <a href='x'>link</a>"
      $0.markup = true
    }
    #expect(present(request).body == "a &amp; b\n<b>bold</b> link")
    #expect(present(request, [.body]).body == "a & b\nbold link")
  }

  private func present(_ request: NotificationRequest, on name: String, _ version: String) -> ServerNotification {
    let server = ServerTraits(capabilities: Self.everything, name: name, version: version)
    return Presenter.present(request, Choices(request, category: nil), on: server).notification
  }

  // Budgie showed "Suzu" instead of the headline, and parsed the headline from 10.8 on.
  @Test func `Budgie gets a text for each headline, and escaped headlines if it parses them`() throws {
    let request = try NotificationRequest(title: "R&D <b>now</b>")
    let (old, new) = (
      present(request, on: "Budgie Notification Server", "10.7.1"),
      present(request, on: "Budgie Notification Server", "10.9.2")
    )
    #expect([old.summary, old.body] == ["R&D <b>now</b>", " "])
    #expect([new.summary, new.body] == ["R&amp;D &lt;b&gt;now&lt;/b&gt;", " "])
  }

  // Cinnamon 6.4 drew nothing if it got an icon and an image: it takes the image for a path.
  // On Xfce the bar was all that could be seen.
  @Test func `A server that draws a bar alone gets the progress as text`() throws {
    func sent(_ progress: Int?, _ body: String?, _ name: String = "Xfce Notify Daemon") throws -> ServerNotification {
      present(
        try NotificationRequest(title: "Copying") {
          $0.progress = progress
          $0.body = body
        }, on: name, "0.7.3")
    }
    for (body, shown) in [
      (nil, "40 %"), ("Photos", "Photos\n40 %"), ("40 % done", "40 % done"), ("at 40%", "at 40%"),
      ("140 %", "140 %\n40 %"),
    ] {
      let sent = try sent(40, body)
      #expect(sent.body == shown && sent.hints["value"] == nil)
    }
    #expect(try sent(nil, "Photos").body == "Photos")
    let other = try sent(40, "Photos", "dunst")
    #expect(other.body == "Photos" && other.hints["value"] == .int32(40))
  }

  @Test func `Servers get pictures in the form that they read`() throws {
    func pictures(_ image: Picture, _ name: String, _ version: String, icon: Picture? = nil) throws -> [Value?] {
      let request = try NotificationRequest(title: "t") {
        $0.image = image
        $0.icon = icon
      }
      let notification = present(request, on: name, version)
      return [.string(notification.icon), notification.hints["image-path"]]
    }
    #expect(try pictures("/a b", "cinnamon", "6.4.10", icon: "face") == ["face", "/a b"])
    #expect(try pictures("file:///a%20b", "cinnamon", "6.4.10", icon: "face") == ["face", "/a b"])
    #expect(try pictures("smile", "cinnamon", "6.4.10", icon: "face") == ["face", nil])
    #expect(try pictures("smile", "cinnamon", "6.4.10") == ["", "smile"])
    #expect(try pictures("/a b", "cinnamon", "6.6.9", icon: "face") == ["face", "file:///a%20b"])
    #expect(try pictures("/a b", "Budgie Notification Server", "10.9.2", icon: "/c d") == ["file:///c%20d", "/a b"])
    #expect(try pictures("/a b", "dunst", "1.12.2", icon: "/c d") == ["/c d", "file:///a%20b"])
  }

  // A click on one of Cinnamon's notifications dismisses the others of its app.
  @Test func `Cinnamon is told that notifications stay after a click`() throws {
    let request = try NotificationRequest(title: "t")
    #expect(present(request, on: "cinnamon", "6.4.10").hints["resident"] == true)
    #expect(present(request, on: "gnome-shell", "48.7").hints["resident"] == nil)
  }

  // Once, notification-daemon refused all notifications after twenty-one banners.
  @Test func `A server that keeps expired notifications is told to forget them, except resident ones`() throws {
    func hint(_ request: NotificationRequest, _ name: String) -> Value? {
      let server = ServerTraits(capabilities: Self.everything, name: name)
      return Presenter.present(request, Choices(request, category: nil), on: server).notification.hints["transient"]
    }
    #expect(try hint(NotificationRequest(title: "t"), "Notification Daemon") == true)
    #expect(try hint(NotificationRequest(title: "t") { $0.style = .alert }, "Notification Daemon") == nil)
    #expect(try hint(NotificationRequest(title: "t"), "gnome-shell") == nil)
  }

  @Test func `Category and sound travel as the hints that servers know`() throws {
    func hints(_ request: NotificationRequest) -> [String: Value] { present(request).hints }
    #expect(try hints(NotificationRequest(title: "t") { $0.category = "im.received" })["category"] == "im.received")
    #expect(
      try hints(NotificationRequest(title: "t") { $0.sound = "default" }).keys.filter { $0.contains("sound") } == [])
    #expect(try hints(NotificationRequest(title: "t") { $0.sound = "none" })["suppress-sound"] == true)
    #expect(try hints(NotificationRequest(title: "t") { $0.sound = "bell" })["sound-name"] == "bell")
    #expect(try hints(NotificationRequest(title: "t") { $0.sound = "/a/b.oga" })["sound-file"] == "/a/b.oga")
    let again = try presentation(
      NotificationRequest(title: "t") { $0.sound = "bell" }, Self.everything, isReshown: true)
    #expect(again.notification.hints["sound-name"] == nil)
  }

  // The second and third were once sent with an empty headline: they consist of control characters only.
  @Test(
    arguments: try [
      (NotificationRequest(title: "") { $0.body = "only\nthis" }, "only this"),
      (NotificationRequest(title: "\u{7}\u{8}") { $0.body = "this" }, "this"),
      (NotificationRequest(app: "org.example.App", title: "\u{202e}") { $0.body = "\u{2066}\u{1}" }, "org.example.App"),
      (NotificationRequest(title: " ") { $0.subtitle = "sub" }, "sub"),
      (NotificationRequest(app: "\u{202e}", title: "\u{202e}"), "…"),
    ])
  func `No headline is empty`(request: NotificationRequest, summary: String) {
    #expect(present(request).summary == summary)
  }

  @Test func `Control characters and overlong texts reach no server, in whatever field they stand`() throws {
    let nasty = "\u{1b}[31mred\u{202e}" + String(repeating: "x", count: 40_000)
    let name = "\u{202e}[31mred\u{202e}" + String(repeating: "x", count: 200)
    let request = try NotificationRequest(app: AppID(name), title: nasty) {
      $0.subtitle = nasty
      $0.body = nasty
      $0.actions = [Action(id: "a", title: nasty)]
    }
    let notification = present(request)
    let lines = [notification.appName, notification.summary, notification.actions[1].label]
    for line in lines {
      #expect(line.hasPrefix("[31mredxxx"))
      #expect(line.utf8.count <= 1024)
    }
    #expect(notification.body.utf8.count <= 16384)
    #expect(
      !notification.body.unicodeScalars.contains("\u{1b}") && !notification.body.unicodeScalars.contains("\u{202e}"))
  }

  @Test func `Our own requests carry Suzu's name, and others their app's`() throws {
    #expect(try present(NotificationRequest(title: "t")).appName == "Suzu")
    #expect(try present(NotificationRequest(app: "org.example.App", title: "t")).appName == "org.example.App")
  }

  // MARK: Actions

  @Test func `The click on the notification itself is always offered, first, and says what it does`() throws {
    #expect(try present(NotificationRequest(title: "t")).actions == [.init(key: "default", label: "Close")])
    #expect(
      try present(NotificationRequest(title: "t") { $0.url = "https://example.org" }).actions
        == [.init(key: "default", label: "Open")])
  }

  @Test func `Keys with a meaning for servers are escaped, and lead back to their actions`() throws {
    let ids = ["default", "inline-reply", "action:x", "x", "mit Leerzeichen \"ü\""]
    let request = try NotificationRequest(title: "t") { $0.actions = ids.map { Action(id: $0, title: "T " + $0) } }
    let shown = presentation(request, Self.everything)
    let keys = shown.notification.actions.map(\.key)
    #expect(keys == ["default", "action:inline-reply", "action:action:x", "x", "mit Leerzeichen \"ü\""])
    #expect(keys.map { shown.offer.keys[$0] } == ids.map { .action($0) })
    // It was once a separate button beside the click, with the same outcome.
    #expect(shown.notification.actions[0].label == "T default")
  }

  @Test func `A script's own name and hints are sent unchanged, beside ours`() throws {
    let request = try NotificationRequest(title: "t") {
      $0.appName = "My\u{2028}Script"
      $0.level = .critical
      $0.hints = [
        "x-dunst-stack-tag": .text("vol"), "transient": .flag(true), "x": .integer(7), "y": .integer(1 << 40),
        "z": .number(1.5), "category": .text("any text"),
      ]
    }
    let notification = present(request)
    #expect(notification.appName == "My Script")
    #expect(
      notification.hints == [
        "x-dunst-stack-tag": "vol", "transient": true, "x": .int32(7), "y": .int64(1 << 40), "z": .double(1.5),
        "category": "any text", "urgency": .byte(2), "desktop-entry": "dev.suzu.Suzu",
      ])
    let other = try NotificationRequest(title: "t") {
      $0.category = "im.received"
      $0.hints = ["desktop-entry": .text("firefox"), "category": .text("other")]
    }
    #expect(present(other).hints["desktop-entry"] == "firefox" && present(other).hints["category"] == "im.received")
  }

  @Test func `A label is never empty`() throws {
    let actions = [Action(id: "yes", title: ""), Action(id: "\u{202e}", title: "\u{7}")]
    #expect(
      try present(NotificationRequest(title: "t") { $0.actions = actions }).actions.map(\.label) == [
        "Close", "yes", "…",
      ])
  }

  // notify-osd turns a notification with actions, or without an expiry time, into a modal dialog.
  @Test func `A server without actions gets no actions and no zero timeout`() throws {
    let request = try NotificationRequest(title: "t") {
      $0.style = .alert
      $0.expires = .never
      $0.actions = [Action(id: "a", title: "A")]
    }
    let shown = presentation(request, [.body])
    #expect(shown.notification.actions == [])
    #expect(shown.offer.keys == [:])
    #expect(shown.notification.expiry == .serverDecides)
    #expect(presentation(request, [.actions]).notification.expiry == .never)
  }

  // MARK: The rest

  @Test func `The time on the screen follows the request, then its style`() throws {
    func expiry(_ style: NotificationRequest.Style, _ expires: NotificationRequest.Expiry?) throws
      -> ServerNotification.Expiry
    {
      let request = try NotificationRequest(title: "t") {
        $0.style = style
        $0.expires = expires
      }
      return present(request).expiry
    }
    #expect(try expiry(.banner, nil) == .serverDecides)
    #expect(try expiry(.alert, nil) == .never)
    #expect(try expiry(.alert, .after(.seconds(3))) == .after(.seconds(3)))
    #expect(try expiry(.banner, .never) == .never)
  }

  @Test(arguments: [
    (NotificationRequest.Level.passive, UInt8(0)), (.active, 1), (.timeSensitive, 1), (.critical, 2),
  ])
  func `A level becomes an urgency of one byte`(level: NotificationRequest.Level, byte: UInt8) throws {
    #expect(try present(NotificationRequest(title: "t") { $0.level = level }).hints["urgency"] == .byte(byte))
  }

  @Test func `Hints are sent only where they apply`() throws {
    #expect(try Set(present(NotificationRequest(title: "t")).hints.keys) == ["urgency", "desktop-entry"])
    let request = try NotificationRequest(app: "org.example.App", title: "t") {
      $0.icon = "mail-unread"
      $0.image = "face"
      $0.progress = 40
    }
    let notification = presentation(request, Self.everything, isReshown: true).notification
    #expect(notification.hints["desktop-entry"] == "org.example.App")
    #expect(notification.hints["value"] == .int32(40))
    #expect(notification.hints["image-path"] == "face")
    #expect(notification.hints["suppress-sound"] == true)
    #expect(notification.icon == "mail-unread")
  }

  @Test(arguments: [
    ("/a/b.png", "file:///a/b.png"), ("/a b%/ü#?.png", "file:///a%20b%25/%C3%BC%23%3F.png"),
    ("/new\nline", "file:///new%0Aline"), ("/~x/_-.", "file:///~x/_-."), ("name", "name"),
    ("file:///already%20one", "file:///already%20one"), ("https://example.org/a b", "https://example.org/a b"),
  ])
  func `A picture's path becomes a file URL, byte by byte`(image: String, hint: String) throws {
    #expect(
      try present(NotificationRequest(title: "t") { $0.image = Picture(image) }).hints["image-path"] == .string(hint))
  }

  @Test func `The same request and server give the same presentation`() throws {
    let request = try NotificationRequest(title: "t") {
      $0.body = "b"
      $0.actions = [Action(id: "a", title: "A"), Action(id: "b", title: "B")]
    }
    #expect(
      presentation(request, Self.everything)
        == presentation(request, Self.everything))
  }
}
