// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Triggers
internal import Zoneinfo

/// The start of a stored repetition that `suzu edit` keeps when its dates change.
///
/// The center stores a start with each repetition: the one that the user gave or, without one, a date that follows from
/// the time of the request. Only the first kind says anything about other dates.
struct KeptStart {
  private let text: String

  /// Returns nil if the user gave no start.
  init?(_ request: [String: PlainValue], now: Instant) {
    guard case .text(let text)? = request["from"] else { return nil }
    self.text = text
    // A local time was typed, and a rule takes its days, its weeks and its time of day from its start.
    guard request["rule"] == nil, let moment = Instant(rfc3339: text) else { return }
    let pause: Duration? =
      if case .text(let every)? = request["every"] ?? request["in"] { try? Duration.parse(every) } else { nil }
    if let pause {
      // An interval without a start began at the second of its request.
      let isLater = moment > now.adding(seconds: pause.components.seconds)
      guard isLater || moment.seconds % 60 == 0 else { return nil }
    } else {
      // The center's own start is the second after the request.
      guard moment > now.adding(seconds: 1) else { return nil }
    }
  }

  /// The start for dates of another kind; nil if they have none.
  func from(for key: String) -> String? { ["every", "rule", "match", "in"].contains(key) ? text : nil }
}
