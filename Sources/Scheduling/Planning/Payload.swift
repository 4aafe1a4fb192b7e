// SPDX-License-Identifier: Apache-2.0
public import NotificationModel

/// The stored form of a request: JSON.
public enum Payload {
  /// The request as a text.
  public static func text(of request: NotificationRequest) -> String { request.json }

  /// Whether a request can be read again after it is stored.
  public static func isReadable(_ new: NewRequest) -> Bool { request(new.payload) != nil }

  /// The request of a row; nil if this version of Suzu cannot read it.
  public static func request(_ stored: StoredRequest) -> NotificationRequest? {
    request(stored.payload)
  }

  /// The keys of a row's request and their values, as its author gave them; nil if they cannot be read.
  ///
  /// For listings, which pass them on: a stored request has been checked.
  public static func words(_ stored: StoredRequest) -> [String: PlainValue]? {
    guard case .dictionary(let words)? = try? JSONReader.read(stored.payload) else { return nil }
    return words
  }

  /// The same from its text.
  static func request(_ text: String) -> NotificationRequest? {
    guard let value = try? JSONReader.read(text) else { return nil }
    return try? value.decode(as: NotificationRequest.self)
  }
}
