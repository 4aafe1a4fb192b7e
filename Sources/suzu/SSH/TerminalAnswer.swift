// SPDX-License-Identifier: Apache-2.0

/// How a notification in a terminal ended.
enum TerminalAnswer: Equatable {
  /// The button at this position was pressed.
  case button(Int)
  /// The notification itself was clicked.
  case click
  /// It was closed without an answer.
  case closed
  /// A signal wants to end the process.
  case interrupted(Int32)
  /// The terminal is gone.
  case lost
  case timeLimit
  /// The answer has no reader any more.
  case askerGone
}

extension NotifyingTerminal {
  /// How long to wait for the report that a notification is closed: one that comes later is typed into the shell.
  private static let closingLimit: Duration = .milliseconds(500)

  /// Waits for the answer to a notification that was just shown. Nothing of it stays on the screen.
  func answer(to notification: TerminalNotification, within limit: Duration?) async -> TerminalAnswer {
    let deadline = limit.map(conversation.limit)
    let answer = await report(on: notification, until: deadline)
    switch answer {
    case .lost: break
    case .closed: break
    default:
      if conversation.terminal.write(notification.closing(through: passage)), features.reportsEnd {
        await awaitEnd(of: notification)
      }
    }
    return answer
  }

  private func report(on notification: TerminalNotification, until deadline: Int?) async -> TerminalAnswer {
    // A click may be reported after the end that it caused.
    var grace: Int?
    for await item in conversation.news {
      switch item {
      case .reply(.notification(let words, let payload)) where words["i"] == notification.wireID:
        if words["p"] == "close" {
          if payload != "untracked", grace == nil { grace = conversation.limit(after: Self.closingLimit) }
        } else if words["p"] == nil, payload.isEmpty {
          return .click
        } else if words["p"] == nil, let number = Int(payload), 1...max(notification.buttons.count, 1) ~= number,
          !notification.buttons.isEmpty
        {
          return .button(number - 1)
        }
      case .limit(let number) where number == grace: return .closed
      case .limit(let number) where number == deadline: return .timeLimit
      case .interrupted(let signal): return .interrupted(signal)
      case .lost: return .lost
      case .askerGone: return .askerGone
      default: break
      }
    }
    return .lost
  }

  private func awaitEnd(of notification: TerminalNotification) async {
    let limit = conversation.limit(after: Self.closingLimit)
    for await item in conversation.news {
      switch item {
      case .reply(.notification(let words, _)) where words["i"] == notification.wireID && words["p"] == "close": return
      case .limit(let number) where number == limit: return
      case .lost: return
      default: break
      }
    }
  }
}
