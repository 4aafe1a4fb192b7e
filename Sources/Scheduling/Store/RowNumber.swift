// SPDX-License-Identifier: Apache-2.0

/// The number of a row in the store: greater than those of all earlier rows of its kind, and never used again.
public struct RowNumber<Row>: Hashable, Sendable {
  /// The number, from 1 on.
  public let value: Int64

  /// The row with this number.
  @inlinable
  public init(_ value: Int64) { self.value = value }
}

extension RowNumber: Comparable {
  /// Whether the left row is older.
  @inlinable
  public static func < (left: Self, right: Self) -> Bool { left.value < right.value }
}

extension RowNumber: CustomStringConvertible {
  /// The number.
  public var description: String { String(value) }
}

extension RowNumber {
  /// Before all rows.
  static var none: Self { Self(0) }

  /// Counts on, and returns the number of a new row.
  mutating func next() -> Self {
    self = Self(value + 1)
    return self
  }
}

extension StoredRequest {
  /// Identifies a request in the form that it was stored in; one that replaces it has another.
  public typealias Revision = RowNumber<StoredRequest>
}

extension DeliveryRecord {
  /// Identifies a delivery.
  public typealias Number = RowNumber<DeliveryRecord>
}

extension ResponseRecord {
  /// Identifies a response.
  public typealias Number = RowNumber<ResponseRecord>
}

extension OutgoingRecord {
  /// Identifies a message to a server elsewhere.
  public typealias Number = RowNumber<OutgoingRecord>
}

extension SQLValue {
  init<Row>(_ number: RowNumber<Row>) { self = .integer(number.value) }
  init<Row>(_ number: RowNumber<Row>?) { self = number.map { .integer($0.value) } ?? .null }
}
