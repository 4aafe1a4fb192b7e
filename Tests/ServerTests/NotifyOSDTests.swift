// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Tests behavior that only notify-osd has.
@Suite(.serialized, .onOwnThread, .timeLimit(.minutes(5)))
struct NotifyOSDTests {
  // With the hint `value`, it draws a bar without texts if there is an icon, or else nothing.
  @Test(.on(NotifyOSD())) func `A notification with a progress has a bubble with its texts`() throws {
    let desktop = try Desktop(NotifyOSD())
    try desktop.post("Copying", ["Five of twelve", "--id", "plain"])
    let plain = try desktop.popup("Copying")
    #expect(try desktop.closing(of: "plain") == "expired")
    try desktop.post("Copying", ["Five of twelve", "--id", "copy", "--progress", "40"])
    let bubble = try desktop.popup("Copying")
    #expect(try #require(bubble.box).height >= #require(plain.box).height)
  }
}
