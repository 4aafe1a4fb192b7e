// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemFiles

/// How a link proves to its server who it is.
package enum LinkSecret: Hashable, Sendable {
  /// An access token.
  case token(SecretPlace)
  /// A user of the server, and the password.
  case password(login: String, SecretPlace)
  /// The keys of a link over UnifiedPush: ``PushKeys``.
  case keys(SecretPlace)

  /// Where the token or the password is.
  package var place: SecretPlace {
    switch self {
    case .token(let place), .password(_, let place), .keys(let place): place
    }
  }
}

/// Where a token or a password is kept. It is never in the file of the link itself, which people show to others.
package enum SecretPlace: Hashable, Sendable {
  /// A file that only the user can read; relative to the folder of the link.
  case file(String)
  /// A credential that systemd passes to the service.
  case credential(String)

  /// The longest token or password.
  package static let longest = 4096

  /// Reads the secret, without the end of its line.
  ///
  /// - Parameter folder: the folder of the link.
  package func read(
    in folder: String, environment: (String) -> String? = EnvironmentVariable.value
  ) throws(SecretError) -> String {
    switch self {
    case .file(let name):
      let path = name.hasPrefix("/") ? name : "\(folder)/\(name)"
      return try Self.read(path, isPrivate: true)
    case .credential(let name):
      guard let folder = environment("CREDENTIALS_DIRECTORY") else {
        throw SecretError("systemd passes no credentials; add LoadCredential=\(name):FILE to suzu-link.service")
      }
      return try Self.read("\(folder)/\(name)", isPrivate: false)
    }
  }

  private static func read(_ path: String, isPrivate: Bool) throws(SecretError) -> String {
    let status: FileStatus
    let bytes: [UInt8]
    do throws(FileError) {
      let file = try RegularFile(path)
      status = file.status
      bytes = try file.readWhole(limit: longest)
    } catch {
      throw SecretError("'\(path)': \(error)")
    }
    // systemd's folder of credentials is closed to others as a whole.
    if isPrivate { try check(status, path) }
    return try checked(bytes, "'\(path)'")
  }

  /// Checks that only the user can read a file that others read later, such as a key.
  package static func checkIsPrivate(_ path: String) throws(SecretError) {
    let status: FileStatus
    do throws(Errno) { status = try FileStatus(path) } catch { throw SecretError("'\(path)': \(error)") }
    try check(status, path)
  }

  private static func check(_ status: FileStatus, _ path: String) throws(SecretError) {
    if status.permissions & 0o077 != 0 {
      throw SecretError("others can read '\(path)'; run 'chmod 600 \(path)'")
    }
    guard status.owner == getuid() || status.owner == 0 else {
      throw SecretError("'\(path)' belongs to another user")
    }
  }

  /// Makes a secret of the content of a file.
  package static func checked(_ bytes: [UInt8], _ what: String) throws(SecretError) -> String {
    let line = bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...]
    guard !line.isEmpty else { throw SecretError("\(what) is empty") }
    guard line.count <= longest else { throw SecretError("\(what) is longer than \(longest) bytes") }
    // Anything else could end a header, and begin another one.
    guard line.allSatisfy({ $0 > 31 && $0 != 127 }), let text = String(validating: line, as: UTF8.self) else {
      throw SecretError("\(what) must have one line of text")
    }
    return text
  }
}

/// Why a secret cannot be read; it says nothing of the secret itself.
package struct SecretError: Error, Hashable, CustomStringConvertible {
  /// One line.
  package let description: String
  /// - Parameter description: one line.
  package init(_ description: String) { self.description = description }
}
