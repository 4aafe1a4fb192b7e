// SPDX-License-Identifier: Apache-2.0
public import NotificationModel

/// The stored form of a request: JSON.
public enum Payload {
  /// The key of what happened before a request was postponed, which a request itself does not have.
  private static let eventKey = "event"

  /// The request as a text.
  ///
  /// - Parameter event: what happened, if it is a postponed one that waited for a condition.
  public static func text(of request: NotificationRequest, event: [String: String] = [:]) -> String {
    guard !event.isEmpty, case .dictionary(var words)? = try? JSONReader.read(request.json) else { return request.json }
    words[eventKey] = .dictionary(event.mapValues { .text($0) })
    return PlainValue.dictionary(words).json
  }

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
    guard case .dictionary(var words)? = try? JSONReader.read(stored.payload) else { return nil }
    words[eventKey] = nil
    return words
  }

  /// The same from its text.
  static func request(_ text: String) -> NotificationRequest? { read(text)?.request }

  /// The request, and what happened before it was postponed.
  static func read(_ text: String) -> (request: NotificationRequest, event: EventDetails)? {
    guard var value = try? JSONReader.read(text) else { return nil }
    var event: [String: String] = [:]
    if case .dictionary(var words) = value, case .dictionary(let values)? = words.removeValue(forKey: eventKey) {
      event = values.compactMapValues { if case .text(let text) = $0 { text } else { nil } }
      value = .dictionary(words)
    }
    guard let request = try? value.decode(as: NotificationRequest.self) else { return nil }
    return (request, EventDetails(event))
  }
}
