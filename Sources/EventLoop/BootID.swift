// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Tells one start of the machine from another: clocks that count from it begin anew.
public struct BootID: Hashable, Sendable, CustomStringConvertible {
  /// As the kernel writes it: `cfac79c0-49c9-49e6-bb6a-73bd6c655e3f`.
  public let text: String

  /// One that was kept.
  public init(_ text: String) { self.text = text }

  /// Of this start; nil where `/proc` is not there.
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
