// SPDX-License-Identifier: Apache-2.0

/// A button of a notification, and what it does.
public struct Action: Hashable, Sendable, Codable {
  /// What the handler is told.
  public var id: String
  /// What stands on the button.
  public var title: String
  /// What a press does; nil: it is told, and nothing more.
  public var doing: Doing?

  /// The one thing that an action does by itself.
  public enum Doing: Hashable, Sendable {
    /// Runs a program: its name or path, then its arguments. There is no shell.
    case run([String])
    /// Opens a URL.
    case url(String)
  }

  /// The identifier of a click on the notification itself.
  public static let defaultID = "default"

  /// A button.
  public init(id: String, title: String, doing: Doing? = nil) {
    self.id = id
    self.title = title
    self.doing = doing
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case id, title, run, url
  }

  /// Reads and checks one entry of `actions`.
  public init(from decoder: any Decoder) throws {
    let fields = try Fields(of: decoder, known: Set(CodingKeys.allCases.map(\.rawValue)))
    id = try fields.required("id", try fields.identifier("id"))
    title = try fields.text("title") ?? id
    let run = try fields.texts("run")
    let url = try fields.parsed("url", urlForm, checkURL)
    if run != nil && url != nil {
      throw RequestError(fields.name("url"), "cannot stand beside 'run': an action does one thing")
    }
    if let run {
      guard let program = run.first, !program.isEmpty, !run.contains(where: { $0.utf8.contains(0) }) else {
        throw RequestError(fields.name("run"), "must be a program and its arguments, such as [\"echo\", \"hello\"]")
      }
      doing = .run(run)
    } else {
      doing = url.map { .url($0) }
    }
  }

  /// Writes the entry in the same words.
  public func encode(to encoder: any Encoder) throws { try plain.encode(to: encoder) }

  /// The entry in the words of the vocabulary.
  var plain: PlainValue {
    var words: [String: PlainValue] = ["id": .text(id), "title": .text(title)]
    switch doing {
    case .run(let program): words["run"] = .list(program.map { .text($0) })
    case .url(let url): words["url"] = .text(url)
    case nil: break
    }
    return .dictionary(words)
  }
}

let urlForm = "a URL such as 'https://example.org/', at most 2048 bytes, without blanks"

/// Takes what looks like a URL: a scheme, a colon, something behind it, and nothing that a browser's command line could
/// misread. Whether its scheme may be opened is decided at the click.
func checkURL(_ text: String) throws(RequestError) -> String {
  let scheme = text.prefix { $0 != ":" }
  let isScheme =
    scheme.first.map { $0.isASCII && $0.isLetter } == true
    && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
  let isPlain = text.unicodeScalars.allSatisfy { $0.value > 32 && $0.value != 127 }
  guard isScheme, isPlain, text.utf8.count > scheme.utf8.count + 1, text.utf8.count <= 2048 else {
    throw RequestError("", "must be \(urlForm)")
  }
  return text
}
