// SPDX-License-Identifier: Apache-2.0

/// The id of the snoozed copy of a repeating request. The copy does not repeat, and keeps this id if it is snoozed
/// again.
package enum SnoozedID {
  private static let suffix = ".snoozed"
  /// The longest id, in bytes.
  private static let longest = 255

  /// Deterministic, and distinct for distinct ids.
  package static func of(_ id: String) -> String {
    if id.utf8.count + suffix.utf8.count <= longest { return id + suffix }
    // Too long with the suffix: cut, with a hash of the whole id to keep it distinct.
    let tail = "~" + hash(id) + suffix
    var end = id.utf8.index(id.utf8.startIndex, offsetBy: longest - tail.utf8.count)
    while end.samePosition(in: id.unicodeScalars) == nil { end = id.utf8.index(before: end) }
    return String(id.unicodeScalars[..<end]) + tail
  }

  /// FNV-1a: Swift's own hash differs from run to run.
  private static func hash(_ id: String) -> String {
    let hash = id.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
