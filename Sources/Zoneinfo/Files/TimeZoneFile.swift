// SPDX-License-Identifier: Apache-2.0

/// A parsed time zone file ([RFC 9636](https://www.rfc-editor.org/rfc/rfc9636), which replaced RFC 8536).
///
/// Every value is fully checked: complete, in order, and without dangling references.
public struct TimeZoneFile: Sendable {
  /// A change of local time.
  struct Change {
    /// POSIX seconds, without leap seconds, even if the file counts them.
    let seconds: Int64
    let type: UInt8
  }

  /// The version 1 to 4; newer ones are read as 4, so that an update of tzdata does not break alarms.
  public let version: Int
  /// The leap seconds; empty except for zones under `right/`.
  package let leapSeconds: [LeapSecond]
  /// The expiry date of ``leapSeconds``; only in version 4.
  package let leapSecondsExpire: Instant?
  /// The POSIX rule for the time after the last change; nil if there is none.
  package let footer: String?

  /// At least one; the first applies before the first change.
  let types: [LocalTimeType]
  let changes: [Change]

  /// The size limit; the largest files in use have 4 KiB.
  static let sizeLimit = 1 << 20

  /// Parses the bytes of a file.
  public init(_ bytes: [UInt8]) throws(ZoneError) {
    guard bytes.count <= Self.sizeLimit else { throw .damaged("it is larger than any time zone file") }
    var reader = ByteReader(bytes)
    var header = try Header(&reader)
    version = header.version
    if version > 1 {
      // The first block has 32-bit times, for old readers.
      try reader.require(header.blockSize(timeSize: 4), for: "the block of version 1")
      reader.skip(header.blockSize(timeSize: 4))
      header = try Header(&reader)
      guard header.version == version else {
        throw .damaged("its first header has version \(version), its second version \(header.version)")
      }
    }
    let block = try Block(&reader, header, timeSize: version > 1 ? 8 : 4)
    types = block.types
    changes = try LeapSecond.remove(block.leapSeconds, from: block.changes)
    leapSeconds = try LeapSecond.posix(block.leapSeconds)
    leapSecondsExpire = LeapSecond.expiry(block.leapSeconds)
    footer = version > 1 ? try Self.footer(&reader) : nil
    guard reader.left == 0 else { throw .damaged("unexpected data after its end, at byte \(reader.place)") }
  }

  /// Parses the last line, whose leading newline is required.
  private static func footer(_ reader: inout ByteReader) throws(ZoneError) -> String? {
    let line = reader.bytes(reader.left)
    let newline = UInt8(ascii: "\n")
    guard line.count >= 2, line.first == newline, line.last == newline else {
      throw .damaged("its footer, the rule for the future, is missing or cut short")
    }
    let text = line.dropFirst().dropLast()
    guard text.allSatisfy({ 0x20...0x7E ~= $0 }) else {
      throw .damaged("its footer, the rule for the future, is not text")
    }
    return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
  }
}
