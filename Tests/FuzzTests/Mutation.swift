// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// A small random change of an input.
enum Mutation {
  private static let alphabet = Array("0123456789*,./-~:;=@%\\\"'<>{}[]()&#$ TZabuix\u{e9}\u{2028}\n\r\t\0".utf8)

  static func of(_ input: [UInt8], others: [[UInt8]], _ numbers: inout SeededNumbers) -> [UInt8] {
    var bytes = input
    for _ in 0..<Int.random(in: 1...2, using: &numbers) {
      let place = Int.random(in: 0...bytes.count, using: &numbers)
      switch Int.random(in: 0...6, using: &numbers) {
      case 0: bytes.insert(alphabet[Int.random(in: 0...alphabet.count - 1, using: &numbers)], at: place)
      case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...6, using: &numbers)))
      case 2 where place < bytes.count: bytes[place] = UInt8(Int.random(in: 0...255, using: &numbers))
      case 3 where place < bytes.count: bytes[place] = alphabet[Int.random(in: 0...alphabet.count - 1, using: &numbers)]
      case 4:
        let other = others[Int.random(in: 0...others.count - 1, using: &numbers)]
        let start = Int.random(in: 0...other.count, using: &numbers)
        bytes.insert(contentsOf: other[start..<min(other.count, start + 12)], at: place)
      case 5: bytes.insert(contentsOf: bytes[..<place].suffix(Int.random(in: 1...16, using: &numbers)), at: place)
      default: bytes.insert(contentsOf: String(Int.random(in: 0...1_000_000_000, using: &numbers)).utf8, at: place)
      }
    }
    return Array(bytes.prefix(Surface.longest))
  }
}
