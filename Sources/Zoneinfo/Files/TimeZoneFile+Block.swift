// SPDX-License-Identifier: Apache-2.0

extension TimeZoneFile {
  /// The header of a data block: the version and the lengths of its tables.
  struct Header {
    let version: Int
    let universalIndicators, standardIndicators, leapSeconds, changes, types, letters: Int

    static let size = 44

    init(_ reader: inout ByteReader) throws(ZoneError) {
      try reader.require(Self.size, for: "a header")
      guard reader.bytes(4).elementsEqual("TZif".utf8) else {
        throw .damaged("not a time zone file: 'TZif' is missing at byte \(reader.place - 4)")
      }
      switch reader.byte() {
      case 0: version = 1
      case UInt8(ascii: "2"): version = 2
      case UInt8(ascii: "3"): version = 3
      case UInt8(ascii: "4")...UInt8(ascii: "9"): version = 4
      case let other: throw .damaged("its version is \(other), which is not a digit")
      }
      reader.skip(15)  // reserved
      universalIndicators = Int(reader.integer(UInt32.self))
      standardIndicators = Int(reader.integer(UInt32.self))
      leapSeconds = Int(reader.integer(UInt32.self))
      changes = Int(reader.integer(UInt32.self))
      types = Int(reader.integer(UInt32.self))
      letters = Int(reader.integer(UInt32.self))
    }

    /// Six 32-bit numbers, none multiplied by more than 12: this cannot overflow.
    func blockSize(timeSize: Int) -> Int {
      changes * (timeSize + 1) + types * 6 + letters + leapSeconds * (timeSize + 4) + standardIndicators
        + universalIndicators
    }

    func check() throws(ZoneError) {
      guard 1...256 ~= types else { throw .damaged("it has \(types) local time types; 1 to 256 are allowed") }
      guard letters > 0 else { throw .damaged("it has no abbreviations") }
      guard universalIndicators == 0 || universalIndicators == types else {
        throw .damaged("it has \(universalIndicators) UT indicators for \(types) local time types")
      }
      guard standardIndicators == 0 || standardIndicators == types else {
        throw .damaged("it has \(standardIndicators) standard indicators for \(types) local time types")
      }
    }
  }

  /// A data block, in the order of the file.
  struct Block {
    let changes: [Change]
    let types: [LocalTimeType]
    let leapSeconds: [LeapSecond.Record]

    init(_ reader: inout ByteReader, _ header: Header, timeSize: Int) throws(ZoneError) {
      try header.check()
      try reader.require(header.blockSize(timeSize: timeSize), for: "the data")
      changes = try Self.changes(&reader, header, timeSize)
      types = try Self.types(&reader, header)
      leapSeconds = try LeapSecond.Record.read(&reader, header.leapSeconds, version: header.version, timeSize: timeSize)
      try Self.checkIndicators(&reader, header)
    }

    private static func changes(_ reader: inout ByteReader, _ header: Header, _ timeSize: Int) throws(ZoneError)
      -> [Change]
    {
      var times: [Int64] = []
      times.reserveCapacity(header.changes)
      for index in 0..<header.changes {
        let time = reader.time(timeSize)
        if let last = times.last, time <= last {
          throw .damaged("its transition \(index) is not later than the previous one")
        }
        times.append(time)
      }
      var changes: [Change] = []
      changes.reserveCapacity(header.changes)
      for (index, time) in times.enumerated() {
        let type = reader.byte()
        guard type < header.types else {
          throw .damaged("its transition \(index) is to local time \(type), which does not exist")
        }
        changes.append(Change(seconds: time, type: type))
      }
      return changes
    }

    private static func types(_ reader: inout ByteReader, _ header: Header) throws(ZoneError) -> [LocalTimeType] {
      let records = reader.bytes(header.types * 6)
      let letters = reader.bytes(header.letters)
      var record = ByteReader(Array(records))
      var types: [LocalTimeType] = []
      types.reserveCapacity(header.types)
      for index in 0..<header.types {
        let seconds = record.integer(Int32.self)
        guard let offset = UTCOffset(seconds: Int(seconds)) else {
          throw .damaged("its local time \(index) is \(seconds) seconds from UTC, which is out of range")
        }
        let isDaylight = record.byte()
        guard isDaylight <= 1 else {
          throw .damaged("its local time \(index) has \(isDaylight) for daylight saving, not 0 or 1")
        }
        let rest = letters.dropFirst(Int(record.byte()))
        guard let end = rest.firstIndex(of: 0) else {
          throw .damaged("its local time \(index) has an unterminated abbreviation")
        }
        let abbreviation = rest[..<end]
        guard abbreviation.allSatisfy({ 0x21...0x7E ~= $0 }) else {
          throw .damaged("its local time \(index) has an abbreviation that is not text")
        }
        types.append(
          LocalTimeType(
            offset: offset, isDaylight: isDaylight == 1, abbreviation: String(decoding: abbreviation, as: UTF8.self)))
      }
      return types
    }

    /// The indicators serve only old rules without dates; they are checked because invalid ones reveal a damaged file.
    private static func checkIndicators(_ reader: inout ByteReader, _ header: Header) throws(ZoneError) {
      let standard = reader.bytes(header.standardIndicators)
      let universal = reader.bytes(header.universalIndicators)
      guard standard.allSatisfy({ $0 <= 1 }), universal.allSatisfy({ $0 <= 1 }) else {
        throw .damaged("it has an indicator that is neither 0 nor 1")
      }
      for (place, isUniversal) in universal.enumerated() where isUniversal == 1 {
        guard !standard.isEmpty, standard[standard.startIndex + place] == 1 else {
          throw .damaged("its local time \(place) is UT but not standard")
        }
      }
    }
  }
}

extension ByteReader {
  mutating func time(_ size: Int) -> Int64 {
    size == 8 ? integer(Int64.self) : Int64(integer(Int32.self))
  }
}
