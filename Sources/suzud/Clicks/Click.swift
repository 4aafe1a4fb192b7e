// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Scheduling

/// The action that the user chose, on its way to an outcome.
struct Click: Sendable {
  let response: Response
  let request: NotificationRequest
  let action: Action
  /// The rights that the request was made with; they are checked again before the action is carried out.
  let rights: Rights
  /// The activation token, which lets a program raise its window.
  var token: String?
  /// Its row in the store, where its outcome is recorded too; nil if it could not be stored.
  var record: Record?
  /// When it was chosen.
  let date: Timestamp
  /// Whether it was chosen in an earlier run of the center.
  var isTakenUp = false
  /// The request as it was made, if its escalation has changed it since.
  var unescalated: NotificationRequest?
  /// Whether it has its outcome already, so that a handler that receives it need not act.
  var isDone = false

  /// The row of a response.
  struct Record {
    let number: ResponseRecord.Number
    /// Whether it holds that the action has begun.
    var hasBegun: Bool
  }
}

extension Click.Record {
  init(_ record: ResponseRecord) { self.init(number: record.number, hasBegun: record.state == .running) }
}

extension Action {
  /// Whether it runs immediately: it needs neither an unlocked session nor its app.
  var isAtOnce: Bool {
    switch effect {
    case .run, .url, .launch: !authenticationRequired && !foreground
    // The record of its call is what survives a restart.
    case .http, .snooze, .snoozeUntil, nil: false
    }
  }
}

extension OfferedActions {
  /// The action with this id; nil if there is none.
  func meant(by id: String, of request: NotificationRequest) -> Action? {
    if let action = action(id, of: request) { return action }
    switch id {
    case Action.defaultID: return .ofItself(request)
    case Action.dismissID where wantsDismissal: return .dismissal
    default: return nil
    }
  }
}
