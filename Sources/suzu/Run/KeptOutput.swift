// SPDX-License-Identifier: Apache-2.0

/// The end of a command's output, in memory of a fixed size.
struct KeptOutput {
  /// How many bytes are kept.
  let limit: Int
  private var ring: [UInt8] = []
  /// Where the next byte goes once the ring is full.
  private var position = 0
  /// How many bytes there were.
  private(set) var total = 0

  init(atMost limit: Int) { self.limit = limit }

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    total += bytes.count
    var rest = UnsafeRawBufferPointer(rebasing: bytes.suffix(limit))
    let free = min(limit - ring.count, rest.count)
    if free > 0 {
      ring.append(contentsOf: rest.prefix(free))
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(free))
    }
    while !rest.isEmpty {
      let count = min(limit - position, rest.count)
      ring.withUnsafeMutableBytes { ring in
        UnsafeMutableRawBufferPointer(rebasing: ring[position..<position + count])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: rest.prefix(count)))
      }
      position = (position + count) % limit
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
    }
  }

  mutating func append(_ bytes: [UInt8]) { bytes.withUnsafeBytes { append($0) } }

  /// Counts bytes that were not read.
  mutating func skip(_ count: Int) { total += count }

  /// The kept bytes, oldest first.
  var bytes: [UInt8] { Array(ring[position...] + ring[..<position]) }

  /// How many bytes before these were not kept.
  var lost: Int { total - ring.count }

  /// The last line that has something to read, without the sequences that control a terminal; nil if there is none.
  ///
  /// A carriage return begins a line, too: programs overwrite a line with it.
  var lastLine: String? {
    let end = bytes.suffix(Self.longestSearch)
    for line in end.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).reversed() {
      let text = PrintableText.line(String(decoding: line, as: UTF8.self), atMost: Self.longestLine)
      if text.contains(where: { !$0.isWhitespace }) { return text }
    }
    return nil
  }

  private static let (longestSearch, longestLine) = (16 << 10, 300)
}
