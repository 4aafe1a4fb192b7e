// SPDX-License-Identifier: Apache-2.0
import DBus
import Foundation
import NotificationModel
import Testing

/// Tests reading and writing of requests in all formats.
@Suite struct RequestTests {
  static let everything = """
    {"app": "org.example.Tea", "appName": "Tea timer", "hints": {"x-a": "b", "c": true, "d": -1, "e": 0.5}, "id": "tea-1", "title": "Tea", "subtitle": "Green", "body": "3 minutes & <b>over</b>",
     "icon": "appointment-soon", "image": "/tmp/tea.png", "progress": 42, "level": "timeSensitive", "style": "alert",
     "expires": "1m30s", "url": "https://example.org/tea?a=b", "in": "2d",
     "sound": "/tmp/bell.oga", "badge": 7, "thread": "kitchen", "markup": true, "category": "im.received",
     "at": "tomorrow 07:30", "every": "Mon..Fri 07:30", "rule": "FREQ=DAILY\\nEXDATE:20261224",
     "match": {"weekday": 2, "hour": 7, "minute": 0}, "repeat": true, "zone": "Europe/Paris", "from": "mon 07:30",
     "until": "2027-01-01", "count": 12, "missed": "each", "grace": "15m", "wake": true,
     "actions": [{"id": "more", "title": "More", "run": ["echo", "", "ü"]},
                 {"id": "web", "title": "Web", "url": "mailto:a@example.org"}, {"id": "stop"}],
     "userInfo": {"text": "ä\\u0001", "flag": true, "no": false, "zero": 0, "one": 1, "big": 9007199254740993,
                  "low": -9007199254740993, "half": 0.5, "list": [1, "a", [], {}, [true]], "1": {"2": "3"}, "": ""}}
    """

  static let everythingInSwift = NotificationRequest(
    app: "org.example.Tea", appName: "Tea timer", id: "tea-1", title: "Tea", subtitle: "Green",
    body: "3 minutes & <b>over</b>", icon: "appointment-soon", image: "/tmp/tea.png", progress: 42,
    level: .timeSensitive, style: .alert,
    expires: .after(.seconds(90)),
    actions: [
      Action(id: "more", title: "More", effect: .run(["echo", "", "ü"])),
      Action(id: "web", title: "Web", effect: .url("mailto:a@example.org")), Action(id: "stop", title: "stop"),
    ],
    url: "https://example.org/tea?a=b",
    userInfo: [
      "text": .text("ä\u{1}"), "flag": .flag(true), "no": .flag(false), "zero": .integer(0), "one": .integer(1),
      "big": .integer(9_007_199_254_740_993), "low": .integer(-9_007_199_254_740_993), "half": .number(0.5),
      "list": .list([.integer(1), .text("a"), .list([]), .dictionary([:]), .list([.flag(true)])]),
      "1": .dictionary(["2": .text("3")]), "": .text(""),
    ],
    sound: "/tmp/bell.oga", badge: 7, thread: "kitchen", markup: true, category: "im.received",
    hints: ["x-a": .text("b"), "c": .flag(true), "d": .integer(-1), "e": .number(0.5)],
    when: TriggerWords(
      in: .seconds(172_800), at: "tomorrow 07:30", every: "Mon..Fri 07:30", rule: "FREQ=DAILY\nEXDATE:20261224",
      match: ["weekday": 2, "hour": 7, "minute": 0], repeats: true, zone: "Europe/Paris", from: "mon 07:30",
      until: "2027-01-01", count: 12),
    missed: .each, grace: .seconds(900), wake: true)

  /// Which time keys can be combined is checked elsewhere; here each must be accepted.
  @Test func `The sample contains every key`() throws {
    let words = try #require(JSONSerialization.jsonObject(with: Data(Self.everything.utf8)) as? [String: Any])
    #expect(Set(words.keys) == Set(NotificationRequest.Key.allCases.map(\.rawValue)))
  }

  @Test(arguments: [Format.command, .json, .foundationJSON, .bus])
  func `Every format gives the same request`(_ format: Format) throws {
    #expect(try format.decode(Self.everything) == Self.everythingInSwift)
  }

  /// XML cannot contain U+0001, so the sample is reduced for property lists.
  @Test(arguments: [
    Format.propertyList, .binaryPropertyList, .foundationPropertyList, .foundationBinaryPropertyList,
  ])
  func `A property list gives the same request`(_ format: Format) throws {
    var expected = Self.everythingInSwift
    expected.userInfo["text"] = .text("ä")
    let json = Self.everything.replacing("\\u0001", with: "")
    #expect(try format.decode(json) == expected)
  }

  @Test(arguments: Format.allCases)
  func `A title is the only required key`(_ format: Format) throws {
    let request = try format.decode(#"{"title": "Tea"}"#, as: NotificationRequest.self)
    #expect(request == NotificationRequest(title: "Tea"))
    #expect(request.app == "dev.suzu.Suzu")
    #expect(request.level == .active)
    #expect(request.style == .banner)
  }

  @Test(arguments: [
    #"{"title": "", "body": "Tea"}"#, #"{"title": "a", "actions": []}"#, #"{"title": "a", "userInfo": {}}"#,
    #"{"title": "a", "progress": 0}"#, #"{"title": "a", "progress": 100}"#, #"{"title": "a", "in": "0s"}"#,
    #"{"title": "a", "expires": "never"}"#, #"{"title": "a", "expires": "0s"}"#, #"{"title": "a\nb\t\u0007"}"#,
    #"{"title": "a", "level": "passive", "style": "banner"}"#, #"{"title": "a", "level": "critical"}"#,
    #"{"title": "a", "level": "active"}"#, #"{"title": "a", "actions": [{"id": "default", "title": ""}]}"#,
    #"{"title": "a", "badge": 0, "count": 1}"#, #"{"title": "a", "badge": 2147483647, "count": 2147483647}"#,
    #"{"title": "a", "match": {}}"#, #"{"title": "a", "match": {"anything": -5, "": 9223372036854775807}}"#,
    #"{"title": "a", "missed": "deliver", "markup": false, "wake": false, "repeat": false, "grace": "0s"}"#,
    #"{"title": "a", "sound": "none", "missed": "skip", "at": "", "every": "whenever", "zone": "?"}"#,
    #"{"title": "a", "userInfo": {"a": [[[[[[]]]]]]}}"#, #"{"title": "a", "userInfo": {"a": [[[[[["deep"]]]]]]}}"#,
  ])
  func `Values at the limits are accepted`(_ json: String) throws {
    let request = try Format.command.decode(json, as: NotificationRequest.self)
    #expect(try Format.foundationJSON.decode(json) == request)
    #expect(try Format.bus.decode(json) == request)
    let again = try ValueDecoder().decode(NotificationRequest.self, from: ValueEncoder().encode(request))
    #expect(again == request)
  }

  // MARK: Writing

  @Test func `A written request is read back`() throws {
    for request in [Self.everythingInSwift, NotificationRequest(title: "Tea")] {
      #expect(try ValueDecoder().decode(NotificationRequest.self, from: ValueEncoder().encode(request)) == request)
      let json = try JSONEncoder().encode(request)
      #expect(try JSONDecoder().decode(NotificationRequest.self, from: json) == request)
      #expect(try Format.command.decode(String(decoding: json, as: UTF8.self)) == request)
      #expect(try JSONReader.read(String(decoding: json, as: UTF8.self)).decode() == request)
      var printable = request
      printable.userInfo["text"] = .text("ä")
      for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = format
        #expect(
          try PropertyListDecoder().decode(NotificationRequest.self, from: encoder.encode(printable)) == printable)
      }
    }
  }

  @Test func `Default values are not written`() throws {
    let properties = try ValueEncoder().encodeProperties(NotificationRequest(title: "Tea"))
    #expect(properties == ["app": "dev.suzu.Suzu", "title": "Tea"])
  }

  @Test func `Random requests survive every format`() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<500 {
      let request = NotificationRequest.random(using: &random)
      #expect(try ValueDecoder().decode(NotificationRequest.self, from: ValueEncoder().encode(request)) == request)
      #expect(try JSONDecoder().decode(NotificationRequest.self, from: JSONEncoder().encode(request)) == request)
      let list = try PropertyListEncoder().encode(request)
      #expect(try PropertyListDecoder().decode(NotificationRequest.self, from: list) == request)
      #expect(try PropertyListReader.read([UInt8](list)).decode() == request)
      #expect(try JSONReader.read(String(decoding: JSONEncoder().encode(request), as: UTF8.self)).decode() == request)
    }
  }
}

extension NotificationRequest {
  fileprivate static func random(using random: inout some RandomNumberGenerator) -> NotificationRequest {
    func maybe<T>(_ value: @autoclosure () -> T) -> T? { Bool.random(using: &random) ? value() : nil }
    func text() -> String {
      String(
        (0..<Int.random(in: 1...12, using: &random)).map { _ in "aé日🫖 \n<&\"\\'".randomElement(using: &random) ?? " " })
    }
    func duration() -> Duration { .milliseconds(Int64.random(in: 0...3_155_760_000_000, using: &random)) }
    func choice<T>(_ values: some Collection<T>, _ usual: T) -> T { values.randomElement(using: &random) ?? usual }
    let effects: [Action.Effect?] = [.run(["a", text()]), .url("https://example.org/"), nil]
    let when = TriggerWords(
      in: maybe(duration()), at: maybe(text()), every: maybe(text()), rule: maybe(text()),
      match: maybe([text(): Int.random(in: .min ... .max, using: &random), "hour": 7]),
      repeats: maybe(choice([true, false], true)),
      zone: maybe(text()), from: maybe(text()), until: maybe(text()),
      count: maybe(Int.random(in: 1...Int(Int32.max), using: &random)))
    return NotificationRequest(
      app: maybe("org.example.Tea") ?? defaultApp, appName: maybe("Tea timer"), id: maybe("id"), title: text(),
      subtitle: maybe(text()), body: maybe(text()), icon: maybe(text()), image: maybe(text()),
      progress: maybe(Int.random(in: 0...100, using: &random)), level: choice(Level.allCases, .active),
      style: choice(Style.allCases, .banner), expires: maybe(choice([.after(duration()), .never], .never)),
      actions: (0..<Int.random(in: 0...4, using: &random)).map {
        Action(id: "\($0)", title: text(), effect: choice(effects, nil))
      },
      url: maybe("mailto:a@b"), userInfo: PlainValue.randomDictionary(depth: 1, using: &random), sound: maybe(text()),
      badge: maybe(Int.random(in: 0...Int(Int32.max), using: &random)), thread: maybe("thread"),
      markup: choice([true, false], true), category: maybe("x-kitchen.tea"),
      hints: choice([["a": .flag(false), "b": .number(2.5)], [:]], [:]), when: when,
      missed: choice(Missed.allCases, .skip), grace: maybe(duration()), wake: choice([true, false], true))
  }
}
