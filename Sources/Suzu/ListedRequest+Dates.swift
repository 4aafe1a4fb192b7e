// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
public import NotificationModel

extension ListedRequest {
  /// The next date of a pending request; nil if there is none.
  public var nextDate: Date? { Date(center: next) }
  /// The date when it was, or is, to be shown; nil if it has none.
  public var dueDate: Date? { Date(center: due) }
  /// When the notification server accepted it; nil if it did not.
  public var shownDate: Date? { Date(center: shown) }
  /// When it is shown again, because it has not been answered; nil if it is not.
  public var againDate: Date? { Date(center: again) }
  /// When it ended; nil if it has not.
  public var closedDate: Date? { Date(center: closed) }
  /// When the center noticed that its date had come, if that was more than a minute late.
  public var noticedDate: Date? { Date(center: noticed) }
  /// When the condition that it waits for was last met.
  public var metDate: Date? { Date(center: met) }
}

extension Response {
  /// The date on which the request was due; nil for one without a time.
  public var dueDate: Date? { Date(center: due) }
}

extension Date {
  /// A date of the center: RFC 3339 with an offset.
  init?(center text: String?) {
    guard let text, let date = try? Date(text, strategy: .iso8601) else { return nil }
    self = date
  }
}
