// SPDX-License-Identifier: Apache-2.0
import DBus
import TestSupport
import Testing

/// Tests the rules for names and object paths, also against libdbus.
@Suite struct NameTests {
  @Test(arguments: [
    "org.freedesktop.DBus", ":1.42", "a.b", "_a._b", "a-b.c", "-a.-b", String(repeating: "a.", count: 127) + "a",
  ])
  func `A valid bus name is accepted`(_ text: String) {
    #expect(BusName(text)?.text == text)
  }

  @Test(arguments: [
    "", "a", ".a.b", "a..b", "a.b.", "a.1b", "a b.c", "ä.b", ":", ":1", String(repeating: "a.", count: 128) + "a",
  ])
  func `An invalid bus name is refused`(_ text: String) {
    #expect(BusName(text) == nil)
  }

  @Test func `Only a name with a colon is unique`() {
    #expect(BusName(":1.42").isUnique)
    #expect(!BusName.bus.isUnique)
  }

  @Test(arguments: ["/", "/a", "/a/b_1/C", "/0", "/" + String(repeating: "a", count: 1000)])
  func `A valid object path is accepted`(_ text: String) {
    #expect(ObjectPath(text)?.text == text)
  }

  @Test(arguments: ["", "a", "//", "/a/", "/a//b", "/a-b", "/a.b", "/ä", "/a\0"])
  func `An invalid object path is refused`(_ text: String) {
    #expect(ObjectPath(text) == nil)
  }

  @Test func `A path is within itself and its ancestors`() {
    let path: ObjectPath = "/dev/suzu/Center"
    #expect(path.isWithin(path))
    #expect(path.isWithin("/dev/suzu"))
    #expect(path.isWithin(.root))
    #expect(!path.isWithin("/dev/su"))
    #expect(!ObjectPath("/dev/suzu").isWithin(path))
  }

  @Test(arguments: ["a.b", "_.b", "dev.suzu.Center1", "a._1", "a." + String(repeating: "b", count: 253)])
  func `A valid interface name is accepted, also as an error name`(_ text: String) {
    #expect(InterfaceName(text)?.text == text)
    #expect(ErrorName(text)?.text == text)
  }

  @Test(arguments: [
    "", "a", "a.", ".a", "a..b", "a.1", "1.a", "a-b.c", ":1.2", "a.ä", "a." + String(repeating: "b", count: 254),
  ])
  func `An invalid interface name is refused, also as an error name`(_ text: String) {
    #expect(InterfaceName(text) == nil)
    #expect(ErrorName(text) == nil)
  }

  @Test(arguments: ["a", "_", "Notify", "a1", String(repeating: "a", count: 255)])
  func `A valid member name is accepted`(_ text: String) {
    #expect(MemberName(text)?.text == text)
  }

  @Test(arguments: ["", "1a", "a.b", "a-b", "ä", "a\0", String(repeating: "a", count: 256)])
  func `An invalid member name is refused`(_ text: String) {
    #expect(MemberName(text) == nil)
  }

  @Test func `Names compare and print as their text`() {
    let names: [MemberName] = ["b", "a", "C"]
    #expect(names.sorted().map(\.description) == ["C", "a", "b"])
    #expect(Set<MemberName>(["a", "a"]).count == 1)
  }

  @Test func `An invalid name literal ends the program`() async {
    await #expect(processExitsWith: .failure) { _ = "no dot" as InterfaceName }
    await #expect(processExitsWith: .failure) { _ = "relative" as ObjectPath }
    await #expect(processExitsWith: .success) { _ = "/absolute" as ObjectPath }
  }

  // MARK: Compared with libdbus

  static let pieces = ["a", "Z", "_", "0", "9", "-", ".", ".", "/", "/", ":", " ", "ä", "b1", "\u{7f}", "{", "@"]

  /// Includes texts near the limit of 255 bytes.
  static let longPieces = [
    "a.", "bcd", ".e", "/f", String(repeating: "x", count: 60), String(repeating: "/y", count: 40),
  ]

  /// libdbus accepts `:`, `:1` and `:.1`, which no bus assigns; the specification requires two elements in every bus
  /// name.
  private static func isTooShortForAUniqueName(_ text: String) -> Bool {
    text.hasPrefix(":") && (!text.contains(".") || text.hasPrefix(":."))
  }

  @Test(arguments: [(pieces, 7, 60_000), (longPieces, 12, 10_000)])
  func `libdbus accepts the same names`(_ pieces: [String], _ longest: Int, _ rounds: Int) {
    var random = SeededNumbers(seed: 7)
    var taken = 0
    for round in 0..<rounds {
      var text = random.text(of: pieces, upTo: longest)
      if round % 3 == 0 { text = "/" + text }
      if round % 3 == 1 { text = (round % 2 == 0 ? "a" : ":1.") + text }
      #expect(ObjectPath.isValid(text) == Oracle.isObjectPath(text), "path \(text.debugDescription)")
      #expect(InterfaceName.isValid(text) == Oracle.isInterface(text), "interface \(text.debugDescription)")
      #expect(ErrorName.isValid(text) == Oracle.isErrorName(text), "error \(text.debugDescription)")
      #expect(MemberName.isValid(text) == Oracle.isMember(text), "member \(text.debugDescription)")
      #expect(
        BusName.isValid(text) == (Oracle.isBusName(text) && !Self.isTooShortForAUniqueName(text)),
        "bus name \(text.debugDescription)")
      if Oracle.isObjectPath(text) || Oracle.isBusName(text) || Oracle.isMember(text) { taken += 1 }
    }
    #expect(taken > rounds / 50, "the strings are too far from the rules to tell anything")
  }
}
