// SPDX-License-Identifier: Apache-2.0
package import NotificationModel

/// A request that the user is writing.
package struct RequestDraft: Hashable, Sendable {
  /// How `when` is meant.
  package enum Timing: Int, CaseIterable, Sendable {
    case at, after, every

    /// The key of the request.
    package var key: String {
      switch self {
      case .at: "at"
      case .after: "in"
      case .every: "every"
      }
    }

    package var label: String {
      switch self {
      case .at: "Once, at"
      case .after: "Once, after"
      case .every: "Again and again"
      }
    }

    /// What may stand there, as an example.
    package var example: String {
      switch self {
      case .at: "tomorrow 07:30, Mon 9am, 2026-12-24 18:00"
      case .after: "10m, 1h30m, 2d"
      case .every: "Mon..Fri 07:30, *-*-01 09:00, 15m"
      }
    }
  }

  /// Where an error is shown.
  package enum Field: Hashable, Sendable { case title, body, when }

  /// What is wrong, at its field; without one, it is about the whole request.
  package struct Problem: Error, Hashable, Sendable {
    package let field: Field?
    package let text: String
  }

  package var title = ""
  package var body = ""
  package var timing = Timing.at
  package var when = ""

  package init() {}

  /// Whether nothing has been typed.
  package var isEmpty: Bool { title.isEmpty && body.isEmpty && when.isEmpty }

  /// The keys of the request, as they were typed.
  package var words: [String: PlainValue] {
    var words: [String: PlainValue] = ["title": .text(title), timing.key: .text(trimmedWhen)]
    if !body.isEmpty { words["body"] = .text(body) }
    return words
  }

  private var trimmedWhen: String {
    String(when.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }

  /// The checked request. An empty field is no error as long as the user is still typing: see ``preview``.
  package func request() throws(Problem) -> NotificationRequest {
    guard title.contains(where: { !$0.isWhitespace }) else { throw Problem(field: .title, text: "Give it a title") }
    guard !trimmedWhen.isEmpty else {
      throw Problem(field: .when, text: "Say when, for example: \(timing.example)")
    }
    return try checked(words)
  }

  /// The request whose dates are previewed, whatever its texts are; nil if there is nothing to preview yet.
  package func preview() throws(Problem) -> NotificationRequest? {
    if trimmedWhen.isEmpty { return nil }
    return try checked(["title": .text("-"), timing.key: .text(trimmedWhen)])
  }

  private func checked(_ words: [String: PlainValue]) throws(Problem) -> NotificationRequest {
    do throws(RequestError) { return try NotificationRequest(words) } catch { throw problem(error.description) }
  }

  /// An error of the center at the field whose key it names: `'at': …` and `'at' must be …` are about when.
  package func problem(_ message: String) -> Problem {
    guard message.first == "'", let end = message.dropFirst().firstIndex(of: "'") else {
      return Problem(field: nil, text: Self.sentence(message[...]))
    }
    let key = message[message.index(after: message.startIndex)..<end]
    let rest = message[message.index(after: end)...].drop { $0 == ":" || $0 == " " }
    switch key {
    case "title": return Problem(field: .title, text: "The title \(rest)")
    case "body": return Problem(field: .body, text: "The text \(rest)")
    case Substring(timing.key), "at", "in", "every", "zone", "from":
      return Problem(field: .when, text: Self.sentence(rest))
    default: return Problem(field: nil, text: Self.sentence(message[...]))
    }
  }

  private static func sentence(_ text: Substring) -> String {
    guard let first = text.first else { return "" }
    return first.uppercased() + text.dropFirst()
  }
}
