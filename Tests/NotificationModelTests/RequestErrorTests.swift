// SPDX-License-Identifier: Apache-2.0
import DBus
import Foundation
import NotificationModel
import Testing

/// Tests the error messages of invalid requests.
@Suite struct RequestErrorTests {
  static func request(_ more: String) -> String { #"{"title": "a", "# + more + "}" }
  static func action(_ more: String) -> String {
    request(#""actions": [{"id": "first"}, {"id": "second", "# + more + "}]")
  }

  static let duration = "a duration such as '90s', '10m', '1h30m' or '2d'"
  static let url = "a URL such as 'https://example.org/', at most 2048 bytes, without blanks"
  static let name = "1 to 255 bytes of text without control characters"
  static let levels = "one of 'passive', 'active', 'timeSensitive', 'critical'"

  static let time = "a date and time such as 'tomorrow 07:30' or '2026-11-21 07:30'"
  static let components = #"date components by name, such as {"weekday": 2, "hour": 7}"#

  static let complaints: [(String, String)] = [
    ("[]", "a request must be a dictionary"),
    ("{}", "'title' is missing"),
    (#"{"body": "a"}"#, "'title' is missing"),
    (#"{"title": ""}"#, "'title' must not be empty: a notification without any text cannot be shown"),
    (#"{"title": "", "body": ""}"#, "'title' must not be empty: a notification without any text cannot be shown"),
    (#"{"title": 5}"#, "'title' must be a string, not 5"),
    (#"{"title": true}"#, "'title' must be a string, not true"),
    (#"{"title": ["a"]}"#, "'title' must be a string, not a list"),
    (#"{"title": {}}"#, "'title' must be a string, not a dictionary"),
    // It is not the index of a request in a list.
    (request(#""[a\n.b": 1"#), #"'[a\u{a}.b' is not a known key"#),
    (request(#""subtitle": 1.5"#), "'subtitle' must be a string, not 1.5"),
    (request(#""body": []"#), "'body' must be a string, not a list"),
    (request(#""icon": false"#), "'icon' must be a string, not false"),
    (request(#""image": 1"#), "'image' must be a string, not 1"),
    (request(#""app": """#), "'app' must not be empty"),
    (request(#""app": 1"#), "'app' must be \(name), not 1"),
    (request(#""id": "a\nb""#), "'id' must not contain control characters"),
    (request(#""id": "\#(String(repeating: "é", count: 128))""#), "'id' must have at most 255 bytes, not 256"),
    (request(#""progress": -1"#), "'progress' must be an integer from 0 to 100, not -1"),
    (request(#""progress": 101"#), "'progress' must be an integer from 0 to 100, not 101"),
    (request(#""progress": 50.5"#), "'progress' must be an integer from 0 to 100, not 50.5"),
    (request(#""progress": "50""#), "'progress' must be an integer from 0 to 100, not a string; give the integer 50"),
    (request(#""in": "4m", "repeat": "True""#), "'repeat' must be true or false, not a string; give the boolean true"),
    (request(#""match": {"hour": "7"}"#), "'match.hour' must be an integer, not a string; give the integer 7"),
    (request(#""progress": true"#), "'progress' must be an integer from 0 to 100, not true"),
    (request(#""progress": [50]"#), "'progress' must be an integer from 0 to 100, not a list"),
    (request(#""level": "loud""#), "'level' must be \(levels), not 'loud'"),
    (request(#""level": "Active""#), "'level' must be \(levels), not 'Active'; did you mean 'active'?"),
    (request(#""level": 2"#), "'level' must be \(levels), not 2"),
    (request(#""style": """#), "'style' must be one of 'banner', 'alert', not ''"),
    (request(#""expires": 10"#), "'expires' must be 'never' or \(duration), not 10"),
    (request(#""expires": "soon""#), "'expires' must be 'never' or \(duration), at most a hundred years, not 'soon'"),
    (request(#""in": 90"#), "'in' must be \(duration), not 90; did you mean \"90m\"?"),
    (request(#""in": "5""#), "'in' must be \(duration), at most a hundred years, not '5'; did you mean '5m'?"),
    (request(#""in": "101w 5300w""#), "'in' must be \(duration), at most a hundred years, not '101w 5300w'"),
    (request(#""url": "example.org""#), "'url' must be \(url), not 'example.org'"),
    (request(#""url": "https:""#), "'url' must be \(url), not 'https:'"),
    (request(#""url": "https://a b""#), "'url' must be \(url), not 'https://a b'"),
    (request(#""url": "-x:y""#), "'url' must be \(url), not '-x:y'"),
    (
      request(#""url": "https://\#(String(repeating: "a", count: 2041))""#),
      "'url' must be \(url), not 'https://\(String(repeating: "a", count: 52))…'"
    ),
    (request(#""url": 1"#), "'url' must be \(url), not 1"),
    (request(#""userInfo": []"#), "'userInfo' must be a dictionary, not a list"),
    (request(#""userInfo": "a""#), "'userInfo' must be a dictionary, not a string"),
    (request(#""userInfo": {"a": [[[[[[[]]]]]]]}"#), "'userInfo.a[0][0][0][0][0][0]' is nested deeper than 8 levels"),
    (
      request(#""userInfo": {"a": {"1": {"c": {"d": {"e": {"f": {"g": {}}}}}}}}"#),
      "'userInfo.a.1.c.d.e.f.g' is nested deeper than 8 levels"
    ),
    (request(#""actions": "a""#), "'actions' must be a list of actions, not a string"),
    (request(#""actions": {"id": "a"}"#), "'actions' must be a list of actions, not a dictionary"),
    (request(#""actions": ["a"]"#), "'actions[0]' must be a dictionary"),
    (request(#""actions": [{"id": "a"}, []]"#), "'actions[1]' must be a dictionary"),
    (request(#""actions": [{}]"#), "'actions[0].id' is missing"),
    (request(#""actions": [{"id": ""}]"#), "'actions[0].id' must not be empty"),
    (request(#""actions": [{"id": 1}]"#), "'actions[0].id' must be \(name), not 1"),
    (
      request(#""actions": [{"id": "a"}, {"id": "a"}]"#),
      "'actions[1].id' repeats 'a'; ids must be unique"
    ),
    (action(#""title": 5"#), "'actions[1].title' must be a string, not 5"),
    (action(#""url": "nowhere""#), "'actions[1].url' must be \(url), not 'nowhere'"),
    (action(#""url": ["a"]"#), "'actions[1].url' must be \(url), not a list"),
    (
      action(#""run": "echo a""#), "'actions[1].run' must be a list of strings, not a string; write [\"echo\", \"a\"]"
    ),
    (
      request(#""in": 5"#), "'in' must be a duration such as '90s', '10m', '1h30m' or '2d', not 5; did you mean \"5m\"?"
    ),
    (action(#""run": ["echo", 1]"#), "'actions[1].run[1]' must be a string"),
    (action(#""run": []"#), #"'actions[1].run' must be a program and its arguments, such as ["echo", "hello"]"#),
    (action(#""run": [""]"#), #"'actions[1].run' must be a program and its arguments, such as ["echo", "hello"]"#),
    (
      action(#""run": ["a"], "url": "https://example.org/""#),
      "'actions[1].url' cannot be combined with 'run': an action has one effect"
    ),
    (action(#""lable": "a""#), "'actions[1].lable' is not a known key"),
    (action(#""Title": "a""#), "'actions[1].Title' is not a known key; did you mean 'title'?"),
    (request(#""sound": true"#), "'sound' must be a string, not true"),
    (request(#""badge": -1"#), "'badge' must be an integer from 0 to 2147483647, not -1"),
    (request(#""badge": 2147483648"#), "'badge' must be an integer from 0 to 2147483647, not 2147483648"),
    (request(#""badge": "many""#), "'badge' must be an integer from 0 to 2147483647, not a string"),
    (request(#""badge": true"#), "'badge' must be an integer from 0 to 2147483647, not true"),
    (request(#""thread": """#), "'thread' must not be empty"),
    (request(#""appName": """#), "'appName' must not be empty"),
    (request(#""hints": ["a"]"#), "'hints' must be a dictionary, not a list"),
    (request(#""hints": {"b": [], "a": {}}"#), "'hints.a' must be a string, a number, true or false"),
    (request(#""hints": {"value": "5"}"#), "'hints.value' has a key of its own; use 'progress'"),
    (request(#""hints": {"image-path": "/dev/zero"}"#), "'hints.image-path' has a key of its own; use 'image'"),
    (request(#""hints": {"": 1}"#), "'hints' must be named with 1 to 255 bytes of text without control characters"),
    (request(#""markup": "yes""#), "'markup' must be true or false, not a string"),
    (request(#""markup": 1"#), "'markup' must be true or false, not 1"),
    (request(#""category": "a\nb""#), "'category' must not contain control characters"),
    (request(#""category": 1"#), "'category' must be \(name), not 1"),
    (request(#""at": 730"#), "'at' must be \(time), not 730"),
    (
      request(#""every": {"minutes": 5}"#),
      "'every' must be a duration such as '15m', or weekdays, date and time such as 'Mon..Fri 07:30', not a dictionary"
    ),
    (request(#""rule": ["FREQ=DAILY"]"#), "'rule' must be a rule such as 'FREQ=WEEKLY;BYDAY=MO;BYHOUR=7', not a list"),
    (request(#""match": "monday""#), "'match' must be \(components), not a string"),
    (request(#""match": [2, 7]"#), "'match' must be \(components), not a list"),
    (request(#""match": {"weekday": "monday"}"#), "'match.weekday' must be an integer, not a string"),
    (request(#""match": {"hour": 7, "weekday": true}"#), "'match.weekday' must be an integer, not true"),
    (request(#""match": {"hour": 7.5}"#), "'match.hour' must be an integer, not 7.5"),
    (request(#""match": {"hour": [7], "day": {}}"#), "'match.day' must be an integer, not a dictionary"),
    (request(#""match": {"hour": [7]}"#), "'match.hour' must be an integer, not a list"),
    (request(#""repeat": "yes""#), "'repeat' must be true or false, not a string"),
    (request(#""repeat": 1"#), "'repeat' must be true or false, not 1"),
    (request(#""zone": 1"#), "'zone' must be the name of a time zone such as 'Europe/Paris', not 1"),
    (request(#""from": 20261121"#), "'from' must be \(time), not 20261121"),
    (request(#""until": false"#), "'until' must be \(time), not false"),
    (request(#""count": 0"#), "'count' must be an integer from 1 to 2147483647, not 0"),
    (request(#""count": "twice""#), "'count' must be an integer from 1 to 2147483647, not a string"),
    (request(#""count": 1.5"#), "'count' must be an integer from 1 to 2147483647, not 1.5"),
    (
      request(#""missed": "skpi""#),
      "'missed' must be one of 'deliver', 'skip', 'each', not 'skpi'; did you mean 'skip'?"
    ),
    (request(#""missed": "later""#), "'missed' must be one of 'deliver', 'skip', 'each', not 'later'"),
    (request(#""missed": true"#), "'missed' must be one of 'deliver', 'skip', 'each', not true"),
    (request(#""grace": 15"#), "'grace' must be \(duration), not 15; did you mean \"15m\"?"),
    (request(#""grace": "a bit""#), "'grace' must be \(duration), at most a hundred years, not 'a bit'"),
    (request(#""wake": 0"#), "'wake' must be true or false, not 0"),
    (request(#""Match": {}"#), "'Match' is not a known key; did you mean 'match'?"),
    (
      request(#""run": "x""#),
      "'run' is not a known key; it is a key of an action, such as the one with the id 'default' for a click on the "
        + "notification"
    ),
    (request(#""repeats": true"#), "'repeats' is not a known key; did you mean 'repeat'?"),
    (request(#""titel": "a""#), "'titel' is not a known key; did you mean 'title'?"),
    (request(#""userinfo": {}"#), "'userinfo' is not a known key; did you mean 'userInfo'?"),
    (request(#""whatever": 1, "anything": 2"#), "'anything' is not a known key"),
    (request(#""x": 1"#), "'x' is not a known key"),
    (action(#""": 1"#), "'actions[1]' must not have an empty key"),
    (request(#""": 1"#), "must not have an empty key"),
  ]

  @Test(arguments: complaints)
  func `An error names the key and the expectation in every format`(_ json: String, _ complaint: String) {
    for format in Format.allCases {
      #expect(format.complaint(about: json) == complaint, "\(format)")
    }
  }

  @Test(arguments: [
    (#"{"title": null}"#, "'title' must be a string, not null; omit the key instead"),
    (
      request(#""progress": null"#),
      "'progress' must be an integer from 0 to 100, not null; omit the key instead"
    ),
    (request(#""actions": null"#), "'actions' must be a list of actions, not null; omit the key instead"),
    (request(#""actions": [null]"#), "'actions[0]' must be a dictionary"),
    (action(#""url": null"#), "'actions[1].url' must be \(url), not null; omit the key instead"),
    (action(#""run": ["a", null]"#), "'actions[1].run[1]' must be a string"),
    (request(#""match": null"#), "'match' must be \(components), not null; omit the key instead"),
    (
      request(#""match": {"hour": null}"#),
      "'match.hour' must be a string, a number, true or false, a list or a dictionary"
    ),
    (request(#""wake": null"#), "'wake' must be true or false, not null; omit the key instead"),
    (request(#""userInfo": null"#), "'userInfo' must be a dictionary, not null; omit the key instead"),
    (
      request(#""userInfo": {"a": [null]}"#),
      "'userInfo.a[0]' must be a string, a number, true or false, a list or a dictionary"
    ),
  ])
  func `Null is not treated as missing`(_ json: String, _ complaint: String) {
    #expect(Format.foundationJSON.complaint(about: json) == complaint)
    #expect(throws: DocumentError.self) { try JSONReader.read(json) }
  }

  // MARK: Keys of a schedule

  @Test(arguments: [
    (#""in": "5m", "at": "07:30""#, "'at': 'in' and 'at' cannot be combined"),
    (#""match": {}, "every": "1h", "in": "5m""#, "'every': 'in' and 'every' cannot be combined"),
    (#""rule": "x", "at": "x""#, "'rule': 'at' and 'rule' cannot be combined"),
    (#""repeat": true"#, "'repeat': applies only to 'in', 'match' and 'on'; for example 'every: 07:30'"),
    (#""at": "x", "repeat": true"#, "'repeat': applies only to 'in', 'match' and 'on'; for example 'every: 07:30'"),
    (#""every": "x", "repeat": false"#, "'repeat': 'every' always repeats; for example 'at: 07:30'"),
    (#""rule": "x", "repeat": false"#, "'repeat': 'rule' always repeats; for example 'at: 07:30'"),
    (#""count": 3"#, "'count': applies only to repetitions; for example 'every: 15m'"),
    (#""at": "x", "from": "x""#, "'from': applies only to repetitions; for example 'every: 15m'"),
    (#""in": "1s", "until": "x", "repeat": false"#, "'until': applies only to repetitions; for example 'every: 15m'"),
    (#""match": {"hour": 7}, "count": 2"#, "'count': requires 'repeat: true' with 'match'"),
    (#""on": "power", "in": "5m""#, "'on': 'in' and 'on' cannot be combined"),
    (#""on": "power", "count": 2"#, "'count': requires 'repeat: true' with 'on'"),
    (#""on": "power", "cooldown": "1m""#, "'cooldown': requires 'repeat: true' with 'on'"),
    (#""cooldown": "1m""#, "'cooldown': applies only to 'on'; for example 'on: battery < 20%'"),
    (#""at": "07:30", "now": false"#, "'now': applies only to 'on'; for example 'on: battery < 20%'"),
    (#""in": "1s", "during": "Mon""#, "'during': applies only to 'on'; for example 'on: battery < 20%'"),
    (#""on": "awake", "now": true"#, "'now': 'on' names an event, which is never true already"),
    (
      #""on": "power", "wake": true"#,
      "'wake': 'on' and 'wake' need 'for': a machine that sleeps sees no condition, and can only wake when one has lasted"
    ),
  ])
  func `Keys that cannot be combined are named`(_ keys: String, _ complaint: String) {
    for format in Format.allCases { #expect(format.complaint(about: Self.request(keys)) == complaint, "\(format)") }
  }

  @Test func `Values in Swift are checked like values in a file`() {
    func problem(_ make: () throws -> Any) -> String? {
      do {
        _ = try make()
        return nil
      } catch {
        return "\(error)"
      }
    }
    let problems = [
      problem { try AppID(String("a\n")) }, problem { try NotificationRequest(title: "a") { $0.progress = 101 } },
      problem {
        try NotificationRequest(title: "a") { $0.actions = [Action(id: "a", title: "a", effect: .url("x"))] }
      },
      problem { try Schedule.every("1h", count: 0) }, problem { try Schedule.in(.seconds(-1)) },
      problem { try NotificationRequest(title: "a") { $0.expires = .after(.seconds(-1)) } },
      problem { try NotificationRequest(title: "", schedule: .now) },
    ]
    #expect(
      problems == [
        "'app' must not contain control characters", "'progress' must be an integer from 0 to 100, not 101",
        "'actions[0].url' must be \(Self.url), not 'x'", "'count' must be an integer from 1 to 2147483647, not 0",
        "'in' must not be negative", "'expires' must not be negative",
        "'title' must not be empty: a notification without any text cannot be shown",
      ])
  }

  // MARK: Bus values

  static func complaint(about value: Value) -> String? {
    do {
      _ = try ValueDecoder().decode(NotificationRequest.self, from: value)
      return nil
    } catch {
      #expect(error.summary == (error.underlying as? RequestError)?.description)
      return error.summary
    }
  }

  /// A dictionary of type `a{si}`, as a typed binding sends it.
  static func native(_ values: [String: Int32]) -> Value {
    .dictionary(
      DictionaryValue(
        keyType: .string, valueType: .int32,
        entries: values.map { .init(key: .string($0.key), value: .int32($0.value)) }))
  }

  @Test(
    arguments: [
      (Value.properties(["title": .byte(1)]), "'title' must be a string, not 1"),
      (.properties(["title": .objectPath("/a")]), "'title' must be a string"),
      (.properties(["title": "a", "progress": .uint64(.max)]), "'progress' must be an integer from 0 to 100"),
      (.properties(["title": "a", "actions": .strings([])]), nil),
      (.properties(["title": "a", "actions": .strings(["a", "A"])]), "'actions[0]' must be a dictionary"),
      (
        .properties([
          "title": "a", "actions": .array(of: .properties, [.properties(["id": "a", "run": .strings([])])]),
        ]),
        #"'actions[0].run' must be a program and its arguments, such as ["echo", "hello"]"#
      ),
      (.properties(["title": "a", "badge": .uint64(.max)]), "'badge' must be an integer from 0 to 2147483647"),
      (.properties(["title": "a", "match": .properties(["hour": .byte(7), "minute": .int16(30)])]), nil),
      (.properties(["title": "a", "match": Self.native(["hour": 7])]), nil),
      (
        .properties(["title": "a", "match": .properties(["hour": .uint64(.max)])]),
        "'match.hour' must be at most 9223372036854775807, not 18446744073709551615"
      ),
      (.properties(["title": "a", "repeat": .int32(1)]), "'repeat' must be true or false, not 1"),
      (.properties(["title": "a", "userInfo": .strings([])]), "'userInfo' must be a dictionary, not a list"),
      (.properties(["title": "a", "userInfo": .properties(["b": .bytes([1, 2])])]), nil),
      (
        .properties(["title": "a", "userInfo": .properties(["n": .uint64(.max)])]),
        "'userInfo.n' must be at most 9223372036854775807, not 18446744073709551615"
      ),
      (
        .properties(["title": "a", "userInfo": .properties(["n": .double(.nan)])]),
        "'userInfo.n' must be a finite number"
      ),
      (
        .properties(["title": "a", "userInfo": .properties(["n": .objectPath("/a")])]),
        "'userInfo.n' must be a string, a number, true or false, a list or a dictionary"
      ),
      ("a", "a request must be a dictionary"),
    ] as [(Value, String?)])
  func `An error passes the bus as one line`(_ value: Value, _ complaint: String?) {
    #expect(Self.complaint(about: value) == complaint)
  }

  @Test func `Unsendable text is rejected`() {
    let texts = [
      "title", "subtitle", "body", "icon", "image", "sound", "at", "every", "rule", "zone", "from", "until",
    ]
    for key in texts {
      let json = key == "title" ? #"{"title": "a\u0000"}"# : Self.request("\"\(key)\": \"a\\u0000\"")
      #expect(Format.foundationJSON.complaint(about: json) == "'\(key)' must not contain NUL characters")
    }
    #expect(
      Format.foundationJSON.complaint(about: Self.action(#""run": ["a", "\u0000"]"#))
        == #"'actions[1].run' must be a program and its arguments, such as ["echo", "hello"]"#)
  }

  @Test func `Hostile text cannot break the line or fill the screen`() throws {
    let nasty = "a\nb\u{1b}[2J\u{202e}\u{2028}" + String(repeating: "x", count: 100_000)
    let requests: [Value] = [
      .properties(["title": "a", .init(nasty): "a"]), .properties(["title": "a", "level": .string(nasty)]),
      .properties(["title": "a", "in": .string(nasty)]), .properties(["title": "a", "expires": .string(nasty)]),
      .properties(["title": "a", "userInfo": .properties([nasty: .objectPath("/")])]),
    ]
    for request in requests {
      let complaint = try #require(Self.complaint(about: request))
      #expect(complaint.count < 450)
      #expect(complaint.contains(#"a\u{a}b\u{1b}[2J\u{202e}\u{2028}xxx"#))
      #expect(complaint.contains("…"))
      #expect(!complaint.contains { $0.isNewline })
    }
  }

  @Test func `A very long unknown key is rejected quickly`() {
    let key = String(repeating: "k", count: 200_000)
    let start = ContinuousClock.now
    #expect(Self.complaint(about: .properties(["title": "a", key: true])) != nil)
    #expect(ContinuousClock.now - start < .seconds(1))
  }
}

extension DecodingError {
  fileprivate var underlying: (any Error)? {
    if case .dataCorrupted(let context) = self { context.underlyingError } else { nil }
  }
}
