// SPDX-License-Identifier: Apache-2.0
internal import SystemFiles

/// A zone and its name, shared by its users.
public struct Zone: Sendable, CustomStringConvertible {
  /// The name in the database, such as `Europe/Paris`; for other zones the path or the rule.
  public let name: String
  /// The rules for its local time.
  public let rules: ZoneRules
  /// The identity of its file when it was read; nil for a rule without a file.
  public let identity: FileIdentity?

  /// Creates a zone from rules.
  public init(name: String, rules: ZoneRules, identity: FileIdentity? = nil) {
    self.name = name
    self.rules = rules
    self.identity = identity
  }

  /// UTC, which needs no file.
  public static let utc = Zone(name: "UTC", rules: .utc)

  /// Reads a zone from a file anywhere.
  init(name: String, path: String) throws(ZoneError) {
    // Taken before the file is read, so that a change in between is noticed, at worst once too often.
    let identity = FileIdentity(path: path)
    try self.init(name: name, content: try Self.content(of: path), identity: identity)
  }

  /// The bytes of a zone's file, not checked yet.
  static func content(of path: String) throws(ZoneError) -> [UInt8] {
    do throws(FileError) { return try RegularFile.read(path, limit: TimeZoneFile.sizeLimit) } catch {
      throw ZoneError(path, error)
    }
  }

  /// Parses the content of the file with this identity.
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
