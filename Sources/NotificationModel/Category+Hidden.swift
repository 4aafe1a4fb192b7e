// SPDX-License-Identifier: Apache-2.0

extension Category {
  /// What is shown of its notifications while the texts of their app are hidden (``Previews``).
  public struct Hidden: Hashable, Sendable, Codable {
    /// The text in place of the body; nil for the usual one. `{count}` is the number of notifications of its thread on
    /// the screen.
    public var body: SummaryFormat?
    /// Whether the title is shown all the same.
    public var title: Bool
    /// Whether the subtitle is shown all the same.
    public var subtitle: Bool

    /// Creates the form of a hidden notification.
    public init(body: SummaryFormat? = nil, title: Bool = false, subtitle: Bool = false) {
      self.body = body
      self.title = title
      self.subtitle = subtitle
    }
  }
}

extension Category.Hidden {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case body, title, subtitle
  }

  private static let known = KnownKeys(CodingKeys.allCases.map(\.rawValue))

  /// Decodes and checks the form.
  public init(from decoder: any Decoder) throws {
    let fields = try RequestDecoder(of: decoder, known: Self.known)
    body = try fields.parsed("body", "a string") { text throws(RequestError) in
      try SummaryFormat(text, hasNames: false)
    }
    title = try fields.flag("title") ?? false
    subtitle = try fields.flag("subtitle") ?? false
  }

  /// Encodes the form with the same keys.
  public func encode(to encoder: any Encoder) throws { try plain.encode(to: encoder) }

  var plain: PlainValue {
    var words: [String: PlainValue] = [:]
    if let body { words["body"] = .text(body.text) }
    if title { words["title"] = .flag(true) }
    if subtitle { words["subtitle"] = .flag(true) }
    return .dictionary(words)
  }
}
