// SPDX-License-Identifier: Apache-2.0

extension String {
  /// Whether it can be the name of a link to a server elsewhere: the name of a file that is neither hidden nor in
  /// another folder.
  package var isLinkName: Bool {
    (1...64).contains(utf8.count) && first != "." && first != "-" && utf8.allSatisfy { Self.isAllowedInLinkName($0) }
  }

  /// The rule, for errors.
  package static let linkNameForm = "1 to 64 letters, digits, dots, dashes and underscores, such as 'home'"

  private static func isAllowedInLinkName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"): true
    default: false
    }
  }
}
