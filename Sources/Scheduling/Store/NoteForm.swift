// SPDX-License-Identifier: Apache-2.0
internal import SystemFiles

/// The stored form of a note: its checksum, the number of its texts, and these, each ended by a NUL. Not JSON, because
/// a notification waits for it.
enum NoteForm {
  private static let checksumSize = 4

  /// - Parameter texts: contain no NUL.
  static func bytes(of texts: [String]) -> [UInt8] {
    bytes(count: texts.count) { writer in for text in texts { writer.add(text) } }
  }

  /// - Parameter count: how many texts `write` adds.
  static func bytes(count: Int, _ write: (inout Writer) -> Void) -> [UInt8] {
    var writer = Writer()
    writer.add(Int64(count))
    write(&writer)
    var bytes = writer.bytes
    let checksum = checksum(bytes[checksumSize...])
    withUnsafeBytes(of: checksum.littleEndian) { for index in 0..<$0.count { bytes[index] = $0[index] } }
    return bytes
  }

  /// Writes values as texts without a `String` for each.
  struct Writer {
    fileprivate private(set) var bytes: [UInt8]

    fileprivate init() {
      bytes = []
      // As much as most notes need; for a larger block, the C library would first look through what was freed.
      bytes.reserveCapacity(800)
      for _ in 0..<checksumSize { bytes.append(0) }
    }

    mutating func add(_ text: String) {
      bytes.append(charactersOf: text)
      bytes.append(0)
    }

    mutating func add(_ number: Int64) {
      bytes.append(digitsOf: number)
      bytes.append(0)
    }

    mutating func add(_ state: ArmedState) {
      state.append(to: &bytes)
      bytes.append(0)
    }
  }

  /// The texts at the beginning of some bytes; nil if there are none, or damaged ones.
  static func texts(in bytes: [UInt8]) -> [String]? {
    var rest = bytes.dropFirst(checksumSize)
    func next() -> String? {
      guard let end = rest.firstIndex(of: 0) else { return nil }
      defer { rest = rest[(end + 1)...] }
      return String(decoding: rest[..<end], as: UTF8.self)
    }
    guard let count = next().flatMap({ Int($0) }), (1...bytes.count).contains(count) else { return nil }
    var texts: [String] = []
    for _ in 0..<count {
      guard let text = next() else { return nil }
      texts.append(text)
    }
    let checksum = checksum(bytes[checksumSize..<rest.startIndex])
    let isWhole = withUnsafeBytes(of: checksum.littleEndian) { $0.elementsEqual(bytes.prefix(checksumSize)) }
    return isWhole ? texts : nil
  }

  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var crc = CRC32()
    bytes.withUnsafeBytes { crc.add($0) }
    return crc.value
  }
}
