// SPDX-License-Identifier: Apache-2.0
import DBus
import Testing

@Suite struct NameTests {
  @Test(arguments: ["org.freedesktop.DBus", ":1.42", "a.b", "_a._b", "a-b.c"])
  func aBusNameOfAllowedBytesIsTaken(_ text: String) {
    #expect(BusName(text)?.text == text)
  }

  @Test(arguments: ["", "a", ".a.b", "a..b", "a.b.", "a.1b", "a b.c", "ä.b", ":", ":1", String(repeating: "a.", count: 128) + "a"])
  func anyOtherBusNameIsRefused(_ text: String) {
    #expect(BusName(text) == nil)
  }
}
