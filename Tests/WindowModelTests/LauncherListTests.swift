// SPDX-License-Identifier: Apache-2.0
import Launcher
import NotificationModel
import Testing
import WindowModel
import Zoneinfo

/// Tests what the page *Launcher* shows.
@Suite struct LauncherListTests {
  private let clock = LocalClock(now: Instant(1_800_000_000), rules: .utc)
  private let catalogue = Catalogue([
    .init(
      id: "org.example.Editor", name: "Editor", icon: nil, isInstalled: true,
      items: [
        .init(key: "org.example.Editor", name: "Editor", icon: nil, effect: .launch("org.example.Editor")),
        .init(key: "org.example.Editor:new", name: "New", icon: nil, effect: .launch("org.example.Editor:new")),
      ]),
    .init(
      id: "settings", name: "settings", icon: nil, isInstalled: false,
      items: [.init(key: "settings:wifi", name: "wifi", icon: nil, effect: .url("prefs:wifi"))]),
  ])

  @Test func `A row says how many actions are on, and the page what is registered`() {
    var file = LauncherFile()
    file.set(true, ["org.example.Editor:new", "org.example.Gone"])
    var list = LauncherList()
    #expect(list.summary == "No action is on" && list.isEmpty)
    _ = list.show(catalogue, file)
    #expect(
      list.entries.map { $0.row.spoken(clock) } == ["Editor, 1 of 2 actions on", "settings, 1 action, imported"])
    #expect(list.summary == "1 action is on; 1 more is no longer installed")
    #expect(list.enabled.flatMap(\.items).map(\.key) == ["org.example.Editor:new"])
  }

  @Test func `A search finds apps by their actions`() {
    var list = LauncherList()
    _ = list.show(catalogue, LauncherFile())
    _ = list.find("WIFI")
    #expect(list.entries.map(\.row.title) == ["settings"])
    // What is hidden by a search is registered all the same.
    var file = LauncherFile()
    file.set(true, ["org.example.Editor"])
    _ = list.show(catalogue, file)
    #expect(list.enabled.count == 1 && list.entries.count == 1)
  }

  @Test func `An import says beforehand what it adds, what it replaces, and what clicks may then open`() throws {
    let groups = try ImportedList(Array("<plist><array><string>settings</string></array></plist>".utf8))
    let schemes = try ImportedList(
      Array(
        """
        [{"app_name": "wifi", "url_scheme": "prefs:w", "category": "settings"},
         {"app_name": "e-mail", "url_scheme": "mailto:", "category": "mail"}]
        """.utf8))
    var file = LauncherFile()
    #expect(ImportPreview([groups], into: file, allowing: []).text == "1 group")
    #expect(
      ImportPreview([groups, schemes], into: file, allowing: ["prefs"]).text
        == "2 groups with 2 entries\nClicks may then open \u{2068}prefs:\u{2069}")
    file.add(groups: [], schemes: schemes.schemes)
    #expect(
      ImportPreview([schemes], into: file, allowing: []).text
        == "2 groups with 2 entries, 2 of which replace earlier ones")
    let many = (0..<30).map { "scheme\($0)" }
    #expect(ImportPreview([schemes], into: file, allowing: many).text.hasSuffix(" and 10 more"))
    let nothing = try ImportedList(Array("[]".utf8))
    #expect(ImportPreview([nothing], into: file, allowing: []).isEmpty)
  }
}
