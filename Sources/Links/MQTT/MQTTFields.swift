// SPDX-License-Identifier: Apache-2.0

/// The fields of a packet, one after another (MQTT 5, section 1.5). A field never reads beyond the packet.
struct MQTTFields {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  var isEmpty: Bool { rest.isEmpty }

  mutating func byte() throws(MQTTFault) -> UInt8 {
    guard let byte = rest.popFirst() else { throw .malformed }
    return byte
  }

  mutating func short() throws(MQTTFault) -> UInt16 { UInt16(try byte()) << 8 | UInt16(try byte()) }
  mutating func long() throws(MQTTFault) -> UInt32 { UInt32(try short()) << 16 | UInt32(try short()) }

  /// A number of up to four bytes, in the shortest form.
  mutating func variable() throws(MQTTFault) -> Int {
    var length = MQTTLength()
    while true {
      if let value = try length.take(try byte()) { return value }
    }
  }

  mutating func bytes(_ count: Int) throws(MQTTFault) -> ArraySlice<UInt8> {
    guard count <= rest.count else { throw .malformed }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  /// Bytes with their number before them.
  mutating func data() throws(MQTTFault) -> ArraySlice<UInt8> { try bytes(Int(try short())) }

  /// A text with its length before it; it has no NUL.
  mutating func text() throws(MQTTFault) -> String {
    let bytes = try data()
    guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else { throw .malformed }
    return text
  }

  /// Everything that is left.
  mutating func remainder() -> ArraySlice<UInt8> {
    defer { rest = [] }
    return rest
  }
}

/// A number that comes in groups of seven bits, the lowest first.
struct MQTTLength {
  private var value = 0
  private var count = 0

  /// Takes the next byte; returns the number once it is complete.
  mutating func take(_ byte: UInt8) throws(MQTTFault) -> Int? {
    value |= Int(byte & 0x7F) << (7 * count)
    count += 1
    if byte & 0x80 != 0 {
      guard count < 4 else { throw .malformed }
      return nil
    }
    // A longer form than needed.
    guard byte != 0 || count == 1 else { throw .malformed }
    return value
  }

  /// The shortest form of a number below 2²⁸.
  static func bytes(of value: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = value
    repeat {
      bytes.append(UInt8(rest & 0x7F) | (rest > 0x7F ? 0x80 : 0))
      rest >>= 7
    } while rest > 0
    return bytes
  }
}
