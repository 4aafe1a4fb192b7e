// SPDX-License-Identifier: Apache-2.0
import DBus
import Foundation
import NotificationModel
import Testing

/// Tests reading and writing of actions.
@Suite struct ActionTests {
  @Test(arguments: [
    (#"{"id": "a"}"#, Action(id: "a", title: "a")),
    (#"{"id": "a", "title": "A"}"#, Action(id: "a", title: "A")),
    (#"{"id": "a", "title": ""}"#, Action(id: "a", title: "")),
    (#"{"id": "a", "run": ["echo"]}"#, Action(id: "a", title: "a", effect: .run(["echo"]))),
    (
      #"{"id": "a", "run": ["/bin/sh", "-c", "a\nb"]}"#,
      Action(id: "a", title: "a", effect: .run(["/bin/sh", "-c", "a\nb"]))
    ),
    (#"{"id": "default", "url": "geo:1,2"}"#, Action(id: Action.defaultID, title: "default", effect: .url("geo:1,2"))),
  ])
  func `An action is read and written`(_ json: String, _ action: Action) throws {
    for format in Format.allCases { #expect(try format.decode(json) == action) }
    #expect(try JSONDecoder().decode(Action.self, from: JSONEncoder().encode(action)) == action)
    #expect(try ValueDecoder().decode(Action.self, from: ValueEncoder().encode(action)) == action)
  }

  @Test(arguments: [
    "http:a", "https://example.org/?q=%20&r=#f", "mailto:a@b", "x-a.b+c1:", "javascript:alert(1)", "https://例え.jp/",
    "urn:isbn:1", "file:///etc/hosts", "a:\u{7f}", "a: b", "a:b\n", ":b", "1a:b", "é:b", "a b:c", "https://a\u{0}",
    "-a:b", "", "a", "a:", "mailto:", "https:", "HTTP:",
  ])
  func `A URL needs a scheme and must be safe as an argument`(_ url: String) throws {
    let json = try #require(String(data: JSONEncoder().encode(["id": "a", "url": url]), encoding: .utf8))
    let isURL = url.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:[^\x00-\x20\x7f]*/) != nil
    let isGood = isURL && url.lowercased().wholeMatch(of: /https?:/) == nil
    let isForbidden = url.hasPrefix("javascript:")
    let action = try? Format.foundationJSON.decode(json, as: Action.self)
    #expect((action != nil) == (isGood && !isForbidden))
  }

  // They were stored, although nothing could ever open them.
  @Test(arguments: [
    "javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x", "view-source:https://a", "about:blank",
  ])
  func `A URL whose scheme is never opened is refused at once`(_ url: String) throws {
    let scheme = url.prefix { $0 != ":" }.lowercased()
    let why = "has the scheme '\(scheme)', which a click never opens"
    for (words, key) in [
      (["title": PlainValue.text("T"), "url": .text(url)], "url"),
      (
        [
          "title": .text("T"),
          "actions": .list([.dictionary(["id": .text("a"), "title": .text("A"), "url": .text(url)])]),
        ], "actions[0].url"
      ),
    ] {
      let error = #expect(throws: RequestError.self) { try NotificationRequest(words) }
      #expect(error?.description == "'\(key)' \(why)")
    }
  }
}
