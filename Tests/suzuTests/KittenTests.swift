// SPDX-License-Identifier: Apache-2.0
import Foundation
import NotificationModel
import TestSupport
import Testing

@testable import suzu

/// Compares what a terminal is told with what kitty's own `kitten notify` tells it.
@Suite(.enabled(if: Kitten.isPossible, "no kitten"))
struct KittenTests {
  /// A notification as a terminal reads it: the keys of all its sequences, and the texts of its parts put together.
  struct Read: Equatable {
    var keys: [String: [String]] = [:]
    var parts: [String: String] = [:]
    var isComplete = false

    /// Keys that say how a text is sent, and not what is shown.
    private static let form: Set = ["d", "e", "p", "i"]

    init(_ text: String) throws {
      for sequence in text.split(separator: "\u{1B}]99;").map({ $0.split(separator: "\u{1B}\\")[0] }) {
        let halves = sequence.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
        var words: [String: String] = [:]
        for word in halves[0].split(separator: ":") {
          let (key, value) = (String(word.prefix(1)), String(word.dropFirst(2)))
          words[key] = value
          if !Self.form.contains(key) { keys[key, default: []].append(value) }
        }
        let payload = halves.count > 1 ? String(halves[1]) : ""
        let decoded =
          words["e"] == "1" ? String(decoding: try #require(Data(base64Encoded: payload)), as: UTF8.self) : payload
        if !decoded.isEmpty { parts[words["p"] ?? "title", default: ""] += decoded }
        isComplete = words["d"] != "0"
      }
    }
  }

  /// A request, and the same as options of `kitten notify`.
  struct Case: CustomTestStringConvertible, Sendable {
    let words: [String: PlainValue]
    let options: [String]
    var testDescription: String { options.joined(separator: " ") }
  }

  private static let cases = [
    Case(words: ["title": .text("Tea"), "body": .text("is ready")], options: ["Tea", "is ready"]),
    Case(
      words: ["title": .text("Ä; 1:2"), "body": .text("a;b=c"), "level": .text("critical"), "expires": .text("5s")],
      options: ["--urgency", "critical", "--expire-after", "5s", "Ä; 1:2", "a;b=c"]),
    Case(
      words: [
        "title": .text("Disk"), "level": .text("passive"), "sound": .text("none"), "icon": .text("dialog-error"),
      ],
      options: ["--urgency", "low", "--sound-name", "silent", "--icon", "dialog-error", "--icon", "error", "Disk"]),
    Case(
      words: [
        "title": .text("Deploy?"), "expires": .text("never"),
        "actions": .list([
          .dictionary(["id": .text("y"), "title": .text("Yes")]),
          .dictionary(["id": .text("n"), "title": .text("No")]),
        ]),
      ],
      options: ["--expire-after", "never", "--button", "Yes", "--button", "No", "--wait-for-completion", "Deploy?"]),
  ]

  @Test(arguments: cases) func `A terminal is told the same as by kitty's own program`(one: Case) throws {
    let features = TerminalFeatures(answer: "p=title,body,buttons:a=report,focus:c=1:u=0,1,2:s=system:w=1")
    let waits = one.words["actions"] != nil
    let ours = TerminalNotification(
      try NotificationRequest(one.words.merging(["appName": .text("Kitchen")]) { $1 }), id: "id", features: features,
      waits: waits)
    let sent = String(
      decoding: ours.bytes(.osc99, features: features, reports: waits, through: .direct), as: UTF8.self)
    let kitten = try RunningProgram.run(
      Kitten.program,
      ["notify", "--only-print-escape-code", "--app-name", "Kitchen", "--identifier", "id"] + one.options,
      environment: ["HOME": NSTemporaryDirectory(), "PATH": "/usr/bin:/bin"])
    #expect(kitten.status == 0, "\(kitten.errors)")
    var (expected, read) = (try Read(kitten.output), try Read(sent))
    // Where a request says nothing, kitten sends the usual value.
    for (key, usual) in [("u", "1"), ("s", Data("system".utf8).base64EncodedString())] {
      for value in [expected.keys[key], read.keys[key]] where value == [usual] {
        expected.keys[key] = expected.keys[key] == [usual] ? nil : expected.keys[key]
        read.keys[key] = read.keys[key] == [usual] ? nil : read.keys[key]
      }
    }
    #expect(
      read == expected && read.isComplete, "kitten: \(kitten.output.debugDescription), ours: \(sent.debugDescription)")
  }
}

/// kitty's `kitten`, which `Scripts/newer-program` fetches.
enum Kitten {
  private static let place = Session.checkout.appending(path: ".build/kitty")
  static var program: String { place.appending(path: "usr/bin/kitten").path }

  /// False if the set-up says that it could not be had. If the set-up did not run, the tests fail.
  static var isPossible: Bool {
    !FileManager.default.fileExists(atPath: place.appending(path: "missing").path)
  }
}
