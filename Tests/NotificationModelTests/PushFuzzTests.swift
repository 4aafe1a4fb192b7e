// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import NotificationModel

/// Tests damaged payloads: none may end the process or take long, and what is accepted is a valid, small request. With
/// SUZU_LONG_TESTS=1, a million of them.
@Suite(.timeLimit(.minutes(10))) struct PushFuzzTests {
  private static let rounds = ProcessInfo.processInfo.environment["SUZU_LONG_TESTS"] == nil ? 30_000 : 1_000_000

  private static let seeds = [
    #"{"aps":{"alert":{"title":"Tea","subtitle":"Green","body":"ready","loc-key":"%@ of %2$@","loc-args":["a","b"]},"#
      + #""badge":3,"sound":{"critical":1,"name":"bell.caf","volume":0.5},"category":"tea","thread-id":"k","#
      + #""interruption-level":"critical","relevance-score":0.5,"content-available":1,"url":"https://e.org/"},"n":[1]}"#,
    #"{"Simulator Target Bundle":"org.example.Tea","aps":{"alert":"Tea\ud83e\uded6 \u0041\n","mutable-content":true}}"#,
    #"{"aps":{"content-available":1,"badge":0},"deep":[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]],"x":{"y":{"z":null}}}"#,
    #"{"aps":{"badge":5},"own":{"a":"b"}}"#,
    #"{ "aps" : { "alert" : "a" , "sound" : "default" } , "e" : [ 1e5 , -0.25 , 9223372036854775807 , false ] }"#,
  ]

  private static let pieces: [[UInt8]] =
    [
      "\"", "\\", "{", "}", "[", "]", ",", ":", "\\u0000", "\\ud800", "\\udc00", "\\uD83E", "1e999", "-", "1e-999999",
      "99999999999999999999999999999", "null", "true", "\"aps\":", "\"alert\":", "%1$@%1$@%1$@", "%99999999999$@", "%",
      "\"actions\":[{\"run\":[\"sh\"]}],", "\"dev.suzu.UserNotifications\":\"\",", "file:///", "javascript:", "{reply}",
      "\u{202e}", "e\u{301}", "\u{e9}", String(repeating: "[", count: 40), String(repeating: "{\"a\":", count: 40),
      String(repeating: "%1$@", count: 300), String(repeating: "9", count: 400), String(repeating: "a", count: 3000),
    ].map { Array($0.utf8) } + [[0], [0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC0, 0x80]]

  /// Values to put in the place of others, so that most payloads are still JSON.
  private static let values = [
    "0", "1", "-1", "2", "0.5", "1e5", "1e300", "9223372036854775808", "true", "false", "null", "\"\"", "\"tea\"", "[]",
    "{}",
    "[[[[[[[[[[[[[[]]]]]]]]]]]]]]", "{\"critical\":1}", "[\"a\",2,null]", "\"passive\"", "\"time-sensitive\"",
    "\"default\"",
    "\"\\u0000\"", "\"\\ud83e\\uded6\"", "\"../x.wav\"", "\"mailto:a@b\"", "\"file:///a\"", "\"%@ %1$@ %9$@ %%\"",
    "\"im.received\"", "{\"title\":\"<b>\",\"body\":\"&\"}", "\"\u{202e}\u{200b}\"",
  ].map { Array($0.utf8) }

  /// Replaces the value behind a random colon.
  private static func replaceValue(_ bytes: inout [UInt8], _ numbers: inout SeededNumbers) {
    let colons = bytes.indices.filter { bytes[$0] == UInt8(ascii: ":") }
    guard let colon = colons.randomElement(using: &numbers) else { return }
    let rest = bytes[(colon + 1)...]
    let end = rest.firstIndex { ",}".utf8.contains($0) } ?? bytes.endIndex
    bytes.replaceSubrange(colon + 1..<end, with: values[Int.random(in: 0..<values.count, using: &numbers)])
  }

  private static func mutate(_ seed: [UInt8], _ numbers: inout SeededNumbers) -> [UInt8] {
    var bytes = seed
    // Half of them are JSON with other values, the others are damaged.
    for _ in 0..<Int.random(in: 0...3, using: &numbers) { replaceValue(&bytes, &numbers) }
    if Bool.random(using: &numbers) { return bytes }
    for _ in 0..<Int.random(in: 1...4, using: &numbers) {
      let place = Int.random(in: 0...bytes.count, using: &numbers)
      switch Int.random(in: 0..<6, using: &numbers) {
      case 0: bytes.insert(contentsOf: pieces[Int.random(in: 0..<pieces.count, using: &numbers)], at: place)
      case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 0...9, using: &numbers)))
      case 2 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &numbers)
      case 3: bytes.insert(contentsOf: bytes[..<place].suffix(60), at: place)
      case 4 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
      default: bytes.append(contentsOf: bytes.suffix(Int.random(in: 0...30, using: &numbers)))
      }
    }
    return bytes
  }

  private enum Ending: Hashable { case shown, silent, badge, refused, notParsed }

  /// Reads one payload as the center does.
  private static func read(_ bytes: [UInt8]) throws -> Ending {
    let document: PushDocument
    do throws(DocumentError) { document = try PushDocument(bytes) } catch {
      #expect(!error.description.isEmpty && !error.description.contains("\n"))
      return .notParsed
    }
    let push: Push
    do throws(RequestError) {
      push = try document.payload.push(for: document.app ?? .suzu, id: "x", under: PushTerms(levels: [.active])) {
        $0 == "tea"
      }
    } catch {
      _ = document.place(of: error)
      #expect(!error.description.contains("\n"))
      return .refused
    }
    let content = push.request.content
    #expect(content.actions.isEmpty && !content.markup && content.icon == nil && content.image == nil)
    #expect(content.hints.isEmpty && content.appName == nil && content.nag == nil && push.request.schedule.isNow)
    #expect(content.level == .active || content.level == .passive)
    #expect(content.category == nil || content.category == "tea" || content.category?.standardName != nil)
    #expect(content.url.map { $0.prefix { $0 != ":" }.lowercased() }.map(PushTerms.usualSchemes.contains) ?? true)
    if case .file? = content.sound { Issue.record("a path became a sound") }
    // What is stored reads back equal, and a bomb does not go off.
    let json = push.request.json
    #expect(json.utf8.count < 64 << 10)
    #expect(try JSONReader.read(json).decode(as: NotificationRequest.self) == push.request)
    return switch push.kind {
    case .shown: .shown
    case .silent: .silent
    case .badge: .badge
    }
  }

  @Test func `Damaged payloads end in a request or in one line, and fast`() throws {
    var numbers = SeededNumbers(seed: 0x5072_7573_6801)
    var endings: [Ending: Int] = [:]
    var longest = Duration.zero
    let clock = ContinuousClock()
    let all = try clock.measure {
      for round in 0..<Self.rounds {
        let bytes = Self.mutate(Array(Self.seeds[round % Self.seeds.count].utf8), &numbers)
        var ending = Ending.refused
        longest = max(longest, try clock.measure { ending = try Self.read(bytes) })
        endings[ending, default: 0] += 1
      }
    }
    let counts = endings.map { "\($0.value) \($0.key)" }.sorted().joined(separator: ", ")
    print("pushes: \(Self.rounds) payloads in \(all), the longest in \(longest): \(counts)")
    // Each way out is taken, so that the seeds are neither all damaged nor all whole.
    for ending in [Ending.shown, .silent, .badge, .refused, .notParsed] {
      #expect(endings[ending, default: 0] > Self.rounds / 200, "\(endings)")
    }
    // A payload is read in a turn of the loop. Other programs may take the processor meanwhile, so the mean is bounded.
    #expect(all / Self.rounds < .milliseconds(10))
  }

  /// Payloads that are small and stretch what reads them.
  static let bombs: [(String, [UInt8])] = [
    ("nesting", Array(String(repeating: "[", count: 60_000).utf8)),
    ("dictionaries", Array(String(repeating: "{\"a\":", count: 12_000).utf8)),
    ("digits", Array((#"{"aps":{"badge":"# + String(repeating: "9", count: 60_000) + "}}").utf8)),
    ("exponent", Array((#"{"aps":{"badge":1e"# + String(repeating: "9", count: 60_000) + "}}").utf8)),
    ("fraction", Array((#"{"aps":{"badge":0."# + String(repeating: "0", count: 60_000) + "1}}").utf8)),
    ("escapes", Array((#"{"aps":{"alert":""# + String(repeating: "\\u0041", count: 10_000) + "\"}}").utf8)),
    ("accents", Array((#"{"aps":{"alert":"e"# + String(repeating: "\u{301}", count: 30_000) + "\"}}").utf8)),
    (
      "keys",
      Array(("{\"aps\":{\"alert\":\"x\"}" + (0..<5_000).map { ",\"k\($0)\":1" }.joined() + "}").utf8)
    ),
    ("list", Array((#"{"aps":{"alert":"x"},"n":["# + String(repeating: "1,", count: 30_000) + "1]}").utf8)),
    ("no text", [UInt8](repeating: 0xFF, count: 60_000)),
    ("surrogates", Array((#"{"aps":{"alert":""# + String(repeating: "\\ud800", count: 10_000) + "\"}}").utf8)),
    ("too long", [UInt8](repeating: UInt8(ascii: " "), count: 10 << 20)),
  ]

  @Test(arguments: bombs.map(\.0)) func `A payload that stretches the reader is refused at once`(_ name: String) throws
  {
    let bytes = try #require(Self.bombs.first { $0.0 == name }).1
    var ending = Ending.shown
    let time = try ContinuousClock().measure { ending = try Self.read(bytes) }
    #expect([.notParsed, .refused].contains(ending), "\(name)")
    #expect(time < .seconds(5), "\(name)")
  }
}
