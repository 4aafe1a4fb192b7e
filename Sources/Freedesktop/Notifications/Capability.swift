// SPDX-License-Identifier: Apache-2.0

/// A capability that a notification server declares; servers may invent more.
public struct Capability: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The name in the protocol.
  public let rawValue: String
  /// From the name in the protocol.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The name in the protocol.
  public var description: String { rawValue }

  /// Draws buttons.
  public static let actions = Capability(rawValue: "actions")
  /// Draws icons instead of labels on buttons.
  public static let actionIcons = Capability(rawValue: "action-icons")
  /// Shows text below the headline.
  public static let body = Capability(rawValue: "body")
  /// Supports `<b>`, `<i>`, `<u>` in the text, which means that `&` and `<` must be escaped.
  public static let bodyMarkup = Capability(rawValue: "body-markup")
  /// Keeps notifications until the user has dealt with them.
  public static let persistence = Capability(rawValue: "persistence")
  /// Plays sounds.
  public static let sound = Capability(rawValue: "sound")
  /// Shows a text field in the notification (Plasma, SwayNotificationCenter).
  public static let inlineReply = Capability(rawValue: "inline-reply")
}

/// A notification server's answer to `GetServerInformation`.
public struct ServerInformation: Hashable, Sendable {
  /// The program's name.
  public var name: String
  /// The program's maker.
  public var vendor: String
  /// The program's version.
  public var version: String
  /// The specification version it claims; unreliable: check the capabilities instead.
  public var specVersion: String

  /// Makes a value from all four parts.
  public init(name: String, vendor: String, version: String, specVersion: String = "1.2") {
    self.name = name
    self.vendor = vendor
    self.version = version
    self.specVersion = specVersion
  }
}
