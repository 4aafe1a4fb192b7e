// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import NotificationModel

/// Tests what a payload of Apple's push service becomes, and what is refused.
@Suite struct PushTests {
  private static func push(
    _ json: String, app: AppID = "org.example.Tea", id: RequestID? = nil, _ terms: PushTerms = PushTerms(),
    registered: Set<String> = ["tea"]
  ) throws -> Push {
    try PushDocument(Array(json.utf8)).payload.push(for: app, id: id, under: terms) { registered.contains($0.text) }
  }

  private static func request(_ aps: String) throws -> NotificationRequest { try push(#"{"aps": {\#(aps)}}"#).request }

  @Test func `Every key of the payload reaches the request`() throws {
    let push = try Self.push(
      """
      {"aps": {"alert": {"title": "Tea", "subtitle": "Green", "body": "is <b>ready</b> & hot", "launch-image": "x.png"},
        "badge": 3, "sound": "complete.caf", "category": "tea", "thread-id": "kitchen", "interruption-level":
        "time-sensitive", "relevance-score": 0.5, "mutable-content": 1, "content-available": 1,
        "url": "https://example.org/tea", "filter-criteria": "home"}, "pot": {"cups": [1, 2.5, true]}}
      """, id: "pot-7")
    #expect(push.kind == .shown && push.leftOut == nil)
    let request = push.request
    #expect(request.app == "org.example.Tea" && request.id == "pot-7" && request.schedule == .now)
    let content = request.content
    #expect(content.title == "Tea" && content.subtitle == "Green" && content.body == "is <b>ready</b> & hot")
    #expect(!content.markup && content.badge == 3 && content.sound == .named("complete"))
    #expect(content.category == "tea" && content.thread == "kitchen" && content.level == .timeSensitive)
    #expect(content.url == "https://example.org/tea" && content.icon == nil && content.actions == [])
    #expect(content.userInfo["pot"] == .dictionary(["cups": .list([.integer(1), .number(2.5), .flag(true)])]))
    guard case .dictionary(let aps)? = content.userInfo["aps"] else { throw Missing() }
    #expect(aps["filter-criteria"] == .text("home") && aps["mutable-content"] == .integer(1))
  }

  private struct Missing: Error {}

  @Test func `A text as the alert is the body, and a sound may be a dictionary`() throws {
    let plain = try Self.request(#""alert": "Tea is ready", "sound": "default""#).content
    #expect(plain.title == "" && plain.body == "Tea is ready" && plain.sound == .standard && plain.level == .active)
    let critical = try Self.request(#""alert": "Fire", "sound": {"critical": 1, "name": "bell", "volume": 0.7}"#)
      .content
    #expect(critical.level == .critical && critical.sound == .named("bell"))
    let quiet = try Self.request(
      #""alert": "Fire", "sound": {"critical": 1}, "interruption-level": "passive""#
    ).content
    #expect(quiet.level == .passive && quiet.sound == nil)
    #expect(try Self.request(#""alert": {"subtitle": "alone"}"#).content.title == "alone")
  }

  static let localized: [(String, String)] = [
    (#""loc-key": "%@ invites you to %@", "loc-args": ["Ann", "tea"]"#, "Ann invites you to tea"),
    (#""loc-key": "%2$@ from %1$@", "loc-args": ["Ann", "Tea"]"#, "Tea from Ann"),
    (#""loc-key": "%@ of %d%%", "loc-args": ["1", 2]"#, "1 of 2%"),
    (#""loc-key": "%@, %@", "loc-args": ["one"]"#, "one, "),
    (#""loc-key": "100% %s %x %5$@|%99999999999999999999$@|%", "loc-args": ["one"]"#, "100% %s %x ||%"),
    (#""loc-key": "KEY", "body": "The text""#, "The text"),
  ]

  @Test(arguments: localized) func `A key of a table that is not here stands for its text`(
    _ alert: String, _ body: String
  ) throws {
    #expect(try Self.request(#""alert": {\#(alert)}"#).content.body == body)
  }

  @Test func `A push without a text is silent, or changes the badge`() throws {
    let silent = try Self.push(#"{"aps": {"content-available": 1, "badge": 2, "sound": ""}, "n": 1}"#, id: "x")
    #expect(silent.kind == .silent && silent.request.content.badge == 2 && silent.request.id == nil)
    #expect(silent.request.content.userInfo["n"] == .integer(1))
    #expect(try Self.push(#"{"aps": {"badge": 0}}"#).kind == .badge)
    #expect(try Self.push(#"{"aps": {"alert": "", "content-available": true}}"#).kind == .silent)
  }

  @Test func `The receiver decides on levels and categories`() throws {
    let json = #"{"aps": {"alert": "x", "category": "tea", "interruption-level": "critical"}}"#
    func content(_ levels: Set<NotificationRequest.Level>?, _ categories: Set<Identifier>?) throws -> Push {
      try Self.push(json, PushTerms(levels: levels, categories: categories))
    }
    #expect(try content(nil, nil).request.content.level == .critical)
    #expect(try content([.active, .timeSensitive], nil).request.content.level == .active)
    #expect(try content([.passive], nil).request.content.level == .passive)
    #expect(try content(nil, ["tea"]).request.content.category == "tea")
    let left = try content(nil, ["coffee"])
    #expect(left.request.content.category == nil && left.leftOut == .notAllowed("tea"))
    let unknown = try Self.push(json, registered: [])
    #expect(unknown.request.content.category == nil && unknown.leftOut == .unknown("tea"))
    #expect(
      try Self.push(#"{"aps": {"alert": "x", "category": "im.received"}}"#, registered: []).request.content.category
        == "im.received")
  }

  static let refused: [(String, String)] = [
    (#"{"aps": {"alert": "x", "badge": "1"}}"#, "line 1, column 33: 'aps.badge' must be an integer"),
    (#"{"aps": {"alert": "x", "badge": -1}}"#, "'aps.badge' must be an integer from 0 to 2147483647, not -1"),
    (#"{"aps": {"alert": 7}}"#, "line 1, column 19: 'aps.alert' must be a string or a dictionary"),
    ("{\"aps\": {\"alert\": {\n \"title\": 7}}}", "line 2, column 11: 'aps.alert.title' must be a string, not 7"),
    (#"{"aps": {"alert": {"loc-key": "x", "loc-args": [{}]}}}"#, "'aps.alert.loc-args[0]' must be a string"),
    (#"{"aps": {"sound": 1}}"#, "'aps.sound' must be a string or a dictionary"),
    (#"{"aps": {"alert": "x", "sound": "/etc/passwd"}}"#, "must be the name of a sound, not a path or a URL"),
    (#"{"aps": {"alert": "x", "sound": {"name": "file:x"}}}"#, "'aps.sound.name' must be the name of a sound"),
    (#"{"aps": {"alert": "x", "sound": {"volume": 2}}}"#, "'aps.sound.volume' must be a number from 0 to 1, not 2"),
    (#"{"aps": {"alert": "x", "interruption-level": "loud"}}"#, "'aps.interruption-level' must be one of 'passive'"),
    (#"{"aps": {"alert": "x", "relevance-score": 1.5}}"#, "'aps.relevance-score' must be a number from 0 to 1"),
    (#"{"aps": {"content-available": 2}}"#, "'aps.content-available' must be 0 or 1, not 2"),
    (#"{"aps": {}}"#, "'aps' has nothing to show"), (#"{"aps": {"sound": "default"}}"#, "'aps' has nothing to show"),
    (#"{"aps": {"alert": " \u200b"}}"#, "'aps.alert' must not be blank"),
    (#"{"aps": 1}"#, "'aps' must be a dictionary"), ("{}", "'aps' is missing"), ("[]", "must be a dictionary"),
    (#"{"aps": {"alert": "x", "category": {"id": "evil"}}}"#, "a push cannot define one"),
    (#"{"aps": {"alert": "x", "thread-id": "a\nb"}}"#, "'aps.thread-id' must not contain control characters"),
    (#"{"aps": {"alert": "x", "url": "file:///etc/passwd"}}"#, "has the scheme 'file', which a push may not use"),
    (
      #"{"aps": {"alert": "x", "url": "JavaScript:alert(1)"}}"#,
      "has the scheme 'javascript', which a click never opens"
    ),
    (#"{"aps": {"alert": "x", "url": "steam://run/1"}}"#, "it may use geo, http, https, mailto, sms, tel, xmpp"),
    (#"{"aps": {"alert": "x", "url": "https://e.org/{reply}"}}"#, "must not contain '{' or '}'"),
    (
      #"{"aps": {"alert": "x", "actions": []}}"#, "column 24: 'aps.actions' is not taken from a push: buttons come from"
    ),
    (#"{"aps": {"alert": "x", "run": ["sh"]}}"#, "'aps.run' is not taken from a push"),
    (#"{"aps": {"alert": "x", "image": "/a.png"}}"#, "'aps.image' is not taken from a push: a push brings no pictures"),
    (#"{"aps": {"alert": "x", "markup": true}}"#, "'aps.markup' is not taken from a push: the texts"),
    (#"{"aps": {"alert": "x", "every": "1m"}}"#, "'aps.every' is not taken from a push: a push is shown when"),
    (#"{"aps": {"alert": "x"}, "dev.suzu.UserNotifications": "aGk="}"#, "is not taken from a push: keys with"),
    (#"{"aps": {"alert": "x"}, "n": {"": 1}}"#, "line 1, column 30: 'n' must not have an empty key"),
    (#"{"aps": {"alert": "x"}, "n": [0, "\u0000"]}"#, "'n[1]' must not contain NUL characters"),
    (#"{"aps": {"alert": "x"}, "aps": {}}"#, "column 25: duplicate key 'aps'"),
    (#"{"aps": {"alert": "x", "badge": null, "badge": 1}}"#, "duplicate key 'badge'"),
    (#"{"aps": {"alert": "\ud83e"}}"#, "unpaired surrogate"),
    (#"{"aps": {"badge": 1e999}}"#, "the number is too large"),
    (#"{"aps": {"badge": 1e300}}"#, "must be an integer"), ("", "is empty"), (" \n", "is empty"),
    ("<?xml?>", "a value is expected here"),
    (#"{"Simulator Target Bundle": 1, "aps": {"alert": "x"}}"#, "'Simulator Target Bundle' must be a string"),
  ]

  @Test(arguments: refused) func `An error names the key, and its place in the file`(
    _ json: String, _ words: String
  ) throws {
    let document: PushDocument
    do throws(DocumentError) { document = try PushDocument(Array(json.utf8)) } catch {
      #expect(error.description.contains(words))
      return
    }
    do throws(RequestError) {
      _ = try document.payload.push(for: "a", id: nil, under: PushTerms()) { _ in true }
      Issue.record("it was taken")
    } catch {
      let place = try #require(document.place(of: error))
      #expect("\(place): \(error)".contains(words))
    }
  }

  @Test func `A payload has at most 4,096 bytes, blanks not counted, and 16 levels`() throws {
    func payload(_ count: Int, _ blanks: Int = 0) throws -> PushPayload {
      let text = String(repeating: "a", count: count)
      return try PushDocument(
        Array((#"{"aps":{"alert":""# + text + #""}}"# + String(repeating: " ", count: blanks)).utf8)
      ).payload
    }
    #expect(try payload(4096 - 20, 9000).words.count == 1)
    #expect(throws: DocumentError.self) { try payload(4096 - 19) }
    #expect(throws: DocumentError.self) { try payload(1, PushDocument.longest) }
    func nested(_ depth: Int) throws -> Push {
      let (open, close) = (String(repeating: "[", count: depth), String(repeating: "]", count: depth))
      return try Self.push(#"{"aps": {"alert": "x"}, "deep": \#(open)\#(close)}"#)
    }
    // The payload itself is the first level. A request has eight, so what is deeper is kept as its text.
    #expect(try nested(15).request.content.userInfo["deep"] != nil)
    #expect(throws: DocumentError.self) { try nested(16) }
    var value = try #require(try nested(15).request.content.userInfo["deep"])
    var levels = 0
    while case .list(let values) = value, let first = values.first { (value, levels) = (first, levels + 1) }
    #expect(levels == 6 && value == .text("[[[[[[[[[]]]]]]]]]"))
    #expect(throws: RequestError.self) { try PushPayload(["aps": .dictionary([:]), "n": .number(.nan)]) }
    #expect(throws: RequestError.self) { try PushPayload(["aps": .dictionary([:]), "n": .text("\0")]) }
  }

  @Test func `Filling in arguments cannot make a text longer than a payload`() throws {
    let places = String(repeating: "%1$@", count: 500)
    let argument = String(repeating: "a", count: 1500)
    #expect(throws: RequestError.self) {
      try Self.request(#""alert": {"loc-key": "\#(places)", "loc-args": ["\#(argument)"]}"#)
    }
  }

  @Test func `A file for the simulator names its app, and bytes that are no text are refused`() throws {
    let named = try PushDocument(
      [0xEF, 0xBB, 0xBF] + Array(#"{"Simulator Target Bundle": "org.example.Tea", "aps": {"alert": "x"}}"#.utf8))
    #expect(named.app == "org.example.Tea" && named.payload.words.count == 1)
    do throws(DocumentError) {
      _ = try PushDocument(Array(#"{"aps": ""#.utf8) + [0xFF])
      Issue.record("it was taken")
    } catch {
      #expect(error.description == "line 1, column 10: is not UTF-8 text")
    }
  }
}
