// SPDX-License-Identifier: Apache-2.0

/// What the disk, SQLite or the file itself refused.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What failed; new codes may come.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's name.
    public let rawValue: String
    /// From a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The disk is full: nothing new is taken, everything stored can be read.
    public static let full = Code(rawValue: "full")
    /// The file system cannot be written to.
    public static let readOnly = Code(rawValue: "readOnly")
    /// The disk did not do what it was asked; what was being committed is not promised.
    public static let inputOutput = Code(rawValue: "inputOutput")
    /// The file is not what was written to it.
    public static let damaged = Code(rawValue: "damaged")
    /// Another process has this store open.
    public static let alreadyOpen = Code(rawValue: "alreadyOpen")
    /// A newer Suzu has written this file.
    public static let newerSchema = Code(rawValue: "newerSchema")
    /// The folder or file belongs to somebody else, or may not be opened.
    public static let notPermitted = Code(rawValue: "notPermitted")
    /// Writing failed several times in a row; ``Store/tryAgain()`` asks the disk anew.
    public static let degraded = Code(rawValue: "degraded")
    /// The store was closed, or could not be opened again after a failure.
    public static let closed = Code(rawValue: "closed")
    /// No memory.
    public static let outOfMemory = Code(rawValue: "outOfMemory")
    /// The row that was named is not there.
    public static let notFound = Code(rawValue: "notFound")
    /// The app has as much in the store as it may have.
    public static let quota = Code(rawValue: "quota")
    /// An SQL statement of ours is wrong, or was used wrongly.
    public static let misuse = Code(rawValue: "misuse")
  }

  /// What to switch on.
  public let code: Code
  /// SQLite's [extended result code](https://www.sqlite.org/rescode.html), or the `errno` of a system call; 0: neither.
  public let extendedCode: Int32
  /// One line for a person; holds no text of any request.
  public let message: String
  /// The statement, without the values that were bound to it.
  public let sql: String?

  /// An error of our own making.
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
