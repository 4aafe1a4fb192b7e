// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
public import NotificationModel

extension Center {
  /// Lists requests that are not on the screen yet, the next one first; without an app, of all apps.
  ///
  /// Returns at most `limit` rows from `offset` on. The answer may be shorter, because pages are limited in bytes as
  /// well: continue at `offset` plus the number of rows received, until an answer is empty.
  public func pending(app: String = "", offset: Int = 0, limit: Int = 100) async throws(SuzuError) -> [ListedRequest] {
    try await list(CenterMethods.pending, app, offset, limit)
  }

  /// Lists notifications on the screen, or in the server's list.
  public func delivered(app: String = "", offset: Int = 0, limit: Int = 100) async throws(SuzuError) -> [ListedRequest]
  {
    try await list(CenterMethods.delivered, app, offset, limit)
  }

  /// Lists past notifications, the latest first.
  public func history(app: String = "", offset: Int = 0, limit: Int = 100) async throws(SuzuError) -> [ListedRequest] {
    try await list(CenterMethods.history, app, offset, limit)
  }

  /// Deletes what has ended from the history of an app, or of all apps; returns how many notifications that were. What
  /// is pending or on the screen stays.
  ///
  /// - Parameter end: deletes only what ended before this moment, in seconds since 1970.
  @discardableResult
  public func clearHistory(app: String, before end: Int64? = nil) async throws(SuzuError) -> Int {
    Int(try await call(CenterMethods.clearHistory, app, end ?? 0))
  }

  /// The pending request with that id, and its dates that have come, the latest first: each says in ``ListedRequest/why``
  /// why it came, came late or did not come. Returns at most `limit` of the dates; an unknown id has none.
  public func reasons(
    _ id: String, app: String = NotificationRequest.defaultApp, limit: Int = 10
  ) async throws(SuzuError) -> [ListedRequest] {
    try await call(CenterMethods.why, app, id, UInt32(clamping: limit)).map(Self.row)
  }

  static func row(_ properties: Properties) -> ListedRequest {
    ListedRequest(properties.values.compactMapValues(PlainValue.init))
  }

  private func list(
    _ method: CenterMethods.Listing, _ app: String, _ offset: Int, _ limit: Int
  ) async throws(SuzuError) -> [ListedRequest] {
    try await call(method, app, UInt32(clamping: offset), UInt32(clamping: limit))
      .map(Self.row)
  }

  /// Returns the next dates of a request, in seconds since 1970, without storing it.
  public func next(_ request: NotificationRequest, count: Int = 1) async throws(SuzuError) -> [Int64] {
    try await call(CenterMethods.next, encoded(request), UInt32(clamping: count))
  }
}
