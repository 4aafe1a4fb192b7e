// SPDX-License-Identifier: Apache-2.0

/// Something that a notification server says it can do; servers invent more.
public struct Capability: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The word on the wire.
  public let rawValue: String
  /// From the word on the wire.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The word on the wire.
  public var description: String { rawValue }

  /// Buttons.
  public static let actions = Capability(rawValue: "actions")
  /// Icons instead of labels on buttons.
  public static let actionIcons = Capability(rawValue: "action-icons")
  /// Text below the headline.
  public static let body = Capability(rawValue: "body")
  /// `<a href>` in the text.
  public static let bodyHyperlinks = Capability(rawValue: "body-hyperlinks")
  /// `<img>` in the text.
  public static let bodyImages = Capability(rawValue: "body-images")
  /// `<b>`, `<i>`, `<u>` in the text, which means that `&` and `<` must be escaped.
  public static let bodyMarkup = Capability(rawValue: "body-markup")
  /// One frame of an icon.
  public static let iconStatic = Capability(rawValue: "icon-static")
  /// What is shown is kept until the user has dealt with it.
  public static let persistence = Capability(rawValue: "persistence")
  /// Plays sounds.
  public static let sound = Capability(rawValue: "sound")
  /// A text field in the notification (Plasma, SwayNotificationCenter).
  public static let inlineReply = Capability(rawValue: "inline-reply")
}

/// What a notification server says of itself.
public struct ServerInformation: Hashable, Sendable {
  /// The program.
  public var name: String
  /// Who makes it.
  public var vendor: String
  /// The program's version.
  public var version: String
  /// The specification it claims to follow; not to be relied on: ask for capabilities.
  public var specVersion: String

  /// All four.
  public init(name: String, vendor: String, version: String, specVersion: String = "1.2") {
    self.name = name
    self.vendor = vendor
    self.version = version
    self.specVersion = specVersion
  }
}
