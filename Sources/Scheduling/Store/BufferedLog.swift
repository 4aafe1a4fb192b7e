// SPDX-License-Identifier: Apache-2.0
internal import CSQLite
internal import Glibc

/// Files for SQLite whose -wal is written in large pieces. SQLite writes each page with two system calls, and a commit
/// of many requests has thousands of pages.
///
/// A commit is complete in the file before SQLite learns that it was written. So a failure, the end of the process, and
/// a loss of power have the effects that they have without the buffer.
enum BufferedLog {
  /// The name of these files, for opening a database. They pass everything on to the files that are SQLite's default at
  /// present. Nil if there is no memory.
  static var name: UnsafePointer<CChar>? {
    guard let real = sqlite3_vfs_find(nil), let realName = real.pointee.zName else { return nil }
    let name = "suzu-log-" + String(cString: realName)
    if let known = sqlite3_vfs_find(name) { return known.pointee.zName }
    // Registered as long as the process lives. If two threads do this at the same time, both work.
    let files = UnsafeMutablePointer<Files>.allocate(capacity: 1)
    files.initialize(to: Files(own: real.pointee, real: real))
    files.pointee.own.zName = UnsafePointer(strdup(name))
    files.pointee.own.pNext = nil
    files.pointee.own.szOsFile += Int32(LogFile.size)
    files.pointee.own.xOpen = { own, path, file, flags, outFlags in
      guard let own, let file else { return SQLITE_MISUSE }
      let real = UnsafeMutableRawPointer(own).assumingMemoryBound(to: Files.self).pointee.real
      if flags & SQLITE_OPEN_WAL == 0 { return real.pointee.xOpen(real, path, file, flags, outFlags) }
      return LogFile.open(file) { real.pointee.xOpen(real, path, $0, flags, outFlags) }
    }
    let result = files.withMemoryRebound(to: sqlite3_vfs.self, capacity: 1) { sqlite3_vfs_register($0, 0) }
    return result == SQLITE_OK ? files.pointee.own.zName : nil
  }

  /// SQLite has a pointer to the first property, and passes it back.
  private struct Files {
    var own: sqlite3_vfs
    let real: UnsafeMutablePointer<sqlite3_vfs>
  }
}

/// An open -wal, in the memory that SQLite provides for it; the real file follows behind.
private struct LogFile {
  typealias File = UnsafeMutablePointer<sqlite3_file>

  /// SQLite calls the methods of the file.
  private var base: sqlite3_file
  private let bytes: UnsafeMutableRawPointer
  /// The position in the file of the first byte in the buffer.
  private var start: Int64 = 0
  private var count = 0
  /// Whether the frame that is being written ends a commit.
  private var endsCommit = false

  /// The size of this and of the gap before the real file, which any type may follow.
  static let size = (MemoryLayout<LogFile>.stride + 15) / 16 * 16
  private static let capacity = 64 << 10
  private static let frameHeader = 24

  static func open(_ file: File, _ openReal: (File) -> Int32) -> Int32 {
    let real = real(file)
    real.pointee.pMethods = nil
    file.pointee.pMethods = nil
    guard let bytes = malloc(capacity) else { return SQLITE_NOMEM }
    let result = openReal(real)
    // SQLite calls xClose if there are methods, also after a failure.
    guard real.pointee.pMethods != nil else {
      free(bytes)
      return result
    }
    UnsafeMutableRawPointer(file).initializeMemory(
      as: LogFile.self, to: LogFile(base: sqlite3_file(pMethods: UnsafePointer(methods)), bytes: bytes))
    return result
  }

  private init(base: sqlite3_file, bytes: UnsafeMutableRawPointer) {
    self.base = base
    self.bytes = bytes
  }

  private static func log(_ file: File?) -> UnsafeMutablePointer<LogFile> {
    // SQLite passes only files that `open` has filled in.
    UnsafeMutableRawPointer(file!).assumingMemoryBound(to: LogFile.self)
  }

  private static func real(_ file: File?) -> File {
    // SQLite passes only files that `open` has filled in.
    UnsafeMutableRawPointer(file!).advanced(by: size).assumingMemoryBound(to: sqlite3_file.self)
  }

  private static func realMethods(_ file: File?) -> UnsafePointer<sqlite3_io_methods> { real(file).pointee.pMethods }

  /// Writes the buffer to the file, and empties it also after a failure: SQLite then takes the transaction back and
  /// writes the same part of the file again.
  private static func flush(_ file: File?) -> Int32 {
    let log = log(file)
    let count = log.pointee.count
    if count == 0 { return SQLITE_OK }
    log.pointee.count = 0
    return realMethods(file).pointee.xWrite(real(file), log.pointee.bytes, Int32(count), log.pointee.start)
  }

  /// Calls the real file, which then has all that was written.
  private static func flushed(_ file: File?, _ call: (sqlite3_io_methods, File) -> Int32) -> Int32 {
    let result = flush(file)
    return result == SQLITE_OK ? call(realMethods(file).pointee, real(file)) : result
  }

  private static func write(_ file: File?, _ bytes: UnsafeRawPointer, _ count: Int, at offset: Int64) -> Int32 {
    let log = log(file)
    if log.pointee.count + count > capacity || offset != log.pointee.start + Int64(log.pointee.count) {
      let result = flush(file)
      if result != SQLITE_OK { return result }
      if count > capacity { return realMethods(file).pointee.xWrite(real(file), bytes, Int32(count), offset) }
    }
    if log.pointee.count == 0 { log.pointee.start = offset }
    (log.pointee.bytes + log.pointee.count).copyMemory(from: bytes, byteCount: count)
    log.pointee.count += count
    // A frame is a header and a page, written one after another. The header of the last frame of a commit has the size
    // of the database in its second word, those of the others have zero there.
    if count == frameHeader {
      log.pointee.endsCommit = bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self) != 0
      return SQLITE_OK
    }
    return log.pointee.endsCommit ? flush(file) : SQLITE_OK
  }

  /// Version 1 has no shared memory, which only the database file would need.
  nonisolated(unsafe) private static let methods: UnsafeMutablePointer<sqlite3_io_methods> = {
    let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    methods.initialize(to: sqlite3_io_methods())
    methods.pointee.iVersion = 1
    methods.pointee.xClose = { file in
      let flushed = LogFile.flush(file)
      free(LogFile.log(file).pointee.bytes)
      let closed = LogFile.realMethods(file).pointee.xClose(LogFile.real(file))
      return flushed == SQLITE_OK ? closed : flushed
    }
    methods.pointee.xRead = { file, bytes, count, offset in
      LogFile.flushed(file) { $0.xRead($1, bytes, count, offset) }
    }
    methods.pointee.xWrite = { file, bytes, count, offset in
      bytes.map { LogFile.write(file, $0, Int(count), at: offset) } ?? SQLITE_MISUSE
    }
    methods.pointee.xTruncate = { file, size in LogFile.flushed(file) { $0.xTruncate($1, size) } }
    methods.pointee.xSync = { file, flags in LogFile.flushed(file) { $0.xSync($1, flags) } }
    methods.pointee.xFileSize = { file, size in LogFile.flushed(file) { $0.xFileSize($1, size) } }
    methods.pointee.xLock = { file, level in LogFile.realMethods(file).pointee.xLock(LogFile.real(file), level) }
    methods.pointee.xUnlock = { file, level in LogFile.realMethods(file).pointee.xUnlock(LogFile.real(file), level) }
    methods.pointee.xCheckReservedLock = { file, result in
      LogFile.realMethods(file).pointee.xCheckReservedLock(LogFile.real(file), result)
    }
    methods.pointee.xFileControl = { file, operation, argument in
      LogFile.realMethods(file).pointee.xFileControl(LogFile.real(file), operation, argument)
    }
    methods.pointee.xSectorSize = { file in LogFile.realMethods(file).pointee.xSectorSize(LogFile.real(file)) }
    methods.pointee.xDeviceCharacteristics = { file in
      LogFile.realMethods(file).pointee.xDeviceCharacteristics(LogFile.real(file))
    }
    return methods
  }()
}
