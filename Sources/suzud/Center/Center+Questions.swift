// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Freedesktop
internal import NotificationModel
internal import Scheduling

/// What the center itself asks the user, as a notification with buttons.
extension Center {
  /// Which of the answers was chosen; nil: none, however the question ended.
  ///
  /// A question is not written down: after a restart it is asked again by whoever wants to know.
  func ask(_ title: String, _ body: String, _ answers: [String], of app: String) async -> Int? {
    lastQuestion += 1
    let key = RequestKey(app: app, id: "dev.suzu.question.\(lastQuestion)")
    let request = NotificationRequest(
      app: app, id: key.id, title: title, body: body, level: .timeSensitive, style: .alert,
      actions: answers.enumerated().map { Action(id: "\($0.offset)", title: $0.element) })
    return await loop.withContinuation { continuation in
      questions[key] = { continuation.resume(returning: $0) }
      _ = ledger.add(Due(request, delivery: nil, date: time.wall), as: key)
      queue.add(key)
      post()
    }
  }

  /// Whether that was the answer to a question of ours.
  func isAnswer(_ key: RequestKey, _ action: String?) -> Bool {
    guard !questions.isEmpty, let answered = questions.removeValue(forKey: key) else { return false }
    answered(action.flatMap(Int.init))
    return true
  }
}
