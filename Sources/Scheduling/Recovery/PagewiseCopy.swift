// SPDX-License-Identifier: Apache-2.0
internal import CSQLite

/// A copy of an open database, made a few pages at a time; it includes concurrent changes of the same connection.
final class PagewiseCopy {
  private let target: OpaquePointer
  private var copying: OpaquePointer?

  /// - Parameter path: an empty file.
  init(of source: OpaquePointer, to path: String) throws(StoreError) {
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE
    let result = sqlite3_open_v2(path, &handle, flags, nil)
    guard result == SQLITE_OK, let handle else {
      let error = StoreError(sqlite: result, on: handle)
      sqlite3_close_v2(handle)
      throw error
    }
    // We sync the copy ourselves, piece by piece; it has no value before it is complete.
    sqlite3_exec(handle, "PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF", nil, nil, nil)
    guard let copying = sqlite3_backup_init(handle, "main", source, "main") else {
      let error = StoreError(sqlite: sqlite3_errcode(handle), on: handle)
      sqlite3_close_v2(handle)
      throw error
    }
    target = handle
    self.copying = copying
  }

  deinit {
    if let copying { sqlite3_backup_finish(copying) }
    sqlite3_close_v2(target)
  }

  /// Copies some pages; returns true if the copy is complete. The caller syncs them.
  func step(pages: Int32) throws(StoreError) -> Bool {
    guard let copying else { return true }
    let result = sqlite3_backup_step(copying, pages)
    guard result == SQLITE_OK || result == SQLITE_DONE else { throw StoreError(sqlite: result, on: target) }
    if result == SQLITE_DONE {
      self.copying = nil
      let result = sqlite3_backup_finish(copying)
      if result != SQLITE_OK { throw StoreError(sqlite: result, on: target) }
    }
    return result == SQLITE_DONE
  }
}

/// A copy of a store in use; if it is dropped before it is complete, it leaves no file.
public final class StoreCopy {
  private let unfinished: UnfinishedCopy
  private var copy: PagewiseCopy?

  init(_ files: StoreFiles, name: String, of source: OpaquePointer) throws(StoreError) {
    unfinished = UnfinishedCopy(files: files, name: name)
    try StoreFiles.remove(unfinished.path)
    try StoreFiles.makeEmpty(unfinished.path)
    copy = try PagewiseCopy(of: source, to: unfinished.path)
  }

  deinit {
    if copy != nil {
      copy = nil
      try? StoreFiles.remove(unfinished.path)
    }
  }

  /// Copies some more pages. The copy may go on when the result has been settled, which waits for the disk and may be
  /// done on another thread.
  public func copy(pages: Int = 256) throws(StoreError) -> CopiedPages {
    guard let copy else { throw StoreError(.misuse, "the copy is complete") }
    let isComplete = try copy.step(pages: Int32(clamping: pages))
    if isComplete { self.copy = nil }
    return CopiedPages(unfinished: unfinished, isComplete: isComplete)
  }

  /// Continues the copy, and waits for the disk; returns true if it is complete and in place, and the oldest copy is
  /// deleted.
  public func step(pages: Int = 256) throws(StoreError) -> Bool {
    if copy == nil { return true }
    let copied = try copy(pages: pages)
    try copied.settle()
    return copied.isComplete
  }
}

/// The file of a copy until it is complete.
private struct UnfinishedCopy: Sendable {
  let files: StoreFiles
  let name: String
  var path: String { files.path("suzu.db.unfinished-copy") }

  /// The number of copies to keep.
  private static let kept = 2

  /// Gives the complete copy its name, and deletes the oldest one.
  func putInPlace() throws(StoreError) {
    try StoreFiles.rename(path, to: files.path(name))
    try files.sync()
    // If the clock was set back, the new copy's name is not the newest.
    let others = files.names(withPrefix: files.copyPrefix).filter { $0 != name }
    for old in others.dropLast(Self.kept - 1) { try StoreFiles.remove(files.path(old)) }
  }
}

/// Pages of a copy that are not on the disk yet.
public struct CopiedPages: Sendable {
  fileprivate let unfinished: UnfinishedCopy
  /// Whether these were the last ones.
  public let isComplete: Bool

  /// Waits until they are on the disk, and after the last ones puts the copy in place.
  ///
  /// After each piece, not once at the end: the kernel would make the center wait while it writes when too much of the
  /// copy is only in memory.
  public func settle() throws(StoreError) {
    try StoreFiles.sync(file: unfinished.path)
    if isComplete { try unfinished.putInPlace() }
  }
}

extension Store {
  /// Begins a copy of all commits: once a day, or before a risky operation.
  public func beginCopy() throws(StoreError) -> StoreCopy {
    let name = files.copyPrefix + FileDate.text(clock())
    return try read { database throws(StoreError) in try database.beginCopy(files, name: name) }
  }

  /// Writes a copy in one go, and returns its path.
  @discardableResult
  public func backup() throws(StoreError) -> String {
    let name = files.copyPrefix + FileDate.text(clock())
    let copy = try read { database throws(StoreError) in try database.beginCopy(files, name: name) }
    while try !copy.step(pages: .max) {}
    return files.path(name)
  }

  /// When the newest copy was made; nil if there is none.
  public var lastCopy: Timestamp? {
    files.names(withPrefix: files.copyPrefix).last.flatMap {
      FileDate.time($0.dropFirst(files.copyPrefix.count))
    }
  }
}
