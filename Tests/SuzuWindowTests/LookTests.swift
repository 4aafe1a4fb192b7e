// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests that the page *Upcoming* and a dialog are usable dark, with high contrast, narrow, wide, and from right to left.
/// SUZU_LOOKS names a folder for pictures of them.
@Suite(.onOwnThread, .timeLimit(.minutes(5)), .enabled(if: WindowStage.isPossible))
struct LookTests {
  private static let question = #"{"app": "Kitchen", "text": "Lunch?", "choices": ["Join", "Not today"]}"#
  static let hasLocales =
    RunningProgram.path(of: "localedef") != nil
    && FileManager.default.fileExists(atPath: "/usr/share/i18n/locales/he_IL")

  private static func stage(_ variables: [String: String] = [:]) throws -> WindowStage {
    let stage = try WindowStage(opens: false)
    #expect(try stage.session.suzu("notify", "Dentist", "Bring the card", "--at", "2999-05-02 09:00").status == 0)
    #expect(try stage.session.suzu("notify", "Stand-up", "--every", "09:45").status == 0)
    try stage.open(variables)
    try stage.see(containing: "Dentist, ")
    return stage
  }

  /// How bright the active window is, from 0 to 1.
  private static func brightness(_ stage: WindowStage, _ name: String) throws -> Double {
    let folder = ProcessInfo.processInfo.environment["SUZU_LOOKS"] ?? stage.session.folder.path("home")
    let file = "\(folder)/\(name).png"
    try stage.photograph(file)
    let asked = try stage.session.run("convert", file, "-colorspace", "Gray", "-format", "%[fx:mean]", "info:")
    return try #require(Double(asked.output))
  }

  @Test func `Dark, the window and the dialog are dark`() throws {
    let dark = ["ADW_DEBUG_COLOR_SCHEME": "prefer-dark"]
    let stage = try Self.stage(dark)
    #expect(try Self.brightness(stage, "dark") < 0.3)
    try stage.keys("alt+w")
    try stage.see(containing: "Stand-up, ")
    #expect(try Self.brightness(stage, "dark-week") < 0.3)
    let dialog = try stage.start("--dialog", variables: dark)
    dialog.write(Self.question)
    dialog.closeInput()
    try stage.awaitWindow("Question from \u{2068}Kitchen\u{2069}", of: dialog)
    #expect(try Self.brightness(stage, "dark-dialog") < 0.4)
  }

  @Test func `With high contrast, it is drawn otherwise`() throws {
    /// The list and the week.
    func pages(_ name: String, _ variables: [String: String] = [:]) throws -> [Double] {
      let stage = try Self.stage(variables)
      let list = try Self.brightness(stage, name)
      try stage.keys("alt+w")
      try stage.see("Next week")
      return [list, try Self.brightness(stage, name + "-week")]
    }
    let (plain, strong) = (try pages("plain"), try pages("contrast", ["ADW_DEBUG_HIGH_CONTRAST": "1"]))
    #expect(plain.allSatisfy { $0 > 0.8 } && zip(plain, strong).allSatisfy { $0 != $1 }, "\(plain) \(strong)")
  }

  @Test func `At 360 pixels, everything is within the window, and the pages are below`() throws {
    let stage = try Self.stage()
    try stage.resize(width: 360, height: 640)
    _ = try Self.brightness(stage, "narrow")
    let nodes = try stage.reader.nodes()
    for name in ["Dentist", "Stand-up", "Cancel Dentist", "New"] {
      let node = try #require(nodes.first { $0.name == name }, "\(name)")
      let box = try stage.reader.place(of: node)
      #expect(box[0] >= 0 && box[0] + box[2] <= 360 && box[2] > 10, "\(name): \(box)")
    }
    let dialog = try stage.start("--dialog")
    dialog.write(Self.question)
    dialog.closeInput()
    try stage.awaitWindow("Question from \u{2068}Kitchen\u{2069}", of: dialog)
    try stage.resize(width: 360, height: 400)
    let join = try stage.see("Join")
    let box = try stage.reader.place(of: join)
    #expect(box[0] >= 0 && box[0] + box[2] <= 360, "\(box)")
    _ = try Self.brightness(stage, "narrow-dialog")
  }

  @Test func `On a wide screen, lines stay short and in the middle, and the week has all the width`() throws {
    let stage = try Self.stage()
    try stage.resize(width: 1280, height: 900)
    _ = try Self.brightness(stage, "wide")
    let row = try stage.reader.place(of: try stage.see(containing: "Dentist, "))
    #expect(row[2] > 500 && row[2] <= 720, "\(row)")
    #expect(abs(row[0] + row[2] / 2 - 640) < 20, "\(row)")
    // The pages are in the header.
    let page = try stage.reader.place(of: try stage.see("History"))
    #expect(page[1] < 60, "\(page)")
    try stage.keys("alt+w")
    try stage.see("Next week")
    _ = try Self.brightness(stage, "wide-week")
    let days = try stage.reader.nodes().filter { $0.name.hasPrefix("Stand-up, ") }
      .map { try stage.reader.place(of: $0) }
    // The last of the seven is there on every day of the week, and at every time of the day.
    #expect(days.contains { $0[0] > 800 } && days.allSatisfy { $0[0] + $0[2] <= 1280 }, "\(days)")
  }

  @Test(.enabled(if: hasLocales, "the descriptions of locales are not installed"))
  func `From right to left, the page and the dialog are mirrored`() throws {
    let plain = try Self.stage()
    let left = try plain.reader.place(of: try plain.see("New"))
    let locales = plain.session.folder.path("home")
    // Exits with 1 for its warnings.
    _ = try plain.session.run("localedef", "-c", "-i", "he_IL", "-f", "UTF-8", "\(locales)/he_IL.UTF-8")
    let hebrew = ["LOCPATH": locales, "LC_ALL": "he_IL.UTF-8"]
    let stage = try Self.stage(hebrew)
    let right = try stage.reader.place(of: try stage.see("New"))
    #expect(left[0] < 100 && right[0] > 300, "\(left) \(right)")
    _ = try Self.brightness(stage, "mirrored")
    try stage.keys("alt+w")
    try stage.see("Next week")
    _ = try Self.brightness(stage, "mirrored-week")
    let dialog = try stage.start("--dialog", variables: hebrew)
    dialog.write(#"{"app": "Kitchen", "text": "ארוחת צהריים?", "line": "מתי"}"#)
    dialog.closeInput()
    try stage.awaitWindow("Question from \u{2068}Kitchen\u{2069}", of: dialog)
    // The button that sends is on the side where a line ends.
    let send = try stage.reader.place(of: try stage.see("Send"))
    #expect(send[0] < 100, "\(send)")
    _ = try Self.brightness(stage, "mirrored-dialog")
  }
}
