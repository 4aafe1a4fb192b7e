// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The kept inputs of the surfaces: a file for each, with an input in each line, escaped as in C.
enum Corpus {
  static func inputs(of surface: Surface) throws -> [[UInt8]] {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Corpus/\(surface.name).txt")
    let lines = try Data(contentsOf: file).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true)
    return lines.map { unescaped(Array($0)) }
  }

  /// `\n`, `\\` and `\xNN`; all other bytes stand for themselves.
  static func unescaped(_ line: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = line[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let next = rest.popFirst() else {
        bytes.append(byte)
        continue
      }
      switch next {
      case UInt8(ascii: "n"): bytes.append(0x0A)
      case UInt8(ascii: "x"):
        bytes.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? 0)
        rest = rest.dropFirst(2)
      default: bytes.append(next)
      }
    }
    return bytes
  }

  static func escaped(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
      switch byte {
      case 0x0A: "\\n"
      case UInt8(ascii: "\\"): "\\\\"
      case 0x20..<0x7F: String(UnicodeScalar(byte))
      default: "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
    }
    .joined()
  }
}
