// SPDX-License-Identifier: Apache-2.0
import CenterContract
import DBus
import NotificationModel
import TestSupport
import Testing

@testable import suzud

/// Tests the errors of refused requests: their names, and the key and expectation in their texts.
@Suite(.timeLimit(.minutes(1)))
struct RequestRefusalTests {
  private static let cases: [(String, [String: Value], String)] = [
    ("nothing", [:], "'title' is missing"),
    ("an unknown key", ["title": "t", "titel": "x"], "'titel' is not a known key; did you mean 'title'?"),
    ("a far unknown key", ["title": "t", "quux": "x"], "'quux' is not a known key"),
    ("a number for a text", ["title": .uint32(1)], "'title' must be a string"),
    ("a text for a number", ["title": "t", "progress": "much"], "'progress' must be an integer from 0 to 100"),
    (
      "a number out of range", ["title": "t", "progress": .int32(101)],
      "'progress' must be an integer from 0 to 100, not 101"
    ),
    (
      "an unknown choice", ["title": "t", "level": "urgent"],
      "'level' must be one of 'passive', 'active', 'timeSensitive', 'critical', not 'urgent'"
    ),
    (
      "a bad duration", ["title": "t", "in": "soon"],
      "'in' must be a duration such as '90s', '10m', '1h30m' or '2d', at most a hundred years, not 'soon'"
    ),
    ("a bad URL", ["title": "t", "url": "no url"], "'url' must be a URL"),
    ("no text at all", ["title": ""], "'title' must not be empty"),
    // They were shown without any text.
    ("a title of blanks", ["title": " \t\u{3000}"], "'title' must not be blank"),
    ("a title without width", ["title": "\u{200b}\u{2060}\u{ad}\u{7}"], "'title' must not be blank"),
    ("a body without width", ["title": "", "body": "\u{200b}"], "'title' must not be blank"),
    ("an empty id", ["title": "t", "id": ""], "'id' must not be empty"),
    // 'suzu import' refuses such apps, so nothing could have been imported again.
    ("an empty app", ["title": "t", "app": ""], "'app' must not be empty"),
    ("an app with a slash", ["title": "t", "app": "a/b"], "'app' must be a desktop-entry id such as"),
    ("an app with a blank", ["title": "t", "app": "a b"], "'app' must be a desktop-entry id such as"),
    (
      "a long app", ["title": "t", "app": .string(String(repeating: "a", count: 300))],
      "'app' must have at most 255 bytes, not 300"
    ),
    ("a steering app", ["title": "t", "app": "a\u{1b}b"], "'app' must not contain control characters"),
    ("actions of texts", ["title": "t", "actions": .strings(["a", "A"])], "'actions[0]' must be a dictionary"),
    ("actions as a text", ["title": "t", "actions": "a=A"], "'actions' must be a list of actions"),
    (
      "an action without id", ["title": "t", "actions": actions(.properties(["title": "A"]))],
      "'actions[0].id' is missing"
    ),
    (
      "an unknown key of an action",
      ["title": "t", "actions": actions(action("a"), .properties(["id": "b", "rnu": .strings(["ls"])]))],
      "'actions[1].rnu' is not a known key; did you mean 'run'?"
    ),
    (
      "an action twice", ["title": "t", "actions": actions(action("a"), action("a"))],
      "'actions[1].id' repeats 'a'"
    ),
    (
      "an action that does two things",
      ["title": "t", "actions": actions(action("a", run: ["ls"], url: "https://x.org"))],
      "'actions[0].url' cannot be combined with 'run'"
    ),
    (
      "a run of nothing", ["title": "t", "actions": actions(action("a", run: []))], "'actions[0].run' must be a program"
    ),
    ("user info as a list", ["title": "t", "userInfo": .strings(["a"])], "'userInfo' must be a dictionary"),
  ]

  private static let valid: [[String: Value]] = [
    ["title": "t"],
    [
      "app": "org.example.App", "appName": "App", "id": "caf\u{e9}", "title": "t", "subtitle": "s", "body": "b",
      "markup": true, "icon": "call-start", "image": "/a.png", "sound": "bell", "badge": .uint32(3),
      "progress": .byte(7), "thread": "x", "level": "critical", "style": "alert", "expires": "10s",
      "url": "https://x.org",
      "every": "1h", "count": .int16(3), "wake": true,
    ],
    [
      "title": "t", "hints": .properties(["x-a-level": .byte(2), "x-a-flag": true]),
      "userInfo": .properties([
        "list": .array(of: .variant, [.variant("a"), .variant(.int64(.min))]), "none": .strings([]),
      ]),
      "actions": actions(action("a", run: ["ls", "-l"]), action("b", url: "https://x.org")),
    ],
    [
      "title": "t", "match": .properties(["weekday": .int32(2), "hour": .uint64(7)]), "repeat": true,
      "zone": "Europe/Paris",
    ],
    ["title": "t", "userInfo": .properties(["pi": .double(3.14), "bytes": .bytes([1])])],
  ]

  @Test(arguments: valid.indices) func `A request is read the same with and without the shortcut`(index: Int) throws {
    let words = Value.properties(Self.valid[index])
    #expect(
      try CenterInterface.request(Properties(Self.valid[index]), of: .all)
        == ValueDecoder().decode(NotificationRequest.self, from: words))
    // The last one has what the shortcut leaves out.
    #expect((words.plain != nil) == (index < Self.valid.count - 1))
  }

  @Test(arguments: cases.indices) func `The shortcut reads no invalid request`(index: Int) {
    let plain = Value.properties(Self.cases[index].1).plain
    let read = try? plain?.decode(as: NotificationRequest.self)
    #expect(read.flatMap { try? $0.checkAsNew() } == nil)
  }

  @Test func `The shortcut reads nothing that it would have to change`() {
    let twins: [DictionaryValue.Entry] = [
      .init(key: "caf\u{e9}", value: .variant("a")), .init(key: "cafe\u{301}", value: .variant("b")),
    ]
    let deep = (0..<9).reduce(Value.strings(["a"])) { inner, _ in .properties(["x": inner]) }
    for value: Value in [
      .uint64(.max), .double(1), .bytes([1]), .variant("a"), .structure(["a"]), deep,
      .dictionary(DictionaryValue(keyType: .string, valueType: .variant, entries: twins)),
      .properties(["a": .variant("b")]),
    ] {
      #expect(value.plain == nil, "\(value)")
    }
  }

  @Test(arguments: cases.indices)
  func `An invalid request is refused with its key and the reason`(index: Int) async throws {
    let (_, request, text) = Self.cases[index]
    try await CenterStand.run { stand in
      let error = try await stand.refusal(of: .properties(request))
      #expect(error.name == RefusalCode.invalidRequest.errorName)
      #expect(error.message.hasPrefix(text), "\(error.message)")
      #expect(try await stand.property("PendingCount") == .uint32(0))
    }
  }

  @Test func `A request over the size limit is refused, and one just below is accepted`() async throws {
    try await CenterStand.run { stand in
      let error = try await stand.refusal(
        of: .properties(["title": "t", "body": .string(String(repeating: "x", count: 256 << 10))]))
      #expect(error.name == RefusalCode.limitExceeded.errorName)
      #expect(error.message.contains("262144"))
      #expect(try await stand.notify("a", ["body": .string(String(repeating: "x", count: 255 << 10))]) == "a")
      // A million entries without texts still have a size in bytes.
      let many = Value.array(of: .byte, Array(repeating: .byte(1), count: 300_000))
      #expect(
        try await stand.refusal(of: .properties(["title": "t", "userInfo": many])).name
          == RefusalCode.limitExceeded.errorName
      )
    }
  }

  @Test func `Too deep nesting of variants, lists and dictionaries is refused`() async throws {
    let wraps: [@Sendable (Value) -> Value] = [
      { .array(of: .variant, [.variant($0)]) }, { .properties(["k": $0]) },
    ]
    try await CenterStand.run { stand in
      for wrap in wraps {
        let fine = try await stand.notify("a", ["userInfo": .properties(["k": Self.nest(5, wrap)])])
        #expect(fine == "a")
        for depth in [9, 12] {
          let error = try await stand.refusal(
            of: .properties(["title": "t", "userInfo": .properties(["k": Self.nest(depth, wrap)])]))
          #expect(error.name == RefusalCode.invalidRequest.errorName)
          #expect(error.message.contains("userInfo.k") && error.message.contains("deeper than 8"), "\(error.message)")
        }
      }
      // A variant in variants is one value; the bus allows some sixty levels.
      let wrapped = (0..<25).reduce(Value.string("t")) { value, _ in .variant(value) }
      let error = await #expect(throws: CallError.self) {
        try await stand.call("Notify", [.properties(["title": wrapped, "nope": true])])
      }
      #expect("\(String(describing: error))".contains("nope"))
    }
  }

  private static func nest(_ depth: Int, _ wrap: (Value) -> Value) -> Value {
    (0..<depth).reduce("core") { value, _ in wrap(value) }
  }

  @Test func `An unsupported value is refused with its key`() async throws {
    try await CenterStand.run { stand in
      for odd in [Value.objectPath("/a"), .signature("s"), .double(.infinity), .uint64(.max)] {
        let outcome: String
        do {
          outcome = try await stand.notify("a", ["userInfo": .properties(["k": odd])])
        } catch CallError.refused(let error) {
          #expect(error.name == RefusalCode.invalidRequest.errorName)
          #expect(error.message.contains("userInfo.k"), "\(error.message)")
          continue
        }
        // A path and a signature become texts, and a number beyond the integers a floating-point number.
        #expect(outcome == "a")
      }
    }
  }

  @Test func `Wrong types, unknown methods and unknown properties give the standard D-Bus errors`() async throws {
    try await CenterStand.run { stand in
      func refusal(_ member: MemberName, _ arguments: [Value]) async -> ErrorName? {
        do { try await stand.call(member, arguments) } catch CallError.refused(let error) { return error.name } catch {}
        return nil
      }
      #expect(await refusal("Notify", []) == .invalidArgs)
      #expect(await refusal("Notify", ["t"]) == .invalidArgs)
      #expect(
        await refusal("Notify", [.dictionary(.init(keyType: .string, valueType: .string, entries: []))]) == .invalidArgs
      )
      #expect(await refusal("Cancel", [.strings([]), "test"]) == .invalidArgs)
      #expect(await refusal("Watch", [.uint32(1)]) == .invalidArgs)
      #expect(await refusal("Notifiy", []) == .unknownMethod)
      await #expect(throws: CallError.self) { try await stand.property("Versoin") }
    }
  }
}
