// SPDX-License-Identifier: Apache-2.0

/// Finds the progress in what a command prints: OSC 9;4 sequences, which terminals show in their tab or in the panel
/// (https://conemu.github.io/en/AnsiEscapeCodes.html#ConEmu_specific_OSC), and otherwise percentages such as `42%`.
struct ProgressReader {
  /// In percent; nil if there is none, or no longer.
  private(set) var percent: Int?
  /// Whether the command speaks OSC 9;4: then percentages in its text mean something else.
  private var hasSequences = false
  /// The end of the output, which may be the beginning of a sequence or of a number.
  private var rest: [UInt8] = []

  /// How many bytes at the end of a piece of output are looked at: the last progress counts, and searching all of it
  /// would cost as much as copying it.
  private static let longest = 4096
  private static let longestRest = 32

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    let piece = rest + bytes.suffix(Self.longest)
    // Also of a piece that was cut: what stands before the cut does not continue behind it.
    let text = bytes.count > Self.longest ? Array(bytes.suffix(Self.longest)) : piece
    rest = Array(text.suffix(Self.longestRest))
    if let found = Self.lastSequence(in: text) {
      hasSequences = true
      switch found.state {
      case 0: percent = nil
      // An error or a pause may come without a number, which then stays.
      case 1, 2, 4: percent = found.percent ?? percent
      default: break
      }
    } else if !hasSequences, let found = Self.lastPercentage(in: text) {
      percent = found
    }
  }

  mutating func append(_ text: String) { Array(text.utf8).withUnsafeBytes { append($0) } }

  private static let introducer = Array("\u{1B}]9;4;".utf8)

  /// The last complete sequence: `ESC ] 9 ; 4 ; STATE [; PERCENT]`, ended by BEL or ESC.
  private static func lastSequence(in text: [UInt8]) -> (state: Int, percent: Int?)? {
    var start = text.count - introducer.count
    while start >= 0 {
      defer { start -= 1 }
      guard text[start] == 0x1B, text[start...].starts(with: introducer) else { continue }
      let body = text[(start + introducer.count)...]
      guard let end = body.firstIndex(where: { $0 == 0x07 || $0 == 0x1B }) else { continue }
      let parts = body[..<end].split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      guard let state = number(parts[0]), state <= 4 else { continue }
      return (state, parts.count > 1 ? number(parts[1]).map { min($0, 100) } : nil)
    }
    return nil
  }

  /// The last number from 0 to 100 before a percent sign; its fraction does not count.
  private static func lastPercentage(in text: [UInt8]) -> Int? {
    var index = text.count
    while let sign = text[..<index].lastIndex(of: UInt8(ascii: "%")) {
      index = sign
      var start = sign
      if start > 0, text[start - 1] == UInt8(ascii: " ") { start -= 1 }
      let end = start
      while start > 0, isDigit(text[start - 1]) || text[start - 1] == UInt8(ascii: ".") { start -= 1 }
      // Something else stands before it: a letter, or a number that is longer than what was kept.
      if start > 0, isLetter(text[start - 1]) { continue }
      let whole = text[start..<end].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      guard (1...2).contains(whole.count), let percent = number(whole[0]), percent <= 100 else { continue }
      return percent
    }
    return nil
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard (1...3).contains(digits.count), digits.allSatisfy(isDigit) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

  private static func isLetter(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ",")
      || byte > 127
  }
}
