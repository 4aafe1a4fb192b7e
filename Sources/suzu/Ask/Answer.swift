// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import Glibc
internal import NotificationModel

/// How a question ended.
enum Answer {
  /// The button at this position was chosen, with the text that it asks for.
  case chosen(Int, text: String?)
  /// No answer came, or the question could not be shown; the error says why, and has the status for a question without
  /// a default.
  case silence(CommandError)
  /// The user, or a program, removed the question. `why` is for standard error; nil if the user did it.
  case removed(why: String?)
  /// A signal ended the command.
  case interrupted(Int32)
  /// The answer has no reader.
  case askerGone
}

extension Answer {
  /// The exit status if the question was removed without an answer.
  static let statusOfRemoval: Int32 = 123
  /// The exit status without an answer: that of `timeout(1)`.
  static let statusOfSilence: Int32 = 124

  static func silence(_ message: String, _ status: Int32 = statusOfSilence) -> Answer {
    .silence(CommandError(message: message, status: status))
  }

  /// The answer that an end of the wait means.
  init(_ end: AnswerWait.End, of question: Question, app: String) {
    switch end {
    case .response(let response):
      if let index = question.buttons.firstIndex(where: { $0.id.isIdentical(to: response.action) }) {
        self = .chosen(index, text: question.buttons[index].asksForText ? response.reply ?? "" : nil)
      } else {
        self = .removed(why: "'\(PrintableText.line(response.action, atMost: 60))' is not one of its buttons")
      }
    case .dialogMissing(let response, .failed(let why)) where response.action == Action.listID:
      self = .silence("its buttons could not be shown in a list: \(why)", EX_UNAVAILABLE)
    case .dialogMissing(let response, let outcome):
      let (status, why) = outcome.missingText
      let message = "'\(PrintableText.line(response.action, atMost: 60))' was chosen, but \(why)"
      self = status == 1 ? .removed(why: message) : .silence(message, status)
    case .notDone(let response, let outcome):
      let button = PrintableText.line(response.action, atMost: 60)
      self = .removed(why: "'\(button)' was chosen, but it does not count: \(outcome)")
    case .ended(let end): self = Self.of(end, app)
    case .centerEnded: self = .silence("the center ended before there was an answer", EX_UNAVAILABLE)
    case .interrupted(let signal): self = .interrupted(signal)
    case .timeLimit: self = .silence("no answer" + (question.limit.map { " within \($0.text)" } ?? ""))
    case .askerGone: self = .askerGone
    }
  }

  private static func of(_ end: RequestEnd, _ app: String) -> Answer {
    let remark = end.remark(of: app)
    return switch end {
    case .dismissed, .acknowledged, .withdrawn, .cancelled, .replaced: .removed(why: remark)
    case .notAllowed: .silence(remark ?? end.rawValue, EX_NOPERM)
    case .failed: .silence(remark ?? end.rawValue, EX_UNAVAILABLE)
    default: .silence(remark ?? "no answer before the notification expired")
    }
  }
}
