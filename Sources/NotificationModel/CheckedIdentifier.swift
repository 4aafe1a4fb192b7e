// SPDX-License-Identifier: Apache-2.0

/// A name with 1 to 255 bytes and without control characters, compared by its bytes; see ``Identifier``.
public protocol CheckedIdentifier: Hashable, Sendable, Comparable, CustomStringConvertible, ExpressibleByStringLiteral
where StringLiteralType == String {
  /// The key of a request that holds such a name, for errors.
  static var key: String { get }
  /// The name.
  var text: String { get }
  /// Creates an identifier from a text that was checked before, such as one from the store.
  init(trusted text: String)
}

extension CheckedIdentifier {
  /// Creates an identifier from any text.
  public init(_ text: String) throws(RequestError) {
    guard text.isIdentifier else { throw RequestError(Self.key, text.identifierProblem) }
    self.init(trusted: text)
  }

  /// Creates an identifier from a literal, which must be valid.
  public init(stringLiteral text: String) {
    precondition(text.isIdentifier, "an identifier must be \(String.identifierForm)")
    self.init(trusted: text)
  }

  /// Whether both have the same bytes.
  public static func == (left: Self, right: Self) -> Bool { left.text.isIdentical(to: right.text) }

  /// Compares the bytes.
  public static func < (left: Self, right: Self) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }

  /// The name.
  public var description: String { text }
}

/// The id of an app: that of its desktop entry.
public struct AppID: CheckedIdentifier {
  /// The key of a request.
  public static let key = "app"
  /// The name.
  public let text: String
  /// Creates an id from a text that was checked before.
  public init(trusted text: String) { self.text = text }

  /// The app of requests that name none.
  public static let suzu: AppID = "dev.suzu.Suzu"
  /// The app of the notifications that launch others; the center decrements its badge with each answer.
  public static let launcher: AppID = "dev.suzu.Launcher"
}

/// The id of a request, unique within its app.
public struct RequestID: CheckedIdentifier {
  /// The key of a request.
  public static let key = "id"
  /// The name.
  public let text: String
  /// Creates an id from a text that was checked before.
  public init(trusted text: String) { self.text = text }
}

/// The id of a category, or a standard freedesktop category, `class.specific`.
public struct CategoryID: CheckedIdentifier {
  /// The key of a request.
  public static let key = "category"
  /// The name.
  public let text: String
  /// Creates an id from a text that was checked before.
  public init(trusted text: String) { self.text = text }

  /// The name of a standard category; nil for a name without a dot.
  public var standardName: String? { text.contains(".") ? text : nil }
}

extension String {
  static let identifierForm = "1 to 255 bytes of text without control characters"

  /// The rule that a text breaks which is no identifier.
  var identifierProblem: String {
    if isEmpty { return "must not be empty" }
    if utf8.count > 255 { return "must have at most 255 bytes, not \(utf8.count)" }
    return "must not contain control characters"
  }

  var isIdentifier: Bool {
    var text = self
    return text.withUTF8 { !$0.isEmpty && $0.count <= 255 && !$0.contains { $0 < 32 || $0 == 127 } }
  }
}

extension Identifier {
  /// Creates an identifier from a checked one of any kind.
  public init(_ name: some CheckedIdentifier) { self.init(name.text) }
}
