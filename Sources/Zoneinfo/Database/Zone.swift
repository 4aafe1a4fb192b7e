// SPDX-License-Identifier: Apache-2.0
internal import SystemFiles

/// A zone and its name, shared by its users.
public struct Zone: Sendable, CustomStringConvertible {
  /// As the database has it, `Europe/Paris`; for a zone outside of it, the path or the rule that it came from.
  public let name: String
  /// How its clocks are set.
  public let rules: ZoneRules
  /// The file as it was when it was read; nil for a rule that came from no file.
  public let identity: FileIdentity?

  /// From rules that are there already.
  public init(name: String, rules: ZoneRules, identity: FileIdentity? = nil) {
    self.name = name
    self.rules = rules
    self.identity = identity
  }

  /// UTC, which needs no file.
  public static let utc = Zone(name: "UTC", rules: .utc)

  /// A file anywhere.
  init(name: String, path: String) throws(ZoneError) {
    // Before it is read: a change in between is then seen as one, at the worst once too often.
    let identity = FileIdentity(path: path)
    try self.init(name: name, content: try Self.content(of: path), identity: identity)
  }

  /// The bytes of a zone's file, not checked yet.
  static func content(of path: String) throws(ZoneError) -> [UInt8] {
    do throws(FileError) { return try RegularFile.read(path, limit: TimeZoneFile.sizeLimit) } catch {
      throw ZoneError(path, error)
    }
  }

  /// What was read from the file with this identity.
  init(name: String, content: [UInt8], identity: FileIdentity) throws(ZoneError) {
    do {
      self.init(name: name, rules: try ZoneRules(try TimeZoneFile(content)), identity: identity)
    } catch {
      throw error.of(identity.path)
    }
  }

  /// The name.
  public var description: String { name }
}
