// SPDX-License-Identifier: Apache-2.0

/// The sound of a notification.
public enum Sound: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The server's usual sound: `default`.
  case standard
  /// No sound: `none`.
  case silent
  /// A name in the sound theme.
  case named(String)
  /// An absolute path.
  case file(String)

  /// The sound that a text of a request means.
  public init(_ text: String) {
    switch text {
    case "default": self = .standard
    case "none": self = .silent
    default: self = text.hasPrefix("/") ? .file(text) : .named(text)
    }
  }

  /// The same for a literal.
  public init(stringLiteral text: String) { self.init(text) }

  /// The text in a request.
  public var text: String {
    switch self {
    case .standard: "default"
    case .silent: "none"
    case .named(let text), .file(let text): text
    }
  }
}
