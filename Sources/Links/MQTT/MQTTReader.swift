// SPDX-License-Identifier: Apache-2.0

/// Divides what arrives into packets, and keeps no more than one of the longest permitted length.
package struct MQTTReader {
  /// A complete packet, not decoded yet.
  package enum Frame: Hashable, Sendable {
    case packet(header: UInt8, body: [UInt8])
    /// A message that is longer than the limit and was dropped, with its number if it has one.
    case tooLong(number: UInt16?)
  }

  private enum Stage {
    case header
    case length(header: UInt8, MQTTLength)
    case body(header: UInt8, left: Int)
    case skipped(header: UInt8, left: Int)
  }

  private let longest: Int
  private var stage = Stage.header
  private var body: [UInt8] = []
  /// The place in the packet that is skipped, and its first two bytes and those of its number as far as they have come.
  private var place = 0
  private var nameLength = 0
  private var number: UInt16 = 0

  /// - Parameter longest: the limit in bytes, of a packet without its header.
  package init(longest: Int) { self.longest = longest }

  /// The bytes that are kept.
  package var count: Int { body.count }

  /// Takes bytes up to the end of the first complete packet, and returns that packet. Pass the bytes that are left to
  /// the next call; if there is no packet, none are left.
  package mutating func next(_ bytes: inout ArraySlice<UInt8>) throws(MQTTFault) -> Frame? {
    while true {
      switch stage {
      case .header:
        guard let header = bytes.popFirst() else { return nil }
        stage = .length(header: header, MQTTLength())
      case .length(let header, var length):
        guard let byte = bytes.popFirst() else { return nil }
        if let count = try length.take(byte) {
          try begin(header, count)
        } else {
          stage = .length(header: header, length)
        }
      case .body(let header, let left):
        let part = bytes.prefix(left)
        body.append(contentsOf: part)
        bytes = bytes.dropFirst(part.count)
        stage = .body(header: header, left: left - part.count)
        guard part.count == left else { return nil }
        defer { (stage, body) = (.header, []) }
        return .packet(header: header, body: body)
      case .skipped(let header, let left):
        let part = bytes.prefix(left)
        skip(part)
        bytes = bytes.dropFirst(part.count)
        stage = .skipped(header: header, left: left - part.count)
        guard part.count == left else { return nil }
        stage = .header
        let hasNumber = header & 0x02 != 0
        // The name of its topic alone was longer than the packet.
        if hasNumber, place < 4 + nameLength { throw .malformed }
        return .tooLong(number: hasNumber ? number : nil)
      }
    }
  }

  private mutating func begin(_ header: UInt8, _ count: Int) throws(MQTTFault) {
    if count <= longest {
      stage = .body(header: header, left: count)
      return
    }
    // Only messages may be long.
    guard header >> 4 == MQTTPacket.Kind.publish else { throw .tooLong }
    guard header >> 1 & 0x03 <= 1 else { throw .wrongPacket }
    (place, nameLength, number) = (0, 0, 0)
    stage = .skipped(header: header, left: count)
  }

  /// Reads only the number, which follows the name of the topic: the message must be acknowledged although it is
  /// dropped.
  private mutating func skip(_ part: ArraySlice<UInt8>) {
    for byte in part.prefix(max(0, 2 - place)) { nameLength = nameLength << 8 | Int(byte) }
    let end = place + part.count
    // The name is complete from here on.
    if end >= 2 {
      for offset in 0..<2 {
        let wanted = 2 + nameLength + offset
        if wanted >= place, wanted < end { number = number << 8 | UInt16(part[part.startIndex + wanted - place]) }
      }
    }
    place = end
  }
}
