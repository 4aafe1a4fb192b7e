// SPDX-License-Identifier: Apache-2.0

/// Finds rows of our tables in pages without relying on the tree above them; a row is valid if its checksum is correct.
struct RowReader {
  private let images: PageImages
  private let tables: [Int: [Table]]
  /// A request is at most 256 KiB; none of our rows is longer than a few of them.
  private static let longestRow = 4 << 20

  /// A row, without its checksum.
  struct Found {
    let table: Table
    let values: [SQLValue]
  }

  init(_ images: PageImages) {
    self.images = images
    // A row has as many values as its table had columns when it was written.
    tables = Table.ever.reduce(into: [:]) { tables, table in
      for count in table.fewestColumns...table.columns.count { tables[count + 1, default: []].append(table) }
    }
  }

  /// Every row of every page; of a changed row, the newest version comes last.
  func forEachRow(_ body: (Found) throws(StoreError) -> Void) throws(StoreError) {
    for page in images.pages {
      for image in images.images(of: page) {
        for offset in Self.cells(of: image, isFirst: page == 1) {
          if let found = row(in: image, at: offset) { try body(found) }
        }
      }
    }
  }

  /// Where rows may begin: at the cells of a table leaf, nowhere in other pages, and anywhere in a damaged page.
  private static func cells(of page: [UInt8], isFirst: Bool) -> [Int] {
    let start = isFirst ? 100 : 0
    let kind = page[start]
    let count = Int(page[start + 3]) << 8 | Int(page[start + 4])
    let isLeaf = kind == 0x0D || kind == 0x0A
    let pointers = start + (isLeaf ? 8 : 12)
    guard [0x02, 0x05, 0x0A, 0x0D].contains(kind), pointers + 2 * count <= page.count else {
      return Array(0..<page.count - 4)
    }
    let offsets = (0..<count).map { Int(page[pointers + 2 * $0]) << 8 | Int(page[pointers + 2 * $0 + 1]) }
    let areSane =
      offsets.allSatisfy { $0 >= pointers + 2 * count && $0 < page.count - 3 } && Set(offsets).count == count
    // A page with a count of 0 may be damaged: search it as well.
    guard areSane, count > 0 else { return Array(0..<page.count - 4) }
    return kind == 0x0D ? offsets : []
  }

  private func row(in page: [UInt8], at offset: Int) -> Found? {
    var position = offset
    guard let length = varint(page, &position), length >= 8, length <= Self.longestRow,
      let key = varint(page, &position), position < page.count
    else { return nil }
    // The header length of our rows fits in one byte.
    let headerLength = Int(page[position])
    guard headerLength > 3, headerLength < 128, headerLength < length else { return nil }
    // The checksum is an integer, and the key column is stored as null: few bytes look like both.
    guard position + 2 < page.count, (1...9).contains(page[position + 1]), page[position + 2] == 0 else { return nil }
    guard let payload = payload(Int(length), in: page, at: position, headerLength: headerLength) else { return nil }
    guard let values = Self.values(payload, headerLength: headerLength), let crc = values[0].integer, values[1] == .null
    else { return nil }
    let row = [.integer(key)] + values.dropFirst(2)
    for table in tables[values.count] ?? [] where table.matches(crc, row) {
      let missing = [SQLValue](repeating: .null, count: table.columns.count - row.count)
      return Found(table: table, values: row + missing)
    }
    return nil
  }

  /// The bytes of a record, including its overflow pages.
  private func payload(_ length: Int, in page: [UInt8], at start: Int, headerLength: Int) -> [UInt8]? {
    let usable = PageImages.pageSize
    let mostLocal = usable - 35
    if length <= mostLocal {
      return start + length <= usable ? Array(page[start..<start + length]) : nil
    }
    let leastLocal = (usable - 12) * 32 / 255 - 23
    let surplus = leastLocal + (length - leastLocal) % (usable - 4)
    let local = surplus <= mostLocal ? surplus : leastLocal
    guard start + local + 4 <= usable, headerLength <= local else { return nil }
    // Check whether it can be a record before reading pages for it.
    guard Self.lengths(page[start..<start + headerLength])?.reduce(headerLength, +) == length else { return nil }
    var bytes = Array(page[start..<start + local])
    var next = Int(page.bigEndian(at: start + local))
    while bytes.count < length {
      guard next > 0, let overflow = images.images(of: next).last else { return nil }
      bytes += overflow[4..<min(usable, 4 + length - bytes.count)]
      next = Int(overflow.bigEndian(at: 0))
    }
    return bytes
  }

  /// The total length of the values, from a record's header; nil if the header is invalid.
  private static func lengths(_ header: ArraySlice<UInt8>) -> [Int]? {
    types(Array(header))?.map { type in
      switch type {
      case 0, 8, 9: 0
      case 1...4: Int(type)
      case 5: 6
      case 6, 7: 8
      default: Int(type - 12) / 2
      }
    }
  }

  private static func types(_ header: [UInt8]) -> [Int64]? {
    var types: [Int64] = []
    var position = 1
    while position < header.count {
      guard let type = varint(header, &position), type != 10, type != 11, type >= 0, type < 1 << 40 else { return nil }
      types.append(type)
    }
    return position == header.count && types.count > 2 ? types : nil
  }

  private static func values(_ record: [UInt8], headerLength: Int) -> [SQLValue]? {
    let header = Array(record[..<headerLength])
    guard let types = types(header), let lengths = lengths(header[...]),
      lengths.reduce(headerLength, +) == record.count
    else { return nil }
    var position = headerLength
    return zip(types, lengths).map { type, length in
      defer { position += length }
      let bytes = record[position..<position + length]
      return switch type {
      case 0: .null
      case 8: 0
      case 9: 1
      case 1...6: .integer(bytes.dropFirst().reduce(Int64(Int8(bitPattern: bytes[position]))) { $0 << 8 | Int64($1) })
      case 7: .real(Double(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) }))
      case let type where type % 2 == 0: .blob(Array(bytes))
      default: .text(String(decoding: bytes, as: UTF8.self))
      }
    }
  }
}

/// Integers of SQLite with 1 to 9 bytes, seven bits in each but the ninth; nil at the end of the bytes.
func varint(_ bytes: [UInt8], _ position: inout Int) -> Int64? {
  var value: UInt64 = 0
  for index in 0..<9 {
    guard position < bytes.count else { return nil }
    let byte = bytes[position]
    position += 1
    if index == 8 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
    value = value << 7 | UInt64(byte & 0x7F)
    if byte < 128 { break }
  }
  return Int64(bitPattern: value)
}
