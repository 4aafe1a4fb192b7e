// SPDX-License-Identifier: Apache-2.0

/// An error of the disk, of SQLite or of the file's contents.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error; new codes may be added.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's name.
    public let rawValue: String
    /// From a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The disk is full: new requests are refused, stored data can be read.
    public static let full = Code(rawValue: "full")
    /// The file system is not writable.
    public static let readOnly = Code(rawValue: "readOnly")
    /// The disk failed; the last commit may be lost.
    public static let inputOutput = Code(rawValue: "inputOutput")
    /// The file is damaged.
    public static let damaged = Code(rawValue: "damaged")
    /// Another process has this store open.
    public static let alreadyOpen = Code(rawValue: "alreadyOpen")
    /// The file was written by a newer Suzu.
    public static let newerSchema = Code(rawValue: "newerSchema")
    /// The folder or file belongs to another user, or permission to open it is missing.
    public static let notPermitted = Code(rawValue: "notPermitted")
    /// Writing failed several times in a row; ``Store/tryAgain()`` tries again.
    public static let degraded = Code(rawValue: "degraded")
    /// The store was closed, or could not be reopened after a failure.
    public static let closed = Code(rawValue: "closed")
    /// Out of memory.
    public static let outOfMemory = Code(rawValue: "outOfMemory")
    /// The row does not exist.
    public static let notFound = Code(rawValue: "notFound")
    /// The app has reached its quota.
    public static let quota = Code(rawValue: "quota")
    /// One of our SQL statements is wrong, or was used wrongly.
    public static let misuse = Code(rawValue: "misuse")
  }

  /// The kind of error.
  public let code: Code
  /// The [extended result code](https://www.sqlite.org/rescode.html) of SQLite, the `errno` of a system call, or 0.
  public let extendedCode: Int32
  /// One line for the user; it contains no text of a request.
  public let message: String
  /// The SQL statement, without its bound values.
  public let sql: String?

  /// Creates an error that was not caused by a system call or SQLite.
  public init(_ code: Code, _ message: String, extendedCode: Int32 = 0, sql: String? = nil) {
    self.code = code
    self.message = message
    self.extendedCode = extendedCode
    self.sql = sql
  }

  /// One line for a log or a terminal.
  public var description: String {
    "store: \(code.rawValue): \(message)" + (extendedCode == 0 ? "" : " (\(extendedCode))")
      + (sql.map { " in '\($0)'" } ?? "")
  }
}
