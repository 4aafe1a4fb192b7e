// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests that a very long list scrolls smoothly, by the frames that the compositor gets. SUZU_PROGRAMS names another
/// build to measure.
@Suite(
  .onOwnThread, .timeLimit(.minutes(10)), .enabled(if: WindowStage.isPossible && SwayCompositor.isInstalled))
struct ScrollingTests {
  @Test func `A hundred thousand requests scroll smoothly`() throws {
    let stage = try WindowStage(on: .wayland, opens: false)
    for part in 0..<20 {
      let requests = (0..<5000).map { number in
        let number = part * 5000 + number
        return #"{"id": "n\#(number)", "title": "Number \#(number)", "in": "\#(7200 + number)s"}"#
      }
      let sent = try stage.session.suzu("notify", "--file", "-", input: "[\(requests.joined(separator: ","))]")
      #expect(sent.status == 0, "\(sent.errors)")
    }
    // The client prints what it tells the compositor, with the time.
    try stage.open(["WAYLAND_DEBUG": "1"])
    try stage.see(containing: "Number 0, ")
    let pointer = try #require(stage.pointer)
    try pointer.move(640, 600)
    // The frames before it are those of the start.
    _ = try #require(stage.window.readErrors(until: ".motion("), "no pointer")
    let before = try Self.processorTime(of: stage.window.processID)
    var moments: [Double] = []
    // Each turn of the wheel comes as soon as the frame of the one before is there.
    for _ in 0..<400 {
      try pointer.scroll(by: 200)
      let lines = try #require(stage.window.readErrors(until: ".commit()"), "no frame")
      // `[123456.789]  -> wl_surface@21.commit()`
      let time = lines.last?.split(separator: "]").first?.filter { $0.isNumber || $0 == "." }
      moments.append(try #require(time.flatMap { Double($0) }, "\(lines.last ?? "")"))
    }
    let work = (try Self.processorTime(of: stage.window.processID) - before) / Double(moments.count)
    let frames = zip(moments.dropFirst(), moments).map { $0 - $1 }.sorted()
    func part(_ share: Double) -> Int { Int(frames[Int(Double(frames.count - 1) * share)].rounded()) }
    print(
      "window: 100,000 pending: \(frames.count) frames, half within \(part(0.5)) ms, 95 % within \(part(0.95)) ms, "
        + "99 % within \(part(0.99)) ms, the longest \(part(1)) ms; \(Int(work)) ms of the processor for each")
    // 80,000 pixels have several times as many rows as are read at first.
    try stage.wait(for: "row far down") { nodes in
      let numbers = nodes.filter { $0.name.hasPrefix("Number ") }
        .compactMap { Int($0.name.dropFirst(7).prefix { $0.isNumber }) }
      return numbers.contains { $0 > 600 } ? () : nil
    }
    // A screen with 60 Hz. Other programs may delay frames, but do not change the work for one.
    #expect(part(0.5) <= 33)
    #expect(work <= 16)
  }

  /// What a process has used of the processor, in milliseconds.
  private static func processorTime(of process: Int32) throws -> Double {
    let line = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    // After the name, which ends with a parenthesis: user and system time, in hundredths.
    let words = try #require(line.split(separator: ")").last).split(separator: " ")
    return try #require(Double(words[11])) * 10 + #require(Double(words[12])) * 10
  }
}
