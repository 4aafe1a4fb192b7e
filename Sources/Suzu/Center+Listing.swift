// SPDX-License-Identifier: Apache-2.0
internal import DBus
public import NotificationModel

extension Center {
  /// Lists requests that are not on the screen yet, the next one first; without an app, of all apps.
  ///
  /// Returns at most `limit` rows from `offset` on. The answer may be shorter, because pages are limited in bytes as
  /// well: continue at `offset` plus the number of rows received, until an answer is empty.
  public func pending(app: String = "", offset: Int = 0, limit: Int = 100) async throws(SuzuError) -> [Listed] {
    try await list("Pending", app, offset, limit)
  }

  /// Lists notifications on the screen, or in the server's list.
  public func delivered(app: String = "", offset: Int = 0, limit: Int = 100) async throws(SuzuError) -> [Listed] {
    try await list("Delivered", app, offset, limit)
  }

  /// Lists past notifications, the latest first.
  public func history(app: String = "", offset: Int = 0, limit: Int = 100) async throws(SuzuError) -> [Listed] {
    try await list("History", app, offset, limit)
  }

  private func list(
    _ member: MemberName, _ app: String, _ offset: Int, _ limit: Int
  ) async throws(SuzuError) -> [Listed] {
    let range: [Value] = [.uint32(UInt32(clamping: offset)), .uint32(UInt32(clamping: limit))]
    guard let rows = try await call(member, [.string(app)] + range).first?.elements else {
      throw SuzuError(.unavailable, "the center answered '\(member)' without a list")
    }
    return rows.compactMap { row in row.properties.map { Listed($0.compactMapValues(PlainValue.init)) } }
  }

  /// Returns the next dates of a request, in seconds since 1970, without storing it.
  public func next(_ request: NotificationRequest, count: Int = 1) async throws(SuzuError) -> [Int64] {
    guard let dates = try await call("Next", [encoded(request), .uint32(UInt32(clamping: count))]).first?.elements
    else { throw SuzuError(.unavailable, "the center answered 'Next' without dates") }
    return dates.compactMap(\.integer)
  }
}

extension PlainValue {
  /// Converts the center's rows; values that a request cannot contain are dropped.
  ///
  /// Without `Codable`, because listings may have a million rows.
  init?(_ value: Value) {
    switch value {
    case .string(let text): self = .text(text)
    case .boolean(let flag): self = .flag(flag)
    case .double(let number): self = .number(number)
    case .variant(let value): self.init(value)
    case .array(_, let values): self = .list(values.compactMap(PlainValue.init))
    case .bytes(let bytes): self = .list(bytes.map { .integer(Int64($0)) })
    case .dictionary(let dictionary):
      var values: [String: PlainValue] = [:]
      for entry in dictionary.entries {
        guard case .string(let key) = entry.key else { return nil }
        values[key] = PlainValue(entry.value)
      }
      self = .dictionary(values)
    default:
      guard let integer = value.integer else { return nil }
      self = .integer(integer)
    }
  }
}
