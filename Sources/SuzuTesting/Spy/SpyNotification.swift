// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
internal import NotificationModel
internal import Scheduling
public import Suzu
internal import Triggers

/// A notification that came to the screen of a ``SpyCenter``.
public struct SpyNotification: Sendable, Hashable {
  /// The request, with its id.
  public let request: NotificationRequest
  /// The date for which it was scheduled; that of its arrival if it was to come at once.
  public let due: Date
  /// When it came.
  public let date: Date
  /// What the clock on the wall showed when it came: `2026-03-29 07:30:00`.
  public let localTime: String
  /// The number of earlier dates that it stands for, because they passed while the machine slept or was off.
  public let missed: Int
  /// The buttons that it has, in the context of its style.
  public let buttons: [Action]
  /// What happened, if it waited for a condition: the values of `{event.KEY}`.
  public let event: [String: String]

  /// The app that it belongs to.
  public var app: AppID { request.app }
  /// The id of its request.
  public var id: RequestID { request.id ?? RequestID(trusted: "") }
  /// The headline.
  public var title: String { request.content.title }
  /// The text.
  public var body: String? { request.content.body }
  /// The request's own data.
  public var userInfo: [String: PlainValue] { request.content.userInfo }
  /// How much later than its date it came.
  public var delay: Duration { .milliseconds(Int64(((date.timeIntervalSince(due)) * 1000).rounded())) }

  init(_ due: Due, at time: Timestamp, localTime: String, buttons: [Action]) {
    request = due.request
    self.due = Date(due.date)
    date = Date(time)
    self.localTime = localTime
    missed = due.missed
    self.buttons = buttons
    event = due.event.dictionary
  }
}

/// The end of a request, or of one date of a request that repeats.
public struct SpyEnd: Sendable, Hashable {
  /// The app that it belonged to.
  public let app: AppID
  /// The id of its request.
  public let id: RequestID
  /// How it ended: dismissed, cancelled, replaced, skipped …
  public let reason: RequestEnd
  /// When it ended.
  public let date: Date

  init(app: AppID, id: RequestID, reason: RequestEnd, time: Timestamp) {
    self.app = app
    self.id = id
    self.reason = reason
    date = Date(time)
  }
}
