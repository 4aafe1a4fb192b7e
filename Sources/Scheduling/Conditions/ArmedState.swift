// SPDX-License-Identifier: Apache-2.0
internal import SystemFiles

/// What is stored of a request that waits for a condition, so that the next run of the center continues with it.
public struct ArmedState: Hashable, Sendable {
  /// The last known state of the subject; nil if it was never known.
  public internal(set) var holds: Bool?
  /// Since when the state lasts that must last for a while; nil if none does.
  public internal(set) var since: Timestamp?
  /// When the condition was last met.
  public internal(set) var met: Timestamp?
  /// How often it would have been met since, if there were no pause between two.
  public internal(set) var folded: Int64 = 0

  init() {}

  /// The stored form: the four values, `-` for a missing one.
  var text: String {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the stored form.
  func append(to bytes: inout [UInt8]) {
    func append(_ number: Int64?) {
      if let number { bytes.append(digitsOf: number) } else { bytes.append(UInt8(ascii: "-")) }
    }
    append(holds.map { $0 ? 1 : 0 })
    for number in [since?.milliseconds, met?.milliseconds, folded] {
      bytes.append(UInt8(ascii: " "))
      append(number)
    }
  }

  /// Reads the stored form; nil if it is from a newer version.
  init?(_ text: String) {
    let words = text.split(separator: " ")
    guard words.count == 4, let folded = Int64(words[3]) else { return nil }
    func time(_ word: Substring) -> Timestamp? { Int64(word).map { Timestamp(milliseconds: $0) } }
    holds = words[0] == "-" ? nil : words[0] == "1"
    since = time(words[1])
    met = time(words[2])
    self.folded = folded
  }
}
