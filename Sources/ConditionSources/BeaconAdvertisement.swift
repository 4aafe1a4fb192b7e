// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import NotificationModel
internal import Scheduling

/// What an iBeacon sends.
struct BeaconAdvertisement {
  private let uuid: String
  private let major: Int
  private let minor: Int

  /// The number of its maker, and how such data begins.
  private static let maker: UInt16 = 0x004C
  private static let opening: [UInt8] = [0x02, 0x15]

  /// From the property `ManufacturerData` of a device; nil if it is no beacon.
  init?(_ data: Value) {
    guard case .dictionary(let dictionary) = data,
      let entry = dictionary.entries.first(where: { $0.key.integer == Int64(Self.maker) })
    else { return nil }
    var value = entry.value
    if case .variant(let inside) = value { value = inside }
    guard case .bytes(let bytes) = value, bytes.count >= 22, bytes.starts(with: Self.opening) else { return nil }
    let hex = bytes[2..<18].map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return digits.count < 2 ? "0" + digits : digits
    }
    let groups = [hex[0..<4], hex[4..<6], hex[6..<8], hex[8..<10], hex[10..<16]]
    uuid = groups.map { $0.joined() }.joined(separator: "-")
    major = Int(bytes[18]) << 8 | Int(bytes[19])
    minor = Int(bytes[20]) << 8 | Int(bytes[21])
  }

  func isOf(_ beacon: Condition.Beacon) -> Bool {
    beacon.uuid == uuid && (beacon.major ?? major) == major && (beacon.minor ?? minor) == minor
  }

  /// The values of `{event.KEY}`.
  var event: EventDetails { ["uuid": uuid, "major": "\(major)", "minor": "\(minor)"] }

  /// How the data of a beacon begin, with the number of their maker.
  static func opening(of beacon: Condition.Beacon) -> [UInt8] {
    let digits = beacon.uuid.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    var bytes = [UInt8(truncatingIfNeeded: maker), UInt8(truncatingIfNeeded: maker >> 8)] + opening
    for index in stride(from: 0, to: digits.count - 1, by: 2) {
      bytes.append(UInt8(digits[index] << 4 | digits[index + 1]))
    }
    guard let major = beacon.major else { return bytes }
    bytes += big(major)
    if let minor = beacon.minor { bytes += big(minor) }
    return bytes
  }

  private static func big(_ number: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
  }
}
