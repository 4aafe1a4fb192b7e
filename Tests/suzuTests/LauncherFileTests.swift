// SPDX-License-Identifier: Apache-2.0
import Foundation
import Launcher
import NotificationModel
import TestSupport
import Testing

@testable import suzu

/// Tests the launcher's settings file, imported lists and added schemes.
@Suite struct LauncherFileTests {
  @Test func `A written file is read back unchanged`() throws {
    var file = CatalogueTests.imported
    file.set(true, ["b", "a", "b", "a \"quoted\" \\ name"])
    #expect(file.on == ["b", "a", "a \"quoted\" \\ name"])
    #expect(try LauncherFile(Array(file.text.utf8)) == file)
    #expect(try LauncherFile(Array(LauncherFile().text.utf8)) == LauncherFile())
    file.set(false, ["a", "c"])
    #expect(file.on == ["b", "a \"quoted\" \\ name"])
    // An entry with the same name replaces the first.
    file.add(groups: ["settings", "new"], schemes: [.init(name: "e-mail", url: "mailto:me@a", category: "mail")])
    #expect(file.groups == ["TweetBot", "settings", "empty", "new"])
    #expect(file.schemes.map(\.url) == ["tweetbot://", "prefs:root=WIFI", "mailto:me@a"])
  }

  @Test(arguments: [
    ("[]", "must be a dictionary with 'on', 'groups' and 'schemes'"), ("{", "line 1, column 2: "),
    ("{\n\"on\": [\"a\", 7]}", "line 2, column 13: 'on[1]' must be a string of 1 to 255 bytes on one line"),
    ("{\"off\": []}", "line 1, column 2: 'off' is not a known key: there are 'on', 'groups' and 'schemes'"),
    ("{\"schemes\": [{\"app_name\": \"a\"}]}", "line 1, column 14: 'schemes[0]' has no 'category'"),
    (
      "{\"schemes\": [{\"app_name\": \"a\", \"category\": \"\", \"url_scheme\": \"a:\"}]}",
      "line 1, column 44: 'schemes[0].category' must be a string of 1 to 255 bytes on one line"
    ), ("{\"groups\": \"a\"}", "line 1, column 12: 'groups' must be a list of strings"),
  ])
  func `A malformed file is reported with line and reason`(text: String, complaint: String) {
    let error = #expect(throws: DocumentError.self) { try LauncherFile(Array(text.utf8)) }
    #expect(
      error?.description.hasPrefix(complaint) == true || error?.description.hasSuffix(complaint) == true,
      "\(error?.description ?? "")")
  }

  // MARK: The two property lists

  static let samples = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Assets/samples")

  @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func `Property lists are imported from XML and binary`(format: PropertyListSerialization.PropertyListFormat) throws {
    func list(_ name: String) throws -> ImportedList {
      let data = try Data(contentsOf: Self.samples.appending(path: name))
      let value = try PropertyListSerialization.propertyList(from: data, format: nil)
      return try ImportedList(
        Array(try PropertyListSerialization.data(fromPropertyList: value, format: format, options: 0)))
    }
    #expect(try list("appList.plist").groups == ["TweetBot", "settings", "mail"])
    let schemes = try list("schemes.plist").schemes
    #expect(schemes.map(\.name) == ["Tweetbot", "Tweetbot_post", "settings_wifi", "e-mail", "sms"])
    #expect(schemes.map(\.url) == ["tweetbot://", "tweetbot:///post?", "prefs:root=WIFI", "mailto:", "sms:"])
    #expect(schemes.map(\.category) == ["TweetBot", "TweetBot", "settings", "mail", "mail"])
  }

  @Test(arguments: [
    ("<plist><dict/></plist>", "must be a list, of names or of dictionaries"),
    ("<plist><array><string>a</string>", "the text ends where"),
    (
      "<plist><array>\n<integer>1</integer></array></plist>",
      "line 2, column 1: '[0]' must be a string"
    ),
    ("<plist><array><dict><key>app_name</key><string>a</string></dict></array></plist>", "'[0]' has no 'category'"),
    (
      "<plist><array><dict><key>app_name</key><string>a</string><key>category</key><string>b</string>"
        + "<key>url_scheme</key><integer>1</integer></dict></array></plist>", "'[0].url_scheme' must be a string"
    ), ("<plist><array><dict/><string>a</string></array></plist>", "'[0]' has no 'app_name'"),
    ("bplist00", ""), ("", ""),
  ])
  func `Other property lists are rejected`(text: String, complaint: String) {
    let error = #expect(throws: DocumentError.self) { try ImportedList(Array(text.utf8)) }
    #expect(error?.description.contains(complaint) == true || complaint.isEmpty, "\(error?.description ?? "")")
  }

  // MARK: Schemes

  @Test func `A scheme is added if a click needs it`() throws {
    var schemes = AddedSchemes("# mine\nTea:  # good\nnews")
    for url in [
      "tea://x", "https://example.org/", "mailto:", "sms:", "tweetbot://", "tweetbot:///post?", "prefs:root=W",
      "declared:x", "sms:1",
    ] { try schemes.allow(url, ["declared"]) }
    #expect(schemes.new == ["sms", "tweetbot", "prefs"])
    #expect(
      schemes.text == """
        # mine
        Tea:  # good
        news
        sms  # suzu launcher
        tweetbot  # suzu launcher
        prefs  # suzu launcher

        """)
    #expect(AddedSchemes(schemes.text).known == ["tea", "news", "sms", "tweetbot", "prefs"])
  }

  @Test(arguments: ["javascript:alert(1)", "ssh://host", "file:///etc/passwd", "nonsense", "", "a b:c", "admin:"])
  func `Forbidden schemes and schemes reserved for the user are not added`(url: String) {
    var schemes = AddedSchemes("")
    #expect(throws: (any Error).self) { try schemes.allow(url, ["javascript", "ssh"]) }
    #expect(schemes.text.isEmpty)
  }
}
