// SPDX-License-Identifier: Apache-2.0
public import NotificationModel

/// A request as the store keeps it: the words of the vocabulary, as JSON.
public enum Payload {
  /// The request as a text.
  public static func text(of request: NotificationRequest) -> String { request.json }

  /// Whether what is to be stored can be read again when its time has come.
  public static func isReadable(_ new: NewRequest) -> Bool { request(new.payload) != nil }

  /// The request that a row holds; nil: it is not one that this Suzu understands.
  public static func request(_ stored: StoredRequest) -> NotificationRequest? {
    request(stored.payload)
  }

  /// The same of its text.
  static func request(_ text: String) -> NotificationRequest? {
    guard let value = try? JSONReader.read(text) else { return nil }
    return try? value.decode(as: NotificationRequest.self)
  }
}
