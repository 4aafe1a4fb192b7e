// SPDX-License-Identifier: Apache-2.0

/// The keys that a dictionary of a request may have.
struct KnownKeys: Sendable {
  /// Those of a request have a bit each, so that a group of absent keys takes one comparison.
  private let bits: [String: UInt64]

  init(_ keys: some Sequence<String>) { bits = Dictionary(keys.map { ($0, 0) }) { first, _ in first } }

  init(_ keys: [NotificationRequest.Key]) {
    bits = Dictionary(uniqueKeysWithValues: keys.map { ($0.rawValue, Self.bits(of: [$0])) })
  }

  /// The bits of some keys of a request.
  static func bits(of keys: [NotificationRequest.Key]) -> UInt64 {
    NotificationRequest.Key.allCases.enumerated().reduce(0) { bits, key in
      keys.contains(key.element) ? bits | 1 << key.offset : bits
    }
  }

  /// The bit of a key; 0 if it has none, and nil if it is not known.
  func bit(of key: String) -> UInt64? { bits[key] }

  func contains(_ key: String) -> Bool { bits[key] != nil }
  var names: some Sequence<String> { bits.keys }
}
