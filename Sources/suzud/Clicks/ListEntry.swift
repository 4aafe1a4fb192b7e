// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// An entry of a list that the user chooses from: an action and, if the action has several, a time to snooze until.
struct ListEntry {
  /// The id of the action.
  let id: String
  /// The text of the time.
  var time: String?
  let label: String

  /// The actions of a notification. A click on the notification comes first, unless it is one of the others, or does
  /// nothing.
  static func actions(of posting: ShownNotification) -> [ListEntry] {
    let request = posting.request
    var entries = (posting.offer.actions ?? request.content.actions).flatMap { Self.entries(of: $0) }
    guard posting.offer.click == .click else { return entries }
    // The dialog has its own OK button, so the entry needs another label.
    var click = [ListEntry(id: Action.defaultID, label: request.opensOnClick ? "Open it" : "Just close it")]
    // A request may give its own action the id `default`.
    if posting.offer.actions == nil, entries.contains(where: { $0.id == Action.defaultID }) {
      click = entries.filter { $0.id == Action.defaultID }
      entries.removeAll { $0.id == Action.defaultID }
    }
    return click + entries
  }

  private static func entries(of action: Action) -> [ListEntry] {
    guard action.snoozeTimes.count > 1 else { return [ListEntry(id: action.id, label: action.title)] }
    return action.snoozeTimes.map { time in
      ListEntry(id: action.id, time: time.text, label: "\(action.title): \(time.label)")
    }
  }

  /// The times that an action offers.
  static func times(of id: String, of posting: ShownNotification) -> [ListEntry] {
    let times = posting.offer.meant(by: id, of: posting.request)?.snoozeTimes ?? []
    return times.map { ListEntry(id: id, time: $0.text, label: $0.label) }
  }
}
