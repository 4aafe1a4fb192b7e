// SPDX-License-Identifier: Apache-2.0
internal import SystemFiles

/// Tells one start of the machine from another: clocks that count from it begin anew.
public struct BootID: Hashable, Sendable, CustomStringConvertible {
  /// As the kernel writes it: `cfac79c0-49c9-49e6-bb6a-73bd6c655e3f`.
  public let text: String

  /// One that was kept.
  public init(_ text: String) { self.text = text }

  /// Of this start; nil where `/proc` is not there.
  public static let current: BootID? = {
    guard let bytes = try? RegularFile.read("/proc/sys/kernel/random/boot_id", limit: 64) else { return nil }
    let text = String(decoding: bytes.prefix { $0 > 32 }, as: UTF8.self)
    return text.isEmpty ? nil : BootID(text)
  }()

  /// The text.
  public var description: String { text }
}
