// SPDX-License-Identifier: Apache-2.0

/// Writes a valid or invalid time zone file for a test.
struct ZoneFileBytes {
  var version: Character = "2"
  var changes: [(time: Int64, type: UInt8)] = []
  var types: [(offset: Int32, isDaylight: UInt8, letters: UInt8)] = [(0, 0, 0)]
  var letters = "UTC\0"
  var leapSeconds: [(time: Int64, sum: Int32)] = []
  var standard: [UInt8] = []
  var universal: [UInt8] = []
  var footer = "\nUTC0\n"

  /// The whole file: version 1 has one block with 32-bit times; later versions an empty one and a second with 64-bit
  /// times.
  var bytes: [UInt8] {
    if version == "1" { return header() + data(Int32.self) }
    let empty = ZoneFileBytes(version: version)
    return empty.header() + empty.data(Int32.self) + header() + data(Int64.self) + Array(footer.utf8)
  }

  private func header() -> [UInt8] {
    var bytes = Array("TZif".utf8) + (version == "1" ? [0] : Array(String(version).utf8))
    bytes += [UInt8](repeating: 0, count: 15)
    for count in [universal.count, standard.count, leapSeconds.count, changes.count, types.count, letters.utf8.count] {
      bytes += Self.bigEndian(UInt32(count))
    }
    return bytes
  }

  private func data<Time: FixedWidthInteger>(_: Time.Type) -> [UInt8] {
    var bytes = changes.flatMap { Self.bigEndian(Time($0.time)) } + changes.map(\.type)
    for type in types { bytes += Self.bigEndian(type.offset) + [type.isDaylight, type.letters] }
    bytes += Array(letters.utf8)
    for leap in leapSeconds { bytes += Self.bigEndian(Time(leap.time)) + Self.bigEndian(leap.sum) }
    return bytes + standard + universal
  }

  private static func bigEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }
}
