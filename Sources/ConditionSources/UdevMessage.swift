// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemFiles

/// A message of udev about a device, and an entry of its database. Both are formats of libudev.
struct UdevMessage {
  /// `add`, `change`, `remove` …
  let action: String
  /// The name of the device's file in the database.
  let name: String
  let properties: [String: String]

  /// The header is `libudev`, a magic number in network order, the sizes of the header and where the properties begin.
  private static let prefix = Array("libudev\0".utf8)
  private static let magic: [UInt8] = [0xfe, 0xed, 0xca, 0xfe]

  /// Parses a message; nil if it is another one. Only the kernel and root can send it.
  init?(_ bytes: ArraySlice<UInt8>) {
    let bytes = Array(bytes)
    guard bytes.count >= 24, bytes.starts(with: Self.prefix), Array(bytes[8..<12]) == Self.magic else { return nil }
    let (start, length) = (Self.number(bytes[16..<20]), Self.number(bytes[20..<24]))
    guard start >= 24, length >= 0, start <= bytes.count, length <= bytes.count - start else { return nil }
    var properties: [String: String] = [:]
    for part in bytes[start..<(start + length)].split(separator: 0) { Self.add(part, to: &properties) }
    guard let action = properties["ACTION"], let name = Self.name(properties) else { return nil }
    self.action = action
    self.name = name
    self.properties = properties
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    Int(bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) })
  }

  private static func add(_ line: ArraySlice<UInt8>, to properties: inout [String: String]) {
    guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { return }
    properties[String(decoding: line[..<equals], as: UTF8.self)] =
      String(decoding: line[line.index(after: equals)...], as: UTF8.self)
  }

  /// `b8:1` for a block device, `c189:1` for another one with a number, `n2` for a network card, else `+usb:1-1`.
  private static func name(_ properties: [String: String]) -> String? {
    guard let subsystem = properties["SUBSYSTEM"] else { return nil }
    if let major = properties["MAJOR"], let minor = properties["MINOR"], major != "0" {
      return (subsystem == "block" ? "b" : "c") + "\(major):\(minor)"
    }
    if let index = properties["IFINDEX"] { return "n" + index }
    return properties["DEVPATH"]?.split(separator: "/").last.map { "+\(subsystem):\($0)" }
  }

  /// The properties in an entry of the database: lines such as `E:ID_VENDOR=Yubico`.
  static func database(_ bytes: [UInt8]) -> [String: String] {
    var properties: [String: String] = [:]
    for line in bytes.split(separator: UInt8(ascii: "\n")) where line.starts(with: Array("E:".utf8)) {
      add(line.dropFirst(2), to: &properties)
    }
    return properties
  }

  /// A socket that gets udev's messages, after udev has handled the kernel's.
  static func socket() throws(Errno) -> Int32 {
    // The constants of linux/netlink.h, which Swift's Glibc module leaves out.
    let (netlink, deviceEvents, groupOfUdev): (Int32, Int32, UInt32) = (16, 15, 2)
    let descriptor = Glibc.socket(
      netlink, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), deviceEvents)
    guard descriptor >= 0 else { throw .current }
    // struct sockaddr_nl: the family and padding, the id of the port (chosen by the kernel), the groups.
    var address: (UInt16, UInt16, UInt32, UInt32) = (UInt16(netlink), 0, 0, groupOfUdev)
    let isBound = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, 12) == 0 }
    }
    guard isBound else {
      let error = Errno.current
      close(descriptor)
      throw error
    }
    return descriptor
  }
}
