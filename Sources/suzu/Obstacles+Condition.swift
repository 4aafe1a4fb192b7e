// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import EventLoop
internal import NotificationModel

extension Obstacles {
  /// Together long enough for a service of this machine to answer, and too short to be noticed.
  private static let (turns, pause) = (6, Duration.milliseconds(50))

  /// A line about the condition that this request waits for, if nothing is known about it; nil otherwise. The request
  /// must be stored: the center follows the condition only then.
  func unknownCondition(
    of id: String, _ words: [String: PlainValue], on loop: EventLoop
  ) async -> String? {
    guard words["on"] != nil, let request = try? NotificationRequest(words), let occasions = request.schedule.occasions
    else { return nil }
    var obstacle: String?
    for turn in 0..<Self.turns {
      if turn > 0 { try? await loop.sleep(for: Self.pause) }
      let row = try? await center.reasons(id, app: request.app.text, limit: 1).first
      guard let row, row.state == .pending else { return nil }
      obstacle = row.obstacle
      if obstacle != ListedRequest.unreadCondition { break }
    }
    guard let obstacle, obstacle != ListedRequest.unreadCondition else { return nil }
    return "nothing is known about '\(occasions.condition.text)', because \(obstacle); the notification cannot come "
      + "until that changes; see 'suzu doctor'"
  }
}
