// SPDX-License-Identifier: Apache-2.0
internal import CSQLite
internal import Glibc

extension StoreError {
  /// Creates an error from a failed system call.
  init(_ call: String, _ path: String, _ number: Int32 = errno) {
    let code: Code =
      switch number {
      case ENOSPC, EDQUOT, EFBIG: .full
      case EROFS: .readOnly
      case EACCES, EPERM, ELOOP: .notPermitted
      case ENOMEM: .outOfMemory
      default: .inputOutput
      }
    self.init(code, "\(call) of '\(path)': \(String(cString: strerror(number)))", extendedCode: number)
  }

  /// Creates an error from a result code of SQLite; `connection` has details about the last one.
  init(sqlite result: Int32, on connection: OpaquePointer?, sql: String? = nil) {
    let system = connection.map { sqlite3_system_errno($0) } ?? 0
    let message = connection.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(result))
    self.init(
      Self.code(of: result, system: system),
      message + (system == 0 ? "" : ": \(String(cString: strerror(system)))"), extendedCode: result, sql: sql)
  }

  private static func code(of result: Int32, system: Int32) -> Code {
    switch result & 0xff {
    case SQLITE_FULL: .full
    case SQLITE_READONLY: .readOnly
    // SQLite reports a full disk only for writes; for a truncation or a sync it reports an I/O error.
    case SQLITE_IOERR where system == ENOSPC || system == EDQUOT: .full
    case SQLITE_IOERR where system == EROFS, SQLITE_CANTOPEN where system == EROFS: .readOnly
    // SQLITE_IOERR_NOMEM and SQLITE_IOERR_SHORT_READ are macros that Swift does not import: 12 and 2 above the class.
    case SQLITE_IOERR where result >> 8 == 12: .outOfMemory
    // A page is missing: the file is truncated.
    case SQLITE_IOERR where result >> 8 == 2: .damaged
    case SQLITE_IOERR: .inputOutput
    case SQLITE_CANTOPEN: system == EACCES || system == EPERM ? .notPermitted : .inputOutput
    case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT: .damaged
    case SQLITE_BUSY, SQLITE_LOCKED: .alreadyOpen
    case SQLITE_PERM, SQLITE_AUTH: .notPermitted
    case SQLITE_NOMEM: .outOfMemory
    default: .misuse
    }
  }
}
