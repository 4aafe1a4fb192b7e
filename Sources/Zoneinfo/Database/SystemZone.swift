// SPDX-License-Identifier: Apache-2.0
internal import SystemFiles

/// Finds the machine's own zone in the C library's order: `TZ`, `/etc/localtime`, else UTC.
public struct SystemZone: Sendable {
  /// The setting that names the zone.
  public enum Source: Sendable, CaseIterable {
    /// The variable `TZ`.
    case environment
    /// The symbolic link `/etc/localtime`.
    case link
    /// The file `/etc/localtime`.
    case file
    /// The name in `/etc/timezone`, if there is no `/etc/localtime`.
    case name
    /// There is no setting: UTC.
    case nothing
  }

  /// The database of zone names.
  public let database: ZoneDatabase
  /// The value of `TZ`; it takes precedence over the folder.
  public let variable: String?
  /// The folder with `localtime` and `timezone`.
  public let etc: String
  private var localtime: String { etc + "/localtime" }
  private var timezone: String { etc + "/timezone" }

  /// `variable` is the value of `TZ`, `etc` the folder with `localtime` and `timezone`.
  public init(database: ZoneDatabase, variable: String?, etc: String = "/etc") {
    self.database = database
    self.variable = variable
    self.etc = etc
  }

  /// The setting of this process, with its current environment.
  public static var current: SystemZone {
    SystemZone(database: .system, variable: environmentVariable("TZ"))
  }

  /// The zone, and the setting that names it. An invalid setting is an error, because with UTC instead, every alarm
  /// would ring at the wrong time.
  public func read() throws(ZoneError) -> (zone: Zone, source: Source) {
    if let variable { return (try zone(variable: variable), .environment) }
    let identity = FileIdentity(path: localtime)
    if let target = identity.linkTarget { return (try zone(link: target), .link) }
    if identity.state != nil { return (try zoneOfCopy(), .file) }
    if let name = nameInFile() { return (try database.zone(named: name), .name) }
    return (.utc, .nothing)
  }

  /// A cheap value that changes with every setting and with the zone's own file: compare it with an earlier one.
  public func identity() -> [FileIdentity] {
    if let variable {
      let name = Self.withoutColon(variable)
      if name.hasPrefix("/") { return [FileIdentity(path: name)] }
      return database.identity(of: name).map { [$0] } ?? []
    }
    let link = FileIdentity(path: localtime)
    // The link is followed, so its state is that of the zone's file.
    return link.linkTarget == nil ? [link, FileIdentity(path: timezone)] : [link]
  }
}

extension SystemZone {
  private static func withoutColon(_ text: String) -> String {
    text.hasPrefix(":") ? String(text.dropFirst()) : text
  }

  private func zone(variable: String) throws(ZoneError) -> Zone {
    let text = Self.withoutColon(variable)
    if text.isEmpty { return .utc }
    if text.hasPrefix("/") { return try Zone(name: nameInPath(text) ?? text, path: text) }
    let notFound: ZoneError
    do {
      return try database.zone(named: text)
    } catch  where error.code == .notFound || error.code == .invalidName {
      notFound = error
    }
    // `EST5EDT` is also the name of a file. As in the C library, the file comes first.
    if let rules = try? ZoneRules(posix: text) { return Zone(name: text, rules: rules) }
    throw ZoneError(notFound.code, variable, "the variable TZ has neither a zone nor a rule: \(notFound.reason)")
  }

  /// Reads the file through the link, as every other program does; the target gives the name.
  private func zone(link target: String) throws(ZoneError) -> Zone {
    do {
      return try Zone(name: nameInPath(target) ?? localtime, path: localtime)
    } catch  where error.code == .notFound {
      throw ZoneError(
        .notFound, localtime, "it points to '\(target)', which is not a time zone; install the package 'tzdata'")
    }
  }

  /// A copied file has no name. The name in `/etc/timezone` counts if that zone has the same content.
  private func zoneOfCopy() throws(ZoneError) -> Zone {
    let identity = FileIdentity(path: localtime)
    let content = try Zone.content(of: localtime)
    var name = localtime
    if let candidate = nameInFile(), (try? Zone.content(of: database.path(of: candidate))) == content {
      name = candidate
    }
    return try Zone(name: name, content: content, identity: identity)
  }

  /// The zone in Debian's own file: one line, possibly with comments or empty lines around it.
  private func nameInFile() -> String? {
    guard let bytes = try? RegularFile.read(timezone, limit: 4096) else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    return lines.first.map(String.init).flatMap { ZoneDatabase.isValidName($0) ? $0 : nil }
  }

  /// The part after the last `zoneinfo/`, wherever that folder is; NixOS has it in `/etc`.
  private func nameInPath(_ path: String) -> String? {
    let parts = path.split(separator: "/")
    guard let folder = parts.lastIndex(of: "zoneinfo") else { return nameInDatabase(path) }
    var name = parts[(folder + 1)...]
    if name.first == "posix" || name.first == "right" { name.removeFirst() }
    let text = name.joined(separator: "/")
    return ZoneDatabase.isValidName(text) ? text : nil
  }

  private func nameInDatabase(_ path: String) -> String? {
    guard path.hasPrefix(database.folder + "/") else { return nil }
    let name = String(path.dropFirst(database.folder.count + 1))
    return ZoneDatabase.isValidName(name) ? name : nil
  }
}
