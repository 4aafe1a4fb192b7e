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
     "expires": "1m30s", "nag": "5m", "max": 9, "escalate": [{"after": "10m", "level": "critical", "sound": "alarm"},
     {"after": "1h", "style": "alert"}], "url": "https://example.org/tea?a=b",
     "sound": "/tmp/bell.oga", "speak": true, "badge": 7, "thread": "kitchen", "relevance": 0.25, "summaryName": "Anna", "summaryCount": 3, "markup": true, "category": "im.received",
     "every": "Mon..Fri 07:30", "zone": "Europe/Paris", "from": "mon 07:30",
     "until": "2027-01-01", "count": 12, "missed": "each", "grace": "15m", "wake": true,
     "actions": [{"id": "more", "title": "More", "run": ["echo", "", "ü"]},
                 {"id": "web", "title": "Web", "url": "mailto:a@example.org"}, {"id": "stop"}],
     "userInfo": {"text": "ä\\u0001", "flag": true, "no": false, "zero": 0, "one": 1, "big": 9007199254740993,
                  "low": -9007199254740993, "half": 0.5, "list": [1, "a", [], {}, [true]], "1": {"2": "3"}, "": ""}}
    """

  static func everythingInSwift() throws -> NotificationRequest {
    let schedule = try Schedule.every(
      "Mon..Fri 07:30", zone: "Europe/Paris", from: "mon 07:30", until: "2027-01-01", count: 12)
    return try NotificationRequest(
      app: "org.example.Tea", id: "tea-1", title: "Tea",
      schedule: schedule.whenMissed(.each, grace: .seconds(900)).waking()
    ) {
      $0.appName = "Tea timer"
      $0.subtitle = "Green"
      $0.body = "3 minutes & <b>over</b>"
      $0.markup = true
      $0.icon = .named("appointment-soon")
      $0.image = .file("/tmp/tea.png")
      $0.sound = .file("/tmp/bell.oga")
      $0.speak = true
      $0.badge = 7
      $0.progress = 42
      $0.thread = "kitchen"
      $0.relevance = 0.25
      $0.summaryName = "Anna"
      $0.summaryCount = 3
      $0.level = .timeSensitive
      $0.style = .alert
      $0.expires = .after(.seconds(90))
      $0.nag = .every(
        .seconds(300),
        escalating: [
          Nag.Step(after: .seconds(600), level: .critical, sound: "alarm"),
          Nag.Step(after: .seconds(3600), style: .alert),
        ], atMost: 9)
      $0.category = "im.received"
      $0.hints = ["x-a": .text("b"), "c": .flag(true), "d": .integer(-1), "e": .number(0.5)]
      $0.actions = [
        Action(id: "more", title: "More", effect: .run(["echo", "", "ü"])),
        Action(id: "web", title: "Web", effect: .url("mailto:a@example.org")), Action(id: "stop", title: "stop"),
      ]
      $0.url = "https://example.org/tea?a=b"
      $0.userInfo = [
        "text": .text("ä\u{1}"), "flag": .flag(true), "no": .flag(false), "zero": .integer(0), "one": .integer(1),
        "big": .integer(9_007_199_254_740_993), "low": .integer(-9_007_199_254_740_993), "half": .number(0.5),
        "list": .list([.integer(1), .text("a"), .list([]), .dictionary([:]), .list([.flag(true)])]),
        "1": .dictionary(["2": .text("3")]), "": .text(""),
      ]
    }
  }

  /// The other kinds of schedules.
  static func schedules() throws -> [(json: String, schedule: Schedule)] {
    try [
      ("{}", .now), (#"{"in": "2d"}"#, .in(.seconds(172_800))), (#"{"in": "0s", "repeat": false}"#, .in(.zero)),
      (#"{"in": "2d", "repeat": true, "count": 3}"#, .repeating(.after(.seconds(172_800)), count: 3)),
      (#"{"at": "tomorrow 07:30", "zone": "?"}"#, .at("tomorrow 07:30", zone: "?")),
      (#"{"every": "15m", "from": "", "count": 2147483647}"#, .every("15m", from: "", count: 2_147_483_647)),
      (
        #"{"rule": "FREQ=DAILY\nEXDATE:20261224", "until": "1 jan"}"#,
        .rule("FREQ=DAILY\nEXDATE:20261224", until: "1 jan")
      ),
      (#"{"match": {"hour": 7}, "from": "mon", "repeat": false}"#, .match(["hour": 7], from: "mon")),
      (#"{"match": {"hour": 7}, "repeat": true, "count": 1}"#, .repeating(.match(["hour": 7]), count: 1)),
      (
        #"{"on": "leave wifi Home for 5m", "now": true}"#,
        .on(Condition(.wifi("Home"), .leave, for: .seconds(300)), now: true)
      ),
      (
        #"{"on": {"battery": "< 20%"}, "repeat": true, "cooldown": "1h", "during": "Mon", "zone": "?", "count": 3}"#,
        .on(
          Condition(.battery(.below(20))), repeats: true, cooldown: .seconds(3600), zone: "?", count: 3, during: "Mon")
      ),
    ]
  }

  @Test func `The samples contain every key`() throws {
    let samples = try [Self.everything] + Self.schedules().map(\.json)
    let keys = try samples.flatMap {
      try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]).keys
    }
    #expect(Set(keys) == Set(NotificationRequest.Key.allCases.map(\.rawValue)))
  }

  @Test(arguments: Format.allCases)
  func `Every format gives the same schedules`(_ format: Format) throws {
    for (json, schedule) in try Self.schedules() {
      #expect(try format.decode(json) == schedule)
      let request = try NotificationRequest(title: "a", schedule: schedule)
      #expect(try JSONReader.read(request.json).decode() == request)
    }
  }

  @Test(arguments: [Format.command, .json, .foundationJSON, .bus])
  func `Every format gives the same request`(_ format: Format) throws {
    #expect(try format.decode(Self.everything) == Self.everythingInSwift())
  }

  /// XML cannot contain U+0001, so the sample is reduced for property lists.
  @Test(arguments: [
    Format.propertyList, .binaryPropertyList, .foundationPropertyList, .foundationBinaryPropertyList,
  ])
  func `A property list gives the same request`(_ format: Format) throws {
    let expected = try Self.everythingInSwift().changing { $0.userInfo["text"] = .text("ä") }
    let json = Self.everything.replacing("\\u0001", with: "")
    #expect(try format.decode(json) == expected)
  }

  @Test(arguments: Format.allCases)
  func `A title is the only required key`(_ format: Format) throws {
    let request = try format.decode(#"{"title": "Tea"}"#, as: NotificationRequest.self)
    #expect(try request == NotificationRequest(title: "Tea"))
    #expect(request.app == "dev.suzu.Suzu")
    #expect(request.content.level == .active)
    #expect(request.content.style == .banner)
  }

  @Test(arguments: [
    #"{"title": "", "body": "Tea"}"#, #"{"title": "a", "actions": []}"#, #"{"title": "a", "userInfo": {}}"#,
    #"{"title": "a", "progress": 0}"#, #"{"title": "a", "progress": 100}"#, #"{"title": "a", "in": "0s"}"#,
    #"{"title": "a", "expires": "never"}"#, #"{"title": "a", "expires": "0s"}"#, #"{"title": "a\nb\t\u0007"}"#,
    #"{"title": "a", "level": "passive", "style": "banner"}"#, #"{"title": "a", "level": "critical"}"#,
    #"{"title": "a", "level": "active"}"#, #"{"title": "a", "actions": [{"id": "default", "title": ""}]}"#,
    #"{"title": "a", "badge": 0, "every": "x", "count": 1}"#,
    #"{"title": "a", "badge": 2147483647, "rule": "x", "count": 2147483647}"#,
    #"{"title": "a", "match": {}}"#, #"{"title": "a", "match": {"anything": -5, "": 9223372036854775807}}"#,
    #"{"title": "a", "missed": "deliver", "markup": false, "wake": false, "repeat": false, "grace": "0s"}"#,
    #"{"title": "a", "sound": "none", "missed": "skip", "at": "", "zone": "?"}"#,
    #"{"title": "a", "every": "whenever", "zone": "?"}"#,
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
    for request in try [Self.everythingInSwift(), NotificationRequest(title: "Tea")] {
      #expect(try ValueDecoder().decode(NotificationRequest.self, from: ValueEncoder().encode(request)) == request)
      let json = try JSONEncoder().encode(request)
      #expect(try JSONDecoder().decode(NotificationRequest.self, from: json) == request)
      #expect(try Format.command.decode(String(decoding: json, as: UTF8.self)) == request)
      #expect(try JSONReader.read(String(decoding: json, as: UTF8.self)).decode() == request)
      let printable = try request.changing { $0.userInfo["text"] = .text("ä") }
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
      let request = try NotificationRequest.random(using: &random)
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
  fileprivate static func random(using random: inout some RandomNumberGenerator) throws -> NotificationRequest {
    func maybe<T>(_ value: @autoclosure () -> T) -> T? { Bool.random(using: &random) ? value() : nil }
    func text() -> String {
      String(
        (0..<Int.random(in: 1...12, using: &random)).map { _ in "aé日🫖 \n<&\"\\'".randomElement(using: &random) ?? " " })
    }
    func duration() -> Duration { .milliseconds(Int64.random(in: 0...3_155_760_000_000, using: &random)) }
    func choice<T>(_ values: some Collection<T>, _ usual: T) -> T { values.randomElement(using: &random) ?? usual }
    let effects: [Action.Effect?] = [.run(["a", text()]), .url("https://example.org/"), nil]
    func schedule() throws -> Schedule {
      let (zone, from, until) = (maybe(text()), maybe(text()), maybe(text()))
      let count = maybe(Int.random(in: 1...Int(Int32.max), using: &random))
      let match = [text(): Int.random(in: .min ... .max, using: &random), "hour": 7]
      let patterns: [Schedule.Pattern] = [.after(duration()), .every(text()), .rule(text()), .match(match)]
      let pattern = choice(patterns, .every(text()))
      let schedules: [Schedule] = try [
        .now, .in(duration()), .at(text(), zone: zone), .match(match, zone: zone, from: from, until: until),
        .repeating(pattern, zone: zone, from: from, until: until, count: count),
      ]
      return choice(schedules, .now)
    }
    let timing = try schedule().whenMissed(choice(Schedule.Missed.allCases, .skip), grace: maybe(duration()))
    return try NotificationRequest(
      app: maybe("org.example.Tea") ?? .suzu, id: maybe("id"), title: text(),
      schedule: timing.waking(choice([true, false], true))
    ) {
      $0.appName = maybe("Tea timer")
      $0.subtitle = maybe(text())
      $0.body = maybe(text())
      $0.markup = choice([true, false], true)
      $0.icon = maybe(Picture(text()))
      $0.image = maybe(Picture("/" + text()))
      $0.sound = maybe(Sound(choice(["default", "none", "/a", text()], "none")))
      $0.badge = maybe(Int.random(in: 0...Int(Int32.max), using: &random))
      $0.progress = maybe(Int.random(in: 0...100, using: &random))
      $0.thread = maybe("thread")
      $0.level = choice(Level.allCases, .active)
      $0.style = choice(Style.allCases, .banner)
      $0.expires = maybe(choice([.after(duration()), .never], .never))
      $0.category = maybe("x-kitchen.tea")
      $0.hints = choice([["a": .flag(false), "b": .number(2.5)], [:]], [:])
      $0.actions = (0..<Int.random(in: 0...4, using: &random)).map {
        Action(id: "\($0)", title: text(), effect: choice(effects, nil))
      }
      $0.url = maybe("mailto:a@b")
      $0.userInfo = PlainValue.randomDictionary(depth: 1, using: &random)
    }
  }
}
