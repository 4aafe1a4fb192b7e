// SPDX-License-Identifier: Apache-2.0
import Foundation
import NotificationModel
import TestSupport
import Testing

@testable import Links

/// Tests answers as they go over a server, and where they go.
@Suite struct LinkAnswerTests {
  private static let answer = LinkAnswer(
    id: "shop-17", action: "ack", reply: "on my way \"now\"\n", device: "0123456789abcdef", name: "desk",
    at: 1_795_520_765)

  @Test func `What is written is read back equal`() {
    #expect(LinkAnswer(Self.answer.json) == Self.answer)
    let short = LinkAnswer(id: "a", action: "", reply: nil, device: "d", name: "n", at: 0)
    #expect(LinkAnswer(short.json) == short && !short.json.contains("reply"))
  }

  @Test(arguments: [
    "", "{", "[]", "null", "{}", #"{"id":"a","action":"b","device":"d","name":"n"}"#,
    #"{"id":"a","action":"b","device":"d","name":"n","at":"1"}"#,
    #"{"id":"a","action":"b","device":"d","name":"n","at":1.5}"#,
    #"{"id":"../a","action":"b","device":"d","name":"n","at":1}"#,
    #"{"id":"","action":"b","device":"d","name":"n","at":1}"#,
    #"{"id":"a","action":1,"device":"d","name":"n","at":1}"#,
    #"{"id":"a","action":"b","device":"","name":"n","at":1}"#,
    #"{"id":"a","action":"b","device":"d","name":"","at":1}"#,
    #"{"id":"a","action":"b","device":"d","name":"\#(String(repeating: "n", count: 65))","at":1}"#,
    #"{"id":"a","action":"b","device":"d","name":"n","at":1,"reply":"\#(String(repeating: "x", count: 16_400))"}"#,
  ])
  func `Anything else is no answer`(text: String) {
    #expect(LinkAnswer(text) == nil)
  }

  // MARK: MQTT

  @Test func `With MQTT, each message has a topic for its answer, which the server keeps for a week`() throws {
    let topic = LinkAnswer.topic(of: "shop-17", below: "alarms/shop")
    #expect(topic == "alarms/shop/answers/shop-17")
    let message = Self.answer.message(to: topic, number: 7)
    #expect(message.isRetained && message.number == 7 && message.topic == topic)
    #expect(message.properties.expiry == 7 * 86_400 && message.word(LinkAnswer.mark) == Self.answer.device)
    #expect(LinkAnswer(String(decoding: message.payload, as: UTF8.self)) == Self.answer)
    for (filter, answers) in [
      ("alarms", "alarms/answers/+"), ("a/+", "a/+/answers/+"), ("#", nil), ("alarms/#", nil),
    ] as [(String, String?)] {
      #expect(LinkAnswer.filter(below: filter) == answers)
    }
  }

  // MARK: ntfy

  private static func link(_ more: String = "") throws -> LinkDefinition {
    try LinkDefinition(
      Array(#"{"app": "a", "server": "https://ntfy.example.com", "topic": "tea", "answers": true\#(more)}"#.utf8))
  }

  private static func message(_ text: String, _ more: String = "") throws -> NtfyMessage {
    let line = PlainValue.dictionary([
      "id": .text("x1"), "event": .text("message"), "topic": .text("tea-answers"), "message": .text(text),
    ]).json
    guard case .message(let message)? = NtfyEvent(Array((line.dropLast() + more + "}").utf8)) else {
      throw TestFailure("no message")
    }
    return message
  }

  @Test func `With ntfy, the answers have a topic of their own, which a message names to the center`() throws {
    let link = try Self.link()
    #expect(try LinkDefinition(Array(link.text.utf8)) == link && link.answerTopic == "tea-answers")
    let push = try #require(LinkPush(try Self.message("hello"), of: link, try LinkName("home")))
    #expect(push.answers == LinkPush.Route(link: "home", place: "tea-answers"))
    var silent = link
    silent.answers = false
    #expect(silent.answerTopic == nil)
    #expect(LinkPush(try Self.message("hello"), of: silent, try LinkName("home"))?.answers == nil)
    #expect(LinkAnswer(try Self.message(Self.answer.json)) == Self.answer)
    #expect(LinkAnswer(try Self.message(Self.answer.json, #","encoding":"base64""#)) == nil)
    #expect(try Self.message("x").topic == "tea-answers")
  }

  @Test func `A published answer is read back, and one with a long reply loses a part of that`() throws {
    func published(_ answer: LinkAnswer) throws -> [String: PlainValue] {
      guard case .dictionary(let words) = try JSONReader.read(NtfyPublication(answer, on: "tea-answers").json) else {
        throw TestFailure("no dictionary")
      }
      return words
    }
    let words = try published(Self.answer)
    #expect(words["topic"] == .text("tea-answers") && words["priority"] == .integer(1))
    #expect(words["tags"] == .list([.text("suzu-answer")]))
    guard case .text(let text)? = words["message"] else { throw TestFailure("no text") }
    #expect(LinkAnswer(text) == Self.answer)
    for reply in [String(repeating: "日本", count: 5000), String(repeating: "\"\n", count: 4000)] {
      let long = LinkAnswer(id: "m1", action: "say", reply: reply, device: "d", name: "n", at: 1)
      guard case .text(let text)? = try published(long)["message"] else { throw TestFailure("no text") }
      #expect(text.utf8.count <= NtfyPublication.longestText && text.utf8.count > NtfyPublication.longestText - 10)
      let read = try #require(LinkAnswer(text))
      #expect(read.id == "m1" && read.reply.map { reply.hasPrefix($0.dropLast()) } == true)
    }
  }

  @Test(arguments: [
    (#", "send": "tea-answers""#, "'send' must be another topic than that of the answers"),
    (
      #", "send": "phone", "receive": false"#,
      "'answers' needs a server of ntfy or MQTT, and a link that shows messages"
    ),
  ])
  func `What contradicts answers is refused`(more: String, problem: String) {
    #expect { try Self.link(more) } throws: { "\($0)".hasSuffix(problem) }
  }

  @Test func `A topic that leaves no room for that of its answers is refused`() {
    func link(_ length: Int) throws -> LinkDefinition {
      let topic = String(repeating: "t", count: length)
      return try LinkDefinition(
        Array(#"{"app": "a", "server": "https://a.example", "topic": "\#(topic)", "answers": true}"#.utf8))
    }
    #expect(throws: Never.self) { try link(56) }
    #expect { try link(57) } throws: {
      "\($0)".hasSuffix("'answers' needs a topic of at most 56 characters: the answers are on 'TOPIC-answers'")
    }
  }

  // MARK: The center

  @Test func `What the center hands over becomes an answer of this machine`() throws {
    let folder = try TemporaryFolder()
    let folders = try #require(LinkFolders(environment: { $0 == "HOME" ? folder.path("home") : nil }))
    try FileManager.default.createDirectory(atPath: folders.states, withIntermediateDirectories: true)
    let device = try DeviceID(in: folders)
    let whole: [String: PlainValue] = [
      "push": .text("m1"), "action": .text("go"), "to": .text("tea-answers"), "at": .integer(5),
    ]
    let made = try #require(OutgoingAnswer(whole, from: device, "desk"))
    #expect(made.topic == "tea-answers")
    #expect(
      made.answer == LinkAnswer(id: "m1", action: "go", reply: nil, device: device.text, name: "desk", at: 5))
    #expect(OutgoingAnswer(whole.merging(["reply": .text("r")]) { $1 }, from: device, "desk")?.answer.reply == "r")
    for key in whole.keys {
      var words = whole
      words[key] = nil
      #expect(OutgoingAnswer(words, from: device, "desk") == nil, "\(key)")
    }
  }
}
