// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import SystemFiles

/// What a source tells of an event: the values of `{event.KEY}`, each key once.
///
/// Not a dictionary: a notification waits until the details are complete, and there are few of them, which are rarely
/// looked up.
public struct EventDetails: Sendable {
  /// The value of a key.
  public struct Entry: Hashable, Sendable {
    /// The key.
    public let key: String
    /// The value.
    public let text: String
  }

  /// The values in the order in which they were added.
  public private(set) var entries: [Entry] = []

  /// No values, and room for some.
  public init(capacity: Int = 0) { entries.reserveCapacity(capacity) }

  /// The values of a dictionary.
  public init(_ values: [String: String]) { entries = values.map { Entry(key: $0, text: $1) } }

  /// Whether there are no values.
  public var isEmpty: Bool { entries.isEmpty }

  /// The value of a key; nil if there is none.
  public subscript(key: String) -> String? { entries.first { $0.key == key }?.text }

  /// Adds a value. The key must be a new one.
  public mutating func add(_ key: String, _ text: String) {
    assert(self[key] == nil, "an event has the key \(key) twice")
    entries.append(Entry(key: key, text: text))
  }

  /// The values as a dictionary.
  public var dictionary: [String: String] { [String: String](entries.map { ($0.key, $0.text) }) { $1 } }
}

extension EventDetails {
  private static let most = 80

  /// The details in the form that is stored: short texts.
  var bounded: EventDetails {
    let isShort = entries.allSatisfy { $0.text.utf8.count <= EventText.longestValue && !$0.text.holdsNUL }
    // Nearly always so.
    if isShort, entries.count <= Self.most { return self }
    var bounded = EventDetails()
    for entry in entries.sorted(by: { $0.key < $1.key }).prefix(Self.most) {
      let bytes = entry.text.utf8.prefix(EventText.longestValue)
      bounded.add(entry.key, String(decoding: bytes.filter { $0 != 0 }, as: UTF8.self))
    }
    return bounded
  }
}

/// Equal if they have the same values, in any order.
extension EventDetails: Hashable {
  /// Compares the values.
  public static func == (left: EventDetails, right: EventDetails) -> Bool { left.dictionary == right.dictionary }

  /// Hashes the values.
  public func hash(into hasher: inout Hasher) { hasher.combine(dictionary) }
}

extension EventDetails: ExpressibleByDictionaryLiteral {
  /// The values of a literal.
  public init(dictionaryLiteral elements: (String, String)...) {
    entries = elements.map { Entry(key: $0, text: $1) }
  }
}
