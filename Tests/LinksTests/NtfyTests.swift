// SPDX-License-Identifier: Apache-2.0
import Foundation
import NotificationModel
import TestSupport
import Testing

@testable import Links

/// Tests how lines of ntfy are read, and how messages are turned into pushes.
@Suite struct NtfyTests {
  private static func event(_ text: String) -> NtfyEvent? { NtfyEvent(Array(text.utf8)) }

  static func link(_ change: (inout LinkDefinition) -> Void = { _ in }) throws -> LinkDefinition {
    var link = try LinkDefinition(app: "org.example.Tea", server: try ServerAddress("https://a.example"), topic: "tea")
    change(&link)
    return link
  }

  static func push(_ words: String, _ change: (inout LinkDefinition) -> Void = { _ in }) throws -> LinkPush? {
    guard case .message(let message)? = event(#"{"id": "abc", "event": "message", \#(words)}"#) else { return nil }
    return LinkPush(message, of: try link(change), try LinkName("home"))
  }

  private static func words(_ push: LinkPush?) throws -> [String: PlainValue] {
    guard case .dictionary(let words)? = push?.payload["aps"] else { throw TestFailure("no aps") }
    return words
  }

  @Test func `Each event is known`() {
    #expect(Self.event(#"{"id":"koQ","time":1795520765,"event":"open","topic":"t"}"#) == .open(date: 1_795_520_765))
    #expect(Self.event(#"{"id":"x","time":5,"event":"keepalive","topic":"t"}"#) == .keepalive)
    #expect(Self.event(#"{"id":"x","event":"poll_request","topic":"t"}"#) == .pollRequest(id: "x"))
    #expect(
      Self.event(#"{"id":"x","event":"message_delete","sequence_id":"s1"}"#) == .withdraw(id: "x", sequence: "s1"))
    #expect(Self.event(#"{"id":"x","event":"message_clear","sequence_id":"s1"}"#) == .withdraw(id: "x", sequence: "s1"))
    #expect(Self.event(#"{"id":"x","event":"new_kind"}"#) == .other)
  }

  @Test(arguments: [
    "", "[]", "null", "{", "{}", #"{"event": 1}"#, #"{"event": "message"}"#, #"{"event": "message", "id": ""}"#,
    #"{"event": "message", "id": "a&since=all"}"#, #"{"event": "message", "id": "../x"}"#,
    #"{"event": "message_delete", "id": "x"}"#, "<html>", "{\"event\": \"open\"} x",
  ])
  func `Anything else is no event`(text: String) {
    #expect(Self.event(text) == nil)
  }

  @Test func `A byte that is no text makes no event`() {
    #expect(NtfyEvent(Array(#"{"id":"x","event":"open","a":""#.utf8) + [0xFF] + Array("\"}".utf8)) == nil)
  }

  @Test func `A message becomes a payload`() throws {
    let push = try #require(
      try Self.push(#""title": "Backup", "message": "done", "tags": ["disk"], "click": "https://a.example/x""#))
    #expect(push.app == "org.example.Tea" && push.id == "abc" && push.collapse == "home/abc" && push.categories == [])
    #expect(push.levels == ["passive", "active", "timeSensitive"])
    #expect(
      push.payload == [
        "aps": .dictionary([
          "alert": .dictionary(["title": .text("Backup"), "body": .text("done")]),
          "interruption-level": .text("active"), "url": .text("https://a.example/x"),
        ]), "tags": .list([.text("disk")]),
      ])
  }

  @Test func `A sequence is the id of one notification`() throws {
    #expect(try Self.push(#""message": "1", "sequence_id": "s1""#)?.collapse == "home/s1")
  }

  @Test(arguments: [(1, "passive"), (2, "passive"), (3, "active"), (4, "time-sensitive"), (5, "time-sensitive")])
  func `The priority is the level, but never critical unless that is allowed`(priority: Int, level: String) throws {
    #expect(
      try Self.words(try Self.push(#""message": "x", "priority": \#(priority)"#))["interruption-level"] == .text(level))
  }

  @Test func `Levels are lowered to those that are allowed`() throws {
    func level(_ priority: Int, _ levels: [NotificationRequest.Level]) throws -> PlainValue? {
      try Self.words(try Self.push(#""message": "x", "priority": \#(priority)"#) { $0.levels = levels })[
        "interruption-level"]
    }
    #expect(try level(5, [.active, .critical]) == .text("critical"))
    #expect(try level(4, [.active, .critical]) == .text("active"))
    #expect(try level(1, [.active, .critical]) == .text("active"))
    #expect(try level(5, [.passive]) == .text("passive"))
    #expect(try level(99, [.passive, .active]) == .text("active"))
  }

  @Test(arguments: [
    "file:///etc/passwd", "javascript:alert(1)", "suzu:x", "https://", "ftp://a.example", "HTTPS:/a", "https://a b",
  ])
  func `A click opens pages of the web only`(url: String) throws {
    #expect(try Self.words(try Self.push(#""message": "x", "click": "\#(url)""#))["url"] == nil)
  }

  @Test func `An action that opens a page is the click, the others are left out`() throws {
    guard
      case .message(let message)? = Self.event(
        #"""
        {"id": "x", "event": "message", "message": "x", "actions": [{"action": "http", "url": "https://b.example/do"},
         {"action": "view", "label": "Open", "url": "https://b.example/{id}"}, {"action": "broadcast"}]}
        """#)
    else { throw TestFailure("no message") }
    #expect(message.url == "https://b.example/%7Bid%7D" && message.hasOtherActions)
    guard
      case .message(let plain)? = Self.event(
        #"{"id": "x", "event": "message", "actions": [{"action": "view", "url": "https://b.example/"}]}"#)
    else { throw TestFailure("no message") }
    #expect(plain.url == "https://b.example/" && !plain.hasOtherActions)
  }

  private static func calls(_ action: String, hosts: [CallHost] = []) throws -> LinkPush {
    guard case .message(let message)? = Self.event(##"{"id": "x", "event": "message", "actions": [\##(action)]}"##)
    else { throw TestFailure("no message") }
    var link = try LinkDefinition(
      app: "org.example.Tea", server: try ServerAddress("https://ntfy.example.com"), topic: "tea")
    link.hosts = hosts
    return try #require(LinkPush(message, of: link, try LinkName("home")))
  }

  @Test func `A call of a server that the link allows is a button, in which nothing is filled in`() throws {
    let action = #"""
      {"action": "http", "label": "Open", "url": "https://Home.example:443/{id}", "method": "put",
       "headers": {"X-Token": "t"}, "body": "{reply} {{id}} ${app} {x}"}
      """#
    let push = try Self.calls(action, hosts: [try CallHost("home.example")])
    let call = try #require(push.calls.first)
    #expect(call.title == "Open" && !push.hasOtherCalls)
    #expect(call.call.url == "https://Home.example:443/%7Bid%7D" && call.call.method == .put)
    #expect(call.call.headers == ["X-Token": "t"])
    guard case .text(let body)? = call.call.body else { throw TestFailure("no body") }
    let response = Response(
      number: 1, app: "a", id: "i", action: "call-1", reply: "r", due: nil, missed: 0, userInfo: [:])
    let request = try NotificationRequest(app: "a", title: "t")
    #expect(try Template(body).filled(for: response, of: request) == "{reply} {{id}} ${app} {x}")
    for hosts in [[], ["home.example:8443"], ["other.example"], ["example"]] {
      let push = try Self.calls(action, hosts: try hosts.map { try CallHost($0) })
      #expect(push.calls.isEmpty && push.hasOtherCalls, "\(hosts)")
    }
  }

  @Test(arguments: [
    #""label": "x", "url": "http://home.example/""#, #""label": "x", "url": "https://a@home.example/""#,
    #""label": "x", "url": "file:///etc/passwd""#, #""url": "https://home.example/""#,
    #""label": "x", "url": "https://home.example/", "method": "TRACE""#,
    #""label": "x", "url": "https://home.example/", "headers": {"Host": "a"}"#,
    ##""label": "x", "url": "https://home.example/", "headers": {"A": "b\r\nC: d"}"##,
    #""label": "x", "url": "https://home.example/", "headers": {"A": "{id}"}"#,
    #""label": "x", "url": "https://home.example\\@other.example/""#,
  ])
  func `A call that could be more than one request to its host is left out`(words: String) throws {
    let push = try Self.calls(
      #"{"action": "http", \#(words)}"#, hosts: try ["home.example", "other.example"].map { try CallHost($0) })
    #expect(push.calls.isEmpty)
  }

  @Test func `A long text is shortened to what the center takes`() throws {
    for letter in ["x", "ä", "\\n", "\\\"", "🍵"] {
      let text = String(repeating: letter, count: 4096)
      let push = try #require(try Self.push(#""title": "t", "message": "\#(text)""#))
      let length = PlainValue.dictionary(push.payload).json.utf8.count
      #expect((LinkPush.longest - 16...LinkPush.longest).contains(length), "\(letter): \(length)")
    }
  }

  @Test func `A category of the link is that of all its messages`() throws {
    let push = try Self.push(#""message": "x""#) { $0.category = "backup" }
    #expect(try Self.words(push)["category"] == .text("backup") && push?.categories == ["backup"])
  }

  @Test func `A payload in a message is passed on as it is`() throws {
    let push = try Self.push(#""message": "{\"aps\": {\"alert\": \"x\", \"category\": \"own\"}, \"n\": 1}""#) {
      $0.format = .apns
      $0.categories = ["own"]
      $0.category = "other"
    }
    #expect(push?.payload == ["aps": .dictionary(["alert": .text("x"), "category": .text("own")]), "n": .integer(1)])
    #expect(push?.categories == ["own", "other"])
    for text in ["x", "[]", "{}", #"{\"aps\": 1}"#] {
      #expect(try Self.push(#""message": "\#(text)""#) { $0.format = .apns } == nil)
    }
  }

  // A fixed seed: an input that traps can be found again.
  @Test func `No line of any form traps`() throws {
    var numbers = SeededNumbers(seed: 19)
    let seeds = [
      #"{"id":"rYhABvtg2eY0","time":1795520765,"event":"message","topic":"alerts","title":"Hi","message":"Body","priority":5,"tags":["a"],"click":"https://e.org/x","actions":[{"action":"view","url":"https://e.org/y"}],"sequence_id":"s"}"#,
      #"{"id":"x","event":"message_delete","sequence_id":"s1"}"#,
      #"{"id":"x","event":"message","message":"{\"aps\":{\"alert\":{\"title\":\"a\"}}}","encoding":"base64"}"#,
    ].map { Array($0.utf8) }
    let link = try Self.link { $0.format = .apns }
    let (text, name) = (try Self.link(), try LinkName("home"))
    var messages = 0
    let isLong = ProcessInfo.processInfo.environment["SUZU_LONG_TESTS"] != nil
    for _ in 0..<(isLong ? 1_000_000 : 100_000) {
      var line = seeds[Int.random(in: 0..<seeds.count, using: &numbers)]
      for _ in 0..<Int.random(in: 0...4, using: &numbers) {
        let index = Int.random(in: 0..<line.count, using: &numbers)
        switch Int.random(in: 0..<4, using: &numbers) {
        case 0: line[index] = UInt8.random(in: 0...255, using: &numbers)
        case 1: line.remove(at: index)
        case 2: line.insert(UInt8("\"{}[]:,\\u0"[Int.random(in: 0..<10, using: &numbers)]), at: index)
        default: line.removeSubrange(index...)
        }
        if line.isEmpty { line = [0x7B] }
      }
      guard case .message(let message)? = NtfyEvent(line) else { continue }
      messages += 1
      _ = LinkPush(message, of: link, name)
      _ = LinkPush(message, of: text, name)
    }
    #expect(messages > 1000)
  }
}

extension String {
  fileprivate subscript(index: Int) -> UInt8 { Array(utf8)[index] }
}
