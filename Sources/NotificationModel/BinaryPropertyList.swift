// SPDX-License-Identifier: Apache-2.0

/// Parses a binary property list, `bplist00`: objects, a table of their offsets, and a trailer of 32 bytes.
/// (CFBinaryPList.c of [CoreFoundation](https://github.com/swiftlang/swift-corelibs-foundation) describes the format.)
struct BinaryPropertyList {
  private let bytes: [UInt8]
  private let table: Table
  /// Objects may be shared: a short list can expand to an endless value.
  private var valuesLeft = 1 << 22
  private var textLeft = 64 << 20

  private struct Table {
    let start: Int
    let count: Int
    /// The size of an offset in the table and of an object reference, in bytes.
    let entrySize, referenceSize: Int
  }

  static func read(_ bytes: [UInt8]) throws(DocumentError) -> PlainValue {
    guard bytes.starts(with: "bplist00".utf8) else {
      throw DocumentError("is not a supported binary property list: it must begin with 'bplist00'")
    }
    guard bytes.count >= 8 + 1 + 32 else { throw damaged("it is too short", at: bytes.count) }
    let trailer = bytes.count - 32
    func number(_ offset: Int) throws(DocumentError) -> Int {
      let number = bytes[(trailer + offset)..<(trailer + offset + 8)].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
      guard let number = Int(exactly: number) else { throw damaged("invalid trailer", at: trailer + offset) }
      return number
    }
    let table = Table(
      start: try number(24), count: try number(8), entrySize: Int(bytes[trailer + 6]),
      referenceSize: Int(bytes[trailer + 7]))
    let (size, isTooLong) = table.count.multipliedReportingOverflow(by: table.entrySize)
    guard 1...8 ~= table.entrySize, 1...8 ~= table.referenceSize, 9...trailer ~= table.start, table.count > 0,
      !isTooLong, size == trailer - table.start
    else { throw damaged("invalid object table", at: trailer) }
    var list = BinaryPropertyList(bytes: bytes, table: table)
    // Check unreferenced objects too: an error there suggests further damage.
    for object in 0..<table.count { _ = try list.place(of: object) }
    return try list.value(try number(16), depth: 0)
  }

  private static func damaged(_ what: String, at position: Int) -> DocumentError {
    DocumentError("the binary property list is damaged: \(what) (byte \(position))")
  }

  private func number(at position: Int, size: Int) throws(DocumentError) -> UInt64 {
    guard size <= table.start - position else { throw Self.damaged("unterminated object", at: position) }
    return bytes[position..<(position + size)].reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The offset of an object, checked to be within the objects.
  private func place(of object: Int) throws(DocumentError) -> Int {
    guard object < table.count else { throw Self.damaged("missing object \(object)", at: table.start) }
    let entry = table.start + object * table.entrySize
    let offset = bytes[entry..<(entry + table.entrySize)].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    guard let place = Int(exactly: offset), 8..<table.start ~= place else {
      throw Self.damaged("object \(object) is outside the file", at: entry)
    }
    return place
  }

  // MARK: Values

  private mutating func value(_ object: Int, depth: Int) throws(DocumentError) -> PlainValue {
    guard depth < PropertyListReader.deepestNesting else {
      throw DocumentError("nested deeper than \(PropertyListReader.deepestNesting) levels")
    }
    valuesLeft -= 1
    guard valuesLeft > 0 else { throw DocumentError("holds more than \(1 << 22) values") }
    let place = try place(of: object)
    switch bytes[place] {
    case 0x08: return .flag(false)
    case 0x09: return .flag(true)
    case 0x10...0x14: return .integer(try integer(place))
    case 0x22, 0x23: return .number(try real(place))
    case 0x33: throw DocumentError("a date cannot be part of a request; write it as a string")
    case 0x40...0x4f: throw DocumentError("data cannot be part of a request; write it as a string")
    case 0x50...0x6f: return .text(try text(place))
    case 0xa0...0xaf: return .list(try list(place, depth))
    case 0xd0...0xdf: return .dictionary(try dictionary(place, depth))
    case let kind: throw Self.damaged("unknown object type \(kind)", at: place)
    }
  }

  private func integer(_ place: Int) throws(DocumentError) -> Int64 {
    let size = 1 << Int(bytes[place] & 0xf)
    switch size {
    case 16:
      // Only for values that do not fit into a signed 64-bit integer.
      let (high, low) = (try number(at: place + 1, size: 8), try number(at: place + 9, size: 8))
      guard high == 0, let integer = Int64(exactly: low) else { throw DocumentError("a number is too large") }
      return integer
    case 8: return Int64(bitPattern: try number(at: place + 1, size: 8))
    default: return Int64(try number(at: place + 1, size: size))
    }
  }

  private func real(_ place: Int) throws(DocumentError) -> Double {
    let real =
      bytes[place] == 0x22
      ? Double(Float(bitPattern: UInt32(try number(at: place + 1, size: 4))))
      : Double(bitPattern: try number(at: place + 1, size: 8))
    guard real.isFinite else { throw DocumentError("a number is not finite") }
    return real
  }

  /// The number of elements, characters or bytes of an object, and their start.
  private func extent(_ place: Int) throws(DocumentError) -> (count: Int, start: Int) {
    let short = Int(bytes[place] & 0xf)
    if short < 0xf { return (short, place + 1) }
    let size = place + 1 < table.start ? bytes[place + 1] : 0
    guard 0x10...0x13 ~= size else { throw Self.damaged("invalid length of an object", at: place + 1) }
    let bytesOfCount = 1 << Int(size & 0xf)
    guard let count = Int(exactly: try number(at: place + 2, size: bytesOfCount)) else {
      throw Self.damaged("invalid length of an object", at: place + 1)
    }
    return (count, place + 2 + bytesOfCount)
  }

  /// The bytes of an object's units.
  private func content(_ place: Int, unit: Int) throws(DocumentError) -> (count: Int, bytes: ArraySlice<UInt8>) {
    let (count, start) = try extent(place)
    guard start <= table.start, count <= (table.start - start) / unit else {
      throw Self.damaged("unterminated object", at: place)
    }
    return (count, bytes[start..<(start + count * unit)])
  }

  private mutating func text(_ place: Int) throws(DocumentError) -> String {
    let isWide = bytes[place] >= 0x60
    let (_, content) = try content(place, unit: isWide ? 2 : 1)
    textLeft -= content.count
    guard textLeft > 0 else { throw DocumentError("holds more than 64 MiB of text") }
    let text: String?
    if isWide {
      let units = stride(from: content.startIndex, to: content.endIndex, by: 2).map {
        UInt16(content[$0]) << 8 | UInt16(content[$0 + 1])
      }
      // An empty text would use the other kind; CoreFoundation rejects it too.
      text = units.isEmpty ? nil : String(validating: units, as: UTF16.self)
    } else {
      text = content.allSatisfy { $0 < 0x80 } ? String(decoding: content, as: UTF8.self) : nil
    }
    guard let text else { throw Self.damaged("invalid text", at: place) }
    return text
  }

  private func reference(_ number: Int, in references: ArraySlice<UInt8>) throws(DocumentError) -> Int {
    let start = references.startIndex + number * table.referenceSize
    let object = references[start..<(start + table.referenceSize)].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    guard let object = Int(exactly: object) else { throw Self.damaged("invalid reference", at: start) }
    return object
  }

  private mutating func list(_ place: Int, _ depth: Int) throws(DocumentError) -> [PlainValue] {
    let (count, references) = try content(place, unit: table.referenceSize)
    var values: [PlainValue] = []
    for number in 0..<count { values.append(try value(try reference(number, in: references), depth: depth + 1)) }
    return values
  }

  private mutating func dictionary(_ place: Int, _ depth: Int) throws(DocumentError) -> [String: PlainValue] {
    // All keys come first, then all values.
    let (count, references) = try content(place, unit: 2 * table.referenceSize)
    var values: [String: PlainValue] = [:]
    for number in 0..<count {
      let keyPlace = try self.place(of: try reference(number, in: references))
      guard 0x50...0x6f ~= bytes[keyPlace] else { throw Self.damaged("a key is not a string", at: keyPlace) }
      let key = try text(keyPlace)
      guard values[key] == nil else { throw DocumentError("duplicate key \(key.quoted)") }
      values[key] = try value(try reference(count + number, in: references), depth: depth + 1)
    }
    return values
  }
}
