// SPDX-License-Identifier: Apache-2.0
import Foundation
import NotificationModel
import TestSupport
import Testing

@testable import Links

/// Tests what links send: what the center hands over, and the JSON of ntfy.
@Suite struct OutgoingTests {
  private static func device() throws -> (TemporaryFolder, LinkFolders, DeviceID) {
    let folder = try TemporaryFolder()
    let folders = try #require(LinkFolders(environment: { $0 == "HOME" ? folder.path("home") : nil }))
    try FileManager.default.createDirectory(atPath: folders.states, withIntermediateDirectories: true)
    return (folder, folders, try DeviceID(in: folders))
  }

  @Test func `A machine keeps its id, and makes a new one if the file is damaged`() throws {
    let (folder, folders, first) = try Self.device()
    defer { withExtendedLifetime(folder) {} }
    #expect(try first.text.wholeMatch(of: Regex("[0-9a-f]{16}")) != nil)
    #expect(try DeviceID(in: folders) == first)
    try "x\n".write(toFile: folders.states + "/device", atomically: true, encoding: .utf8)
    let second = try DeviceID(in: folders)
    #expect(second != first && second.text.utf8.count == 16)
    #expect(try DeviceID(in: folders) == second)
  }

  @Test func `A message needs a delivery, a title, a body and a level`() throws {
    let (_, _, device) = try Self.device()
    let whole: [String: PlainValue] = [
      "delivery": .integer(7), "title": .text("a"), "body": .text(""), "level": .text("critical"), "app": .text("x"),
    ]
    let message = try #require(OutgoingMessage(whole, from: device))
    #expect(message.id == "suzu-\(device.text)-7" && message.title == "a" && message.text.isEmpty)
    #expect(message.level == .critical && message.url == nil)
    for key in ["delivery", "title", "body", "level"] {
      var words = whole
      words[key] = nil
      #expect(OutgoingMessage(words, from: device) == nil, "\(key)")
      words[key] = .flag(true)
      #expect(OutgoingMessage(words, from: device) == nil, "\(key)")
    }
  }

  private static func published(_ title: String, _ text: String, _ level: NotificationRequest.Level = .active) throws
    -> [String: PlainValue]
  {
    let message = OutgoingMessage(id: "suzu-0-1", title: title, text: text, level: level)
    guard case .dictionary(let words) = try JSONReader.read(NtfyPublication(message, on: "phone").json) else {
      throw TestFailure("no dictionary")
    }
    return words
  }

  @Test func `Every level has a priority, and comes back as the same level`() throws {
    let link = try LinkDefinition(app: "a", server: try ServerAddress("https://a.example"), topic: "t")
    for level in link.levels {
      guard case .integer(let priority)? = try Self.published("a", "b", level)["priority"] else {
        throw TestFailure("no priority")
      }
      let line = #"{"id":"m","time":1,"event":"message","message":"b","priority":\#(priority)}"#
      guard case .message(let message)? = NtfyEvent(Array(line.utf8)) else { throw TestFailure("no message") }
      let push = try #require(LinkPush(message, of: link, try LinkName("home")))
      guard case .dictionary(let words)? = push.payload["aps"] else { throw TestFailure("no payload") }
      let word = level == .timeSensitive ? "time-sensitive" : level.rawValue
      #expect(words["interruption-level"] == .text(word))
    }
    #expect(try Self.published("a", "b", .critical)["priority"] == .integer(5))
  }

  @Test func `A notification without a text is published with its title as the text`() throws {
    #expect(try Self.published("Pill", "Take it")["title"] == .text("Pill"))
    let short = try Self.published("Pill", "")
    #expect(short["message"] == .text("Pill") && short["title"] == nil)
    #expect(try Self.published("", "")["message"] == .text("Notification"))
  }

  @Test func `Long texts are cut between characters, so that the server makes no file of them`() throws {
    let words = try Self.published(String(repeating: "é", count: 200), String(repeating: "日本", count: 5000))
    guard case .text(let title)? = words["title"], case .text(let text)? = words["message"] else {
      throw TestFailure("no texts")
    }
    #expect(title.utf8.count <= NtfyPublication.longestTitle && title.hasSuffix("é…"))
    #expect(text.utf8.count <= NtfyPublication.longestText && text.utf8.count > NtfyPublication.longestText - 8)
    #expect(text.hasSuffix("…") && !text.contains("\u{FFFD}"))
  }

  @Test func `A state keeps what was sent`() throws {
    var state = LinkState()
    (state.phase, state.sent, state.lastSent, state.sendError) = (.ready, 3, 5, "x")
    guard case .dictionary(let words) = state.plain else { throw TestFailure("no dictionary") }
    #expect(LinkState(words) == state)
  }
}
