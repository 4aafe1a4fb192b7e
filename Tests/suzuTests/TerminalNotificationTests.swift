// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import Testing

@testable import suzu

/// Tests the sequences that show a notification, and what of a request they leave out.
@Suite struct TerminalNotificationTests {
  private static func form(
    _ words: [String: PlainValue], features: TerminalFeatures? = TerminalFeatures(answer: full), waits: Bool = false
  ) throws -> TerminalNotification {
    TerminalNotification(try NotificationRequest(words), id: "id", features: features, waits: waits)
  }

  private static let full = "p=title,body,buttons:a=report,focus:c=1:u=0,1,2:s=system:w=1"

  private static func text(_ form: TerminalNotification, _ sequence: NotificationSequence) -> String {
    String(
      decoding: form.bytes(sequence, features: TerminalFeatures(answer: full), reports: false, through: .direct),
      as: UTF8.self)
  }

  @Test func `Every key that a terminal cannot show is named`() throws {
    let words: [String: PlainValue] = [
      "title": .text("t"), "body": .text("b"), "icon": .text("/x.png"), "image": .text("x"), "sound": .text("/x.oga"),
      "badge": .integer(1), "thread": .text("x"), "url": .text("https://example.org/"),
      "hints": .dictionary(["x": .text("y")]),
      "actions": .list([.dictionary(["id": .text("a"), "run": .list([.text("true")])])]), "category": .text("tea"),
    ]
    #expect(
      try Self.form(words).lost
        == ["icon", "image", "category", "sound", "badge", "thread", "hints", "url", "actions"])
    let known: [String: PlainValue] = [
      "title": .text("t"), "icon": .text("mug"), "sound": .text("none"), "category": .text("im.received"),
      "level": .text("critical"), "expires": .text("5s"), "progress": .integer(7), "subtitle": .text("s"),
      "userInfo": .dictionary(["x": .text("y")]),
    ]
    #expect(try Self.form(known).lost == [])
    #expect(try Self.form(known, features: nil).lost == ["icon", "category", "level", "sound", "expires"])
    #expect(try Self.form(known).body == "s\n7 %")
  }

  @Test func `Buttons need a reader of the answer, and effects a center`() throws {
    let words: [String: PlainValue] = ["title": .text("t"), "actions": .list([.dictionary(["id": .text("a")])])]
    #expect(try Self.form(words).lost == ["actions"])
    #expect(try Self.form(words, waits: true).lost == [])
    #expect(try Self.form(words, features: .basic, waits: true).lost == ["actions"])
    let snoozed: [String: PlainValue] = [
      "title": .text("t"), "actions": .list([.dictionary(["id": .text("a"), "snooze": .text("5m")])]),
    ]
    let form = try Self.form(snoozed, waits: true)
    #expect(form.lost == ["actions"] && form.buttons == ["a"])
  }

  @Test func `Ids stay distinct in the characters of OSC 99`() throws {
    func id(_ app: String?, _ id: String) throws -> String {
      var words: [String: PlainValue] = ["title": .text("t")]
      words["app"] = app.map { .text($0) }
      return TerminalNotification(try NotificationRequest(words), id: id, features: nil, waits: false).wireID
    }
    let ids = try [
      id(nil, "a:b"), id(nil, "a_3a_b"), id(nil, "a b"), id("a", "b"), id(nil, "a/b"), id(nil, "ä"), id(nil, "0"),
    ]
    #expect(Set(ids).count == 6, "an app and its id are 'a/b', too: \(ids)")
    for id in ids { #expect(id.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789._-".utf8.contains($0) }) }
  }

  @Test(arguments: ["x", "äöü€😀", String(repeating: "ä", count: 5000), String(repeating: "a", count: 2048)])
  func `Pieces of a text are short, and end with a character`(text: String) {
    var joined = ""
    for chunk in TerminalNotification.chunks(text) {
      #expect(chunk.utf8.count <= 2732)
      joined += String(validating: Base64Decoding.bytes(chunk), as: UTF8.self) ?? "?"
    }
    #expect(joined == text)
  }

  @Test func `Numbers at the beginning are no command`() throws {
    #expect(try Self.text(Self.form(["title": .text("4;3;50")]), .osc9) == "\u{1B}]9;4,3;50\u{1B}\\")
    #expect(try Self.text(Self.form(["title": .text("9")]), .osc9) == "\u{1B}]9;9\u{1B}\\")
    #expect(
      try Self.text(Self.form(["title": .text("a;b"), "body": .text("c;d\ne")]), .osc777)
        == "\u{1B}]777;notify;a,b;c;d e\u{1B}\\")
  }

  @Test func `A request without a title shows its body as one`() throws {
    let form = try Self.form(["title": .text(""), "body": .text("b\nc")])
    #expect(form.title == "b c" && form.body == "")
  }

  @Test func `Markup is left out`() throws {
    let body = "<b>5 &lt; 6</b> &amp;amp; <a href=\"x\">link</a> a<b c> <unknown> & &x;<br/>"
    #expect(PlainMarkup.text(body) == "5 < 6 &amp; link a <unknown> & &x;")
  }

  @Test func `Sequences for tmux are wrapped`() {
    #expect(
      TerminalPassage.tmux.wrapped("\u{1B}]9;x\u{1B}\\")
        == Array("\u{1B}Ptmux;\u{1B}\u{1B}]9;x\u{1B}\u{1B}\\\u{1B}\\".utf8))
  }

  @Test func `tmux's answer is read in the words of all its versions`() {
    #expect(TmuxPane("11\t1\tkitty(0.26.5)\txterm-kitty\t1\t\n")?.passes == true)
    #expect(TmuxPane("11\ton\t\txterm\t1\t\n")?.isInFront == true)
    #expect(TmuxPane("11\t\t\txterm\t1\t\n")?.passes == true)
    #expect(TmuxPane("01\ton\t\txterm\t1\t\n")?.passes == false)
    #expect(TmuxPane("01\tall\t\txterm\t1\t\n")?.passes == true)
    #expect(TmuxPane("10\tall\t\txterm\t1\t\n")?.isInFront == false)
    #expect(TmuxPane("11\toff\t\txterm\t1\t\n")?.passes == false)
    #expect(TmuxPane("11\ton\t\t\t0\t\n")?.isAttached == false)
    #expect(TmuxPane("") == nil && TmuxPane("no server running") == nil)
  }
}

/// Decodes what tests encode.
enum Base64Decoding {
  static func bytes(_ text: String) -> [UInt8] {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var bits: UInt32 = 0
    var count = 0
    var bytes: [UInt8] = []
    for letter in text.utf8 {
      guard let value = letters.firstIndex(of: letter) else { break }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(bits >> UInt32(count) & 255))
      }
    }
    return bytes
  }
}
