// SPDX-License-Identifier: Apache-2.0
package import SystemFiles

/// A random id of this user on this machine, by which servers and other desktops recognize its messages.
package struct DeviceID: Hashable, Sendable {
  /// 16 hexadecimal digits.
  package let text: String

  /// Reads the id in the folder of the states, and makes one if there is none.
  package init(in folders: LinkFolders) throws(FileError) {
    let path = "\(folders.states)/device"
    if let bytes = try? RegularFile.read(path, limit: 64), let text = Self.text(of: bytes) {
      self.text = text
      return
    }
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    text = String(repeating: "0", count: 16 - digits.count) + digits
    try AtomicFile(path).write((text + "\n").utf8)
  }

  private static func text(of bytes: [UInt8]) -> String? {
    let digits = bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...]
    guard digits.count == 16, digits.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }) else {
      return nil
    }
    return String(decoding: digits, as: UTF8.self)
  }
}
