// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// Questions of the center to the user, shown as notifications with buttons.
final class Questions {
  private let loop: EventLoop
  private let time: any TimeSource
  private let screen: Screen
  private let poster: Poster
  /// The open questions, and the callbacks for their answers.
  private var asked: [RequestKey: (Answer) -> Void] = [:]
  private var lastQuestion = 0

  init(on loop: EventLoop, time: any TimeSource, screen: Screen, poster: Poster) {
    self.loop = loop
    self.time = time
    self.screen = screen
    self.poster = poster
  }

  /// The ids of the open questions.
  var ids: [String] { asked.keys.map(\.id) }

  func isOpen(_ key: RequestKey) -> Bool { asked[key] != nil }

  /// Shows a question, and returns how it ended.
  ///
  /// A question is not stored: after a restart, the code that needs the answer asks again.
  func ask(_ title: String, _ body: String, _ answers: [String], of app: String) async -> Answer {
    lastQuestion += 1
    let key = RequestKey(app: app, id: "dev.suzu.question.\(lastQuestion)")
    guard let request = Self.request(title, body, answers, as: key) else { return .lost }
    return await loop.withContinuation { continuation in
      asked[key] = { continuation.resume(returning: $0) }
      screen.line(up: Due(request, date: time.wall), as: key)
      poster.post()
    }
  }

  /// Returns nil if a text cannot be shown.
  private static func request(
    _ title: String, _ body: String, _ answers: [String], as key: RequestKey
  ) -> NotificationRequest? {
    do throws(RequestError) {
      return try NotificationRequest(app: AppID(key.app), id: RequestID(key.id), title: title) {
        $0.body = body
        $0.level = .timeSensitive
        $0.style = .alert
        $0.actions = answers.enumerated().map { Action(id: "\($0.offset)", title: $0.element) }
      }
    } catch {
      Log.error("a question cannot be shown", error.description)
      return nil
    }
  }

  /// Ends the question with this key, if there is one; returns whether there was.
  @discardableResult
  func end(_ key: RequestKey, _ answer: Answer) -> Bool {
    guard !asked.isEmpty, let answered = asked.removeValue(forKey: key) else { return false }
    answered(answer)
    return true
  }
}

/// How a question of the center ended.
enum Answer {
  /// The index of the chosen answer.
  case chosen(Int)
  /// The user closed the question without an answer, or left it until it expired.
  case putAway
  /// It left the screen, or never came to it, for another reason than the user.
  case lost

  init(pressed action: String) { self = Int(action).map { .chosen($0) } ?? .putAway }

  init(_ end: RequestEnd) { self = end == .dismissed || end == .expired ? .putAway : .lost }

  /// The index of the chosen answer; nil if none was chosen.
  var index: Int? { if case .chosen(let index) = self { index } else { nil } }
}
