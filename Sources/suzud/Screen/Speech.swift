// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Freedesktop
internal import NotificationModel

/// Speaks the texts of notifications whose requests ask for it.
struct Speech {
  let loop: EventLoop
  let isLocked: @Sendable () async -> Bool
  let speak: @Sendable (_ text: String, Speaker.Urgency) async -> Speaker.Ending

  /// Says nothing while the session is locked: who hears it is not known then, and the texts would come late after
  /// that.
  func say(_ request: NotificationRequest) {
    guard request.content.speak else { return }
    let (text, urgency) = (Self.text(of: request.content), request.content.level.speechUrgency)
    if text.isEmpty { return }
    loop.start {
      if await isLocked() { return }
      switch await speak(text, urgency) {
      case .taken: break
      case .dropped: Log.info("a notification was not spoken: too many were waiting")
      case .notInstalled: Log.info("a notification was not spoken: speech-dispatcher is not installed")
      case .failed(let why): Log.info("a notification was not spoken: \(why)")
      }
    }
  }

  /// The texts as sentences, without markup.
  static func text(of content: NotificationRequest.Content) -> String {
    let body = content.body.map { content.markup ? Markup($0).plain : $0 }
    let texts = [content.title, content.subtitle, body].compactMap { $0.map(DisplayText.text) }
    return texts.filter { !$0.isEmpty }.map(sentence).joined(separator: "\n")
  }

  /// Without an end, a voice reads the next text in the same breath.
  private static func sentence(_ text: String) -> String {
    guard let last = text.last, last.isLetter || last.isNumber else { return text }
    return text + "."
  }
}

extension NotificationRequest.Level {
  fileprivate var speechUrgency: Speaker.Urgency {
    switch self {
    case .passive: .notification
    case .active, .timeSensitive: .message
    case .critical: .important
    }
  }
}
