// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemFiles

/// A folder of time zones' files, such as `/usr/share/zoneinfo`. Nothing is kept: each question reads what is there now.
public struct ZoneDatabase: Sendable {
  /// Where the files are.
  public let folder: String

  /// A folder of your own.
  public init(folder: String) { self.folder = folder }

  /// What the C library uses: `TZDIR`, else the first of the usual places that is there.
  public static var system: ZoneDatabase {
    if let folder = environmentVariable("TZDIR"), folder.hasPrefix("/") { return ZoneDatabase(folder: folder) }
    let places = ["/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo", "/etc/zoneinfo"]
    return ZoneDatabase(folder: places.first { access($0, X_OK) == 0 } ?? places[0])
  }

  /// A zone by its name or by an older one (an alias); the name is kept as it was asked for.
  public func zone(named name: String) throws(ZoneError) -> Zone {
    guard Self.isValidName(name) else {
      throw ZoneError(.invalidName, name, "not a time zone name; for example 'Europe/Paris'")
    }
    do {
      return try Zone(name: name, path: path(of: name))
    } catch  where error.code == .notFound || isFolder(name) {
      throw notFound(name)
    }
  }

  /// To be compared later; also of a zone that is not there. Nil for what cannot be a name.
  public func identity(of name: String) -> FileIdentity? {
    Self.isValidName(name) ? FileIdentity(path: path(of: name)) : nil
  }

  /// Whether it may be looked for: parts of letters, digits and `._+-` with slashes between them, none hidden. So it stays
  /// in the folder.
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
    let hint = near.isEmpty ? "" : "; did you mean \(near.prefix(3).map { "'\($0)'" }.joined(separator: " or "))?"
    return ZoneError(.notFound, name, "unknown time zone" + hint)
  }

  /// But for case, and `_` for a space or a hyphen, the same name or the same city.
  private static func isNear(_ known: String, _ asked: String) -> Bool {
    func plain(_ text: Substring) -> String { text.lowercased().filter { $0.isLetter || $0.isNumber || $0 == "+" } }
    func city(_ text: String) -> Substring { text.split(separator: "/").last ?? "" }
    return plain(known[...]) == plain(asked[...]) || plain(city(known)) == plain(city(asked))
  }
}

/// A copy, so that nothing is left that `setenv` could change.
func environmentVariable(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}
