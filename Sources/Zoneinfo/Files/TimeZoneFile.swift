// SPDX-License-Identifier: Apache-2.0

/// What is written in a time zone's file ([RFC 9636](https://www.rfc-editor.org/rfc/rfc9636), which replaced RFC 8536).
///
/// All of it is checked: one that exists is whole, in order, and refers to nothing that is not there.
public struct TimeZoneFile: Sendable {
  /// A change of local time.
  struct Change {
    /// Without leap seconds, as POSIX counts, also where the file has them.
    let seconds: Int64
    let type: UInt8
  }

  /// 1 to 4; whatever is newer is read as 4, so that an update of tzdata does not silence anybody's alarms.
  public let version: Int
  /// The sum of leap seconds from each of these moments on; empty but for the zones under `right/`.
  public let leapSeconds: [LeapSecond]
  /// Until when ``leapSeconds`` are known; only version 4 may say.
  public let leapSecondsExpire: Instant?
  /// The rule for the time after the last change, in the form of POSIX; nil where there is none.
  public let footer: String?

  /// At least one; the first is in force before the first change.
  let types: [LocalTimeType]
  let changes: [Change]

  /// The largest in use have 4 KiB.
  static let sizeLimit = 1 << 20

  /// Reads the whole file's bytes.
  public init(_ bytes: [UInt8]) throws(ZoneError) {
    guard bytes.count <= Self.sizeLimit else { throw .damaged("it is larger than any time zone") }
    var reader = ByteReader(bytes)
    var header = try Header(&reader)
    version = header.version
    if version > 1 {
      // The first block has 32 bits to a time, for readers older than all of us.
      try reader.require(header.blockSize(timeSize: 4), for: "the block of version 1")
      reader.skip(header.blockSize(timeSize: 4))
      header = try Header(&reader)
      guard header.version == version else {
        throw .damaged("it says version \(version) in front and version \(header.version) in the middle")
      }
    }
    let block = try Block(&reader, header, timeSize: version > 1 ? 8 : 4)
    types = block.types
    changes = try LeapSecond.remove(block.leapSeconds, from: block.changes)
    leapSeconds = try LeapSecond.posix(block.leapSeconds)
    leapSecondsExpire = LeapSecond.expiry(block.leapSeconds)
    footer = version > 1 ? try Self.footer(&reader) : nil
    guard reader.left == 0 else { throw .damaged("something follows after its end, at byte \(reader.place)") }
  }

  /// A line of its own: the newline in front of it is part of the form.
  private static func footer(_ reader: inout ByteReader) throws(ZoneError) -> String? {
    let line = reader.bytes(reader.left)
    let newline = UInt8(ascii: "\n")
    guard line.count >= 2, line.first == newline, line.last == newline else {
      throw .damaged("its last line, the rule for the future, is missing or cut short")
    }
    let text = line.dropFirst().dropLast()
    guard text.allSatisfy({ 0x20...0x7E ~= $0 }) else {
      throw .damaged("its last line, the rule for the future, is not text")
    }
    return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
  }
}
