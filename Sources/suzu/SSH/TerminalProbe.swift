// SPDX-License-Identifier: Apache-2.0
internal import EventLoop

/// Asks the terminal what it is, within a short limit: it may not answer, and it may not tell the truth.
enum TerminalProbe {
  struct Answer: Equatable {
    /// The features of OSC 99; nil if it did not say that it knows it.
    var features: TerminalFeatures?
    /// The name and the version.
    var version: String?
    /// Whether it answered anything.
    var isAnswered = false
  }

  enum Result {
    case answer(Answer)
    /// A signal wants to end the process.
    case interrupted(Int32)
  }

  /// The id of the question, which its answer repeats.
  static let id = "suzu-question"
  /// How long an answer may take, over a slow link.
  static let limit: Duration = .seconds(1)
  /// The same through tmux, which has no last answer that would end the wait.
  static let limitThroughTmux: Duration = .milliseconds(500)

  static func ask(_ conversation: TerminalConversation, through passage: TerminalPassage) async -> Result {
    let question = passage.wrapped("\u{1B}]99;i=\(id):p=?;\u{1B}\\")
    // XTVERSION, and the primary device attributes, whose answer is the last.
    let isDirect = passage == .direct
    let bytes = question + (isDirect ? Array("\u{1B}[>q\u{1B}[c".utf8) : [])
    var answer = Answer()
    guard conversation.terminal.write(bytes) else { return .answer(answer) }
    let limit = conversation.limit(after: isDirect ? Self.limit : limitThroughTmux)
    for await item in conversation.news {
      switch item {
      case .reply(.notification(let words, let payload)) where words["i"] == id && words["p"] == "?":
        answer.features = TerminalFeatures(answer: payload)
        answer.isAnswered = true
        if !isDirect { return .answer(answer) }
      case .reply(.version(let version)):
        answer.version = PrintableText.line(version, atMost: 60)
        answer.isAnswered = true
      case .reply(.report(.attributes)):
        answer.isAnswered = true
        return .answer(answer)
      case .interrupted(let signal): return .interrupted(signal)
      case .lost: return .answer(answer)
      case .limit(let number) where number == limit: return .answer(answer)
      default: break
      }
    }
    return .answer(answer)
  }
}
