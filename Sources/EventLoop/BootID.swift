// SPDX-License-Identifier: Apache-2.0
internal import SystemFiles

/// Identifies one start of the machine: clocks that count from the start begin again with the next.
public struct BootID: Hashable, Sendable, CustomStringConvertible {
  /// The kernel's text: `cfac79c0-49c9-49e6-bb6a-73bd6c655e3f`.
  public let text: String

  /// Creates a stored id.
  public init(_ text: String) { self.text = text }

  /// Reads the id of the current start; nil without `/proc`.
  public static let current: BootID? = {
    guard let bytes = try? RegularFile.read("/proc/sys/kernel/random/boot_id", limit: 64) else { return nil }
    let text = String(decoding: bytes.prefix { $0 > 32 }, as: UTF8.self)
    return text.isEmpty ? nil : BootID(text)
  }()

  /// The text.
  public var description: String { text }
}
