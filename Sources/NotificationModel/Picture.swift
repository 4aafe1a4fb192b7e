// SPDX-License-Identifier: Apache-2.0

/// An icon or an image of a notification.
public enum Picture: Hashable, Sendable, ExpressibleByStringLiteral {
  /// A name in the icon theme.
  case named(String)
  /// An absolute path.
  case file(String)
  /// A `file:` URL.
  case url(String)

  /// The picture that a text of a request means.
  public init(_ text: String) {
    self = text.hasPrefix("/") ? .file(text) : text.hasPrefix("file:///") ? .url(text) : .named(text)
  }

  /// The same for a literal.
  public init(stringLiteral text: String) { self.init(text) }

  /// The text in a request.
  public var text: String {
    switch self {
    case .named(let text), .file(let text), .url(let text): text
    }
  }
}
