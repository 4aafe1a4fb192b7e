// SPDX-License-Identifier: Apache-2.0

/// A value of an SQLite column.
enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  init(_ integer: Int64?) { self = integer.map { .integer($0) } ?? .null }
  init(_ text: String?) { self = text.map { .text($0) } ?? .null }

  var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }
  var text: String? { if case .text(let text) = self { text } else { nil } }
}

extension SQLValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByNilLiteral {
  init(integerLiteral integer: Int64) { self = .integer(integer) }
  init(stringLiteral text: String) { self = .text(text) }
  init(nilLiteral: ()) { self = .null }
}
