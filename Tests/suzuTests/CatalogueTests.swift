// SPDX-License-Identifier: Apache-2.0
import Foundation
import Launcher
import NotificationModel
import TestSupport
import Testing

@testable import suzu

/// Tests the launcher's catalogue of apps and its name lookup.
@Suite struct CatalogueTests {
  private static func entry(_ name: String, _ more: String = "", then rest: String = "") -> String {
    "[Desktop Entry]\nType=Application\nName=\(name)\nExec=true\n\(more)\n\(rest)\n"
  }

  private static func catalogue(_ language: String = "C", _ file: LauncherFile = LauncherFile()) throws -> Catalogue {
    let folder = try TemporaryFolder()
    for (id, text) in [
      (
        "org.example.Calendar",
        entry(
          "Calendar",
          "Name[de]=Kalender\nIcon=cal\nActions=new;week;\n"
            + "MimeType=text/calendar;x-scheme-handler/webcal;x-scheme-handler/https;x-scheme-handler/javascript;"
            + "x-scheme-handler/ssh;",
          then: "[Desktop Action new]\nName=New Event\nName[de]=Neu\nExec=true\n[Desktop Action week]\nName=Week")
      ),
      ("a.files", entry("Files")), ("b.files", entry("Files")), ("unseen", entry("Unseen", "NoDisplay=true")),
    ] { try folder.write(text, to: "share/applications/\(id).desktop") }
    return Catalogue(
      environment: ["XDG_DATA_DIRS": folder.path("share"), "LANG": language, "PATH": "/usr/bin:/bin"], file)
  }

  static let imported = {
    var file = LauncherFile()
    file.add(
      groups: ["TweetBot", "settings", "empty"],
      schemes: [
        .init(name: "Tweetbot", url: "tweetbot://", category: "TweetBot"),
        .init(name: "settings_wifi", url: "prefs:root=WIFI", category: "settings"),
        .init(name: "e-mail", url: "mailto:", category: "mail"),
      ])
    return file
  }()

  @Test func `The catalogue contains the actions and schemes of desktop entries`() throws {
    let catalogue = try Self.catalogue()
    #expect(catalogue.apps.map(\.id) == ["org.example.Calendar", "a.files", "b.files"])
    let calendar = try #require(catalogue.apps.first)
    // The action without a command cannot be launched, a browser's bare scheme is useless, and forbidden schemes are
    // left out.
    #expect(
      calendar.items == [
        .init(
          key: "org.example.Calendar", name: "Calendar", icon: "cal", effect: .launch("org.example.Calendar")),
        .init(
          key: "org.example.Calendar:new", name: "New Event", icon: "cal", effect: .launch("org.example.Calendar:new")),
        .init(key: "org.example.Calendar:webcal:", name: "webcal:", icon: "cal", effect: .url("webcal:")),
      ])
    #expect(try Self.catalogue("de_AT.UTF-8").apps.first { $0.id == "org.example.Calendar" }?.name == "Kalender")
  }

  @Test func `Imported groups are listed with the apps, even groups that no list names`() throws {
    let catalogue = try Self.catalogue("C", Self.imported)
    #expect(catalogue.apps.filter { !$0.isInstalled }.map(\.id) == ["empty", "mail", "settings", "TweetBot"])
    let item = try #require(catalogue.apps.first { $0.id == "settings" }?.items.first)
    #expect(item.key == "settings:settings_wifi" && item.effect == .url("prefs:root=WIFI"))
  }

  @Test(arguments: [
    ("org.example.Calendar", "org.example.Calendar"), ("org.example.Calendar.desktop", "org.example.Calendar"),
    ("calendar", "org.example.Calendar"), ("Calendar:New Event", "org.example.Calendar:new"),
    ("calendar:new", "org.example.Calendar:new"), ("org.example.Calendar:webcal:", "org.example.Calendar:webcal:"),
    ("New Event", "org.example.Calendar:new"), ("settings_wifi", "settings:settings_wifi"),
    ("Tweetbot", "TweetBot:Tweetbot"), ("TweetBot", "TweetBot"), ("mail:e-mail", "mail:e-mail"),
  ])
  func `Ids and names are found`(word: String, id: String) throws {
    switch try Self.catalogue("C", Self.imported).find(word) {
    case .app(let app): #expect(app.id == id)
    case .item(let item): #expect(item.key == id)
    }
  }

  @Test(arguments: [
    ("files", "'files' is the name of 'a.files', 'b.files'; use an id"),
    ("Calender", "no app or action is called 'Calender'; did you mean 'Calendar'?; see 'suzu launcher list'"),
    ("", "no app or action is called ''; see 'suzu launcher list'"),
    ("unseen", "no app or action is called 'unseen'; "),
    ("calendar:week", "no app or action is called"), (":", "no app or action is called"),
  ])
  func `Unknown and ambiguous names are reported`(word: String, complaint: String) throws {
    let catalogue = try Self.catalogue()
    let error = #expect(throws: CommandError.self) { try catalogue.find(word) }
    #expect(error?.status == 65 && error?.message.hasPrefix(complaint) == true, "\(error?.message ?? "")")
  }

  // MARK: Requests

  @Test func `An app's notification has its actions as buttons and the first as its click`() throws {
    var file = Self.imported
    file.set(true, ["org.example.Calendar:new", "org.example.Calendar", "mail:e-mail", "gone"])
    let apps = try Self.catalogue("C", file).enabled(in: file)
    let requests = try Registration(apps, each: false, after: .seconds(5)).requests
    #expect(requests.map(\.content.title) == ["Calendar", "mail"] && requests.map(\.content.badge) == [2, nil])
    #expect(
      requests.allSatisfy {
        $0.app == "dev.suzu.Launcher" && $0.schedule.delay == .seconds(5) && $0.content.style == .alert
      })
    #expect(requests[0].content.actions.map(\.id) == ["default", "org.example.Calendar", "org.example.Calendar:new"])
    #expect(
      requests[0].content.actions.map(\.title) == ["Calendar", "Open", "New Event"] && requests[0].content.icon == "cal"
    )
    let (calendar, new) = (
      Action.Effect.launch("org.example.Calendar"), Action.Effect.launch("org.example.Calendar:new")
    )
    #expect(requests[0].content.actions.map(\.effect) == [calendar, calendar, new])
    #expect(requests[1].content.actions.map(\.effect) == [.url("mailto:"), .url("mailto:")])
    let each = try Registration(apps, each: true, after: .zero).requests
    #expect(each.map(\.id) == ["org.example.Calendar", "org.example.Calendar:new", "mail:e-mail"])
    #expect(each.allSatisfy { $0.schedule.isNow && $0.content.actions.count == 2 } && each[0].content.badge == 3)
  }

  @Test func `Notifications beyond the crowd limit are delayed`() throws {
    let items = (0..<45).map { Catalogue.Item(key: "a:\($0)", name: "\($0)", icon: nil, effect: .launch("a:\($0)")) }
    let app = Catalogue.App(id: "a", name: "A", icon: nil, isInstalled: true, items: items)
    let delays = try Registration([app], each: true, after: .seconds(5)).requests.map(\.schedule.delay)
    #expect(delays[19] == .seconds(5) && delays[20] == .seconds(16) && delays[44] == .seconds(27))
  }
}
