// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemFiles

/// A folder of time zone files, such as `/usr/share/zoneinfo`. Nothing is cached: each query reads the current files.
public struct ZoneDatabase: Sendable {
  /// The path of the folder.
  public let folder: String

  /// A database in the given folder.
  public init(folder: String) { self.folder = folder }

  /// The database of the C library: `TZDIR`, else the first of the usual folders that exists.
  public static var system: ZoneDatabase {
    if let folder = environmentVariable("TZDIR"), folder.hasPrefix("/") { return ZoneDatabase(folder: folder) }
    let places = ["/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo", "/etc/zoneinfo"]
    return ZoneDatabase(folder: places.first { access($0, X_OK) == 0 } ?? places[0])
  }

  /// The zone with this name or alias. The zone keeps the name that was given.
  public func zone(named name: String) throws(ZoneError) -> Zone {
    guard Self.isValidName(name) else {
      throw ZoneError(.invalidName, name, "not a time zone name")
    }
    do {
      return try Zone(name: name, path: path(of: name))
    } catch  where error.code == .notFound || isFolder(name) {
      throw notFound(name)
    }
  }

  /// The zone with this name or alias; nil if there is none, or its file cannot be read. For names that others chose, of
  /// which thousands may be unknown: ``zone(named:)`` compares each unknown name with all zones, to suggest one.
  public func knownZone(_ name: String) -> Zone? {
    Self.isValidName(name) ? try? Zone(name: name, path: path(of: name)) : nil
  }

  /// The identity of a zone's file, also if it is missing; nil for an invalid name.
  public func identity(of name: String) -> FileIdentity? {
    Self.isValidName(name) ? FileIdentity(path: path(of: name)) : nil
  }

  /// Whether a name is valid: parts of letters, digits and `._+-`, separated by slashes, none hidden. Such a path stays
  /// inside the folder.
  static func isValidName(_ name: String) -> Bool {
    let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return name.utf8.count < 256 && parts.allSatisfy { $0.first != UInt8(ascii: ".") && isValidPart($0) }
  }

  private static func isValidPart(_ part: Substring.UTF8View) -> Bool {
    !part.isEmpty
      && part.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "+"),
          UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }

  func path(of name: String) -> String { folder + "/" + name }

  func isFolder(_ name: String) -> Bool { FileStatus.isFolder(path(of: name)) }

  private func notFound(_ name: String) -> ZoneError {
    let names = names()
    if names.isEmpty {
      return ZoneError(.notFound, name, "there are no time zones in '\(folder)'; install the package 'tzdata'")
    }
    let near = names.filter { Self.isNear($0, name) }
    // 'est' may be near a zone without summer time.
    if near.isEmpty || near == [name.uppercased()], let city = ZoneAbbreviation.city(of: name) {
      return ZoneError(.notFound, name, "is an abbreviation; write a city's zone, such as \(city)")
    }
    let hint = near.isEmpty ? "" : "; did you mean \(near.prefix(3).map { "'\($0)'" }.joined(separator: " or "))?"
    return ZoneError(.notFound, name, "unknown time zone" + hint)
  }

  /// Whether the names or cities are equal, except for case and `_` instead of a space or a hyphen.
  private static func isNear(_ known: String, _ asked: String) -> Bool {
    func plain(_ text: Substring) -> String { text.lowercased().filter { $0.isLetter || $0.isNumber || $0 == "+" } }
    func city(_ text: String) -> Substring { text.split(separator: "/").last ?? "" }
    return plain(known[...]) == plain(asked[...]) || plain(city(known)) == plain(city(asked))
  }
}

/// A copy of the value, so that `setenv` cannot change it.
func environmentVariable(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}
