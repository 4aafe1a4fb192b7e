// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Identifies one start of the machine: clocks that count from the start begin again with the next.
public struct BootID: Hashable, Sendable, CustomStringConvertible {
  /// The kernel's text: `cfac79c0-49c9-49e6-bb6a-73bd6c655e3f`.
  public let text: String

  /// Creates a stored id.
  public init(_ text: String) { self.text = text }

  /// Reads the id of the current start; nil without `/proc`.
  public static let current: BootID? = {
    let file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    let bytes = [UInt8](unsafeUninitializedCapacity: 64) { $1 = max(0, read(file, $0.baseAddress, $0.count)) }
    let text = String(decoding: bytes.prefix { $0 > 32 }, as: UTF8.self)
    return text.isEmpty ? nil : BootID(text)
  }()

  /// The text.
  public var description: String { text }
}
