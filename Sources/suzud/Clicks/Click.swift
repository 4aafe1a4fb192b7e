// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Scheduling

/// What the user chose, on its way to being done.
struct Click: Sendable {
  let response: Response
  let request: NotificationRequest
  let action: Action
  /// Whose the request is: they are looked at again before anything is carried out.
  let rights: Rights
  /// What lets a program raise its window, for as long as the desktop remembers the click.
  var token: String?
  /// Its row in the store, where its outcome belongs; nil if it could not be written.
  let record: Record?
  /// When it was chosen, in milliseconds since 1970.
  let date: Int64
  /// It was chosen in an earlier run of the center.
  var isTakenUp = false
  /// It has its outcome; whoever is told of it need not act.
  var isDone = false

  /// The row of a response.
  struct Record {
    let number: ResponseRecord.Number
    /// Whether it holds that the action has begun.
    let hasBegun: Bool
  }
}

extension Click.Record {
  init(_ record: ResponseRecord) { self.init(number: record.number, hasBegun: record.state == .running) }
}

extension Action {
  /// What a click on the notification itself does: it brings something to the front.
  static func ofItself(_ request: NotificationRequest) -> Action {
    Action(id: defaultID, title: "", foreground: true, effect: request.url.map { .url($0) })
  }

  /// What putting the notification away does, where somebody wants to hear of it.
  static let dismissal = Action(id: dismissID, title: "")
}

extension Action {
  /// Whether it waits for nobody: neither for the unlock nor for its app.
  var isAtOnce: Bool {
    switch effect {
    case .run, .url, .launch: !authenticationRequired && !foreground
    case .snooze, nil: false
    }
  }
}

extension OfferedActions {
  /// The action that is meant by this id; nil: there is none.
  func meant(by id: String, of request: NotificationRequest) -> Action? {
    if let action = action(id, of: request) { return action }
    switch id {
    case Action.defaultID: return .ofItself(request)
    case Action.dismissID where wantsDismissal: return .dismissal
    default: return nil
    }
  }
}
