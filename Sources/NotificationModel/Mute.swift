// SPDX-License-Identifier: Apache-2.0

/// A request whose notifications are not shown until a date: the user has muted it.
public struct Mute: Hashable, Sendable {
  /// The app that owns the request.
  public let app: AppID
  /// The id of the request, which need not exist.
  public let id: RequestID
  /// When it ends, in seconds since 1970.
  public let until: Int64

  /// The most requests that can be muted at a time.
  public static let most = 1000
  /// The last second of the year 9999.
  private static let latest: Int64 = 253_402_300_799

  /// Creates a mute.
  public init(_ id: RequestID, of app: AppID, until: Int64) {
    self.app = app
    self.id = id
    self.until = until
  }
}

extension Mute {
  /// Reads a mute from its dictionary: `app`, `id`, `until`.
  public init(_ words: [String: PlainValue]) throws(RequestError) {
    guard case .text(let app)? = words["app"] else { throw RequestError("app", "must be a string") }
    guard case .text(let id)? = words["id"] else { throw RequestError("id", "must be a string") }
    guard case .integer(let until)? = words["until"], 1...Self.latest ~= until else {
      throw RequestError("until", "must be in seconds since 1970")
    }
    self.init(try RequestID(id), of: try AppID(app), until: until)
  }

  /// The mute as a dictionary.
  public var plain: [String: PlainValue] {
    ["app": .text(app.text), "id": .text(id.text), "until": .integer(until)]
  }
}
