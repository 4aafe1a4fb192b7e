// SPDX-License-Identifier: Apache-2.0
import CSQLite
import Glibc

/// A VFS for SQLite that writes through to the real one, and tells the simulated disk of each write and sync.
///
/// It is the default one while a disk is mounted, so that the store opens its database exactly as it always does. It
/// does not sync the real files, which matter to no one.
enum SimulatedFiles {
  // A simulation has one disk and one thread; no other test runs beside it.
  nonisolated(unsafe) private static var disk: SimulatedDisk?
  nonisolated(unsafe) private static var real: UnsafeMutablePointer<sqlite3_vfs>?
  nonisolated(unsafe) private static var own: UnsafeMutablePointer<sqlite3_vfs>?

  static func mount(_ disk: SimulatedDisk) {
    self.disk = disk
    if own == nil { make() }
    sqlite3_vfs_register(own, 1)
  }

  static func unmount() {
    disk = nil
    sqlite3_vfs_register(real, 1)
  }

  private static func make() {
    guard let real = sqlite3_vfs_find(nil) else { preconditionFailure("SQLite has no files") }
    self.real = real
    let own = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    own.initialize(to: real.pointee)
    own.pointee.zName = UnsafePointer(strdup("suzu-simulation"))
    own.pointee.pNext = nil
    own.pointee.szOsFile = Int32(Opened.size) + real.pointee.szOsFile
    own.pointee.xOpen = { _, name, file, flags, outFlags in SimulatedFiles.open(name, file, flags, outFlags) }
    self.own = own
  }

  /// The memory that SQLite gives us for an open file; the real one is behind it.
  private struct Opened {
    var base: sqlite3_file
    /// Nil if the changes of this file do not matter.
    var file: Unmanaged<SimulatedFile>?
    var path: Unmanaged<Path>?

    static let size = (MemoryLayout<Opened>.stride + 15) / 16 * 16
  }

  private final class Path {
    let text: String
    init(_ text: String) { self.text = text }
  }

  private static func opened(_ file: UnsafeMutablePointer<sqlite3_file>?) -> UnsafeMutablePointer<Opened> {
    // SQLite passes only files that `open` has filled in.
    UnsafeMutableRawPointer(file!).assumingMemoryBound(to: Opened.self)
  }

  private static func real(_ file: UnsafeMutablePointer<sqlite3_file>?) -> UnsafeMutablePointer<sqlite3_file> {
    UnsafeMutableRawPointer(file!).advanced(by: Opened.size).assumingMemoryBound(to: sqlite3_file.self)
  }

  private static func methods(_ file: UnsafeMutablePointer<sqlite3_file>?) -> sqlite3_io_methods {
    real(file).pointee.pMethods.pointee
  }

  private static func open(
    _ name: sqlite3_filename?, _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
    _ outFlags: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    let own = opened(file)
    own.initialize(to: Opened(base: sqlite3_file(pMethods: nil), file: nil, path: nil))
    real(file).pointee.pMethods = nil
    guard let vfs = real else { return SQLITE_CANTOPEN }
    let result = vfs.pointee.xOpen(vfs, name, real(file), flags, outFlags)
    // SQLite calls xClose if there are methods, also after a failure.
    if real(file).pointee.pMethods != nil { own.pointee.base.pMethods = UnsafePointer(table) }
    guard result == SQLITE_OK, let name else { return result }
    let path = String(cString: name)
    if let simulated = disk?.file(path) {
      own.pointee.file = .passRetained(simulated)
      own.pointee.path = .passRetained(Path(path))
    }
    return result
  }

  /// Version 1 has no shared memory: the store uses none.
  nonisolated(unsafe) private static let table: UnsafeMutablePointer<sqlite3_io_methods> = {
    let table = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    var methods = sqlite3_io_methods()
    methods.iVersion = 1
    methods.xClose = { file in
      let own = SimulatedFiles.opened(file)
      own.pointee.file?.release()
      own.pointee.path?.release()
      return SimulatedFiles.methods(file).xClose(SimulatedFiles.real(file))
    }
    methods.xRead = { file, bytes, count, offset in
      SimulatedFiles.methods(file).xRead(SimulatedFiles.real(file), bytes, count, offset)
    }
    methods.xWrite = { file, bytes, count, offset in
      if let simulated = SimulatedFiles.opened(file).pointee.file?.takeUnretainedValue(),
        SimulatedFiles.disk?.hasRoom(for: simulated, toGrowTo: Int(offset) + Int(count)) == false
      {
        return SQLITE_FULL
      }
      if SimulatedFiles.opened(file).pointee.file != nil, SimulatedFiles.disk?.fails() == true { return SQLITE_IOERR }
      let result = SimulatedFiles.methods(file).xWrite(SimulatedFiles.real(file), bytes, count, offset)
      if result == SQLITE_OK, let simulated = SimulatedFiles.opened(file).pointee.file {
        simulated.takeUnretainedValue().write(
          UnsafeRawBufferPointer(start: bytes, count: Int(count)), at: Int(offset))
        if let path = SimulatedFiles.opened(file).pointee.path?.takeUnretainedValue().text {
          SimulatedFiles.disk?.wrote(path)
        }
      }
      return result
    }
    methods.xTruncate = { file, size in
      let result = SimulatedFiles.methods(file).xTruncate(SimulatedFiles.real(file), size)
      if result == SQLITE_OK { SimulatedFiles.opened(file).pointee.file?.takeUnretainedValue().truncate(to: Int(size)) }
      return result
    }
    methods.xSync = { file, flags in
      guard let path = SimulatedFiles.opened(file).pointee.path else { return SQLITE_OK }
      if SimulatedFiles.disk?.fails() == true { return SQLITE_IOERR }
      SimulatedFiles.disk?.sync(path.takeUnretainedValue().text)
      return SQLITE_OK
    }
    methods.xFileSize = { file, size in SimulatedFiles.methods(file).xFileSize(SimulatedFiles.real(file), size) }
    methods.xLock = { file, level in SimulatedFiles.methods(file).xLock(SimulatedFiles.real(file), level) }
    methods.xUnlock = { file, level in SimulatedFiles.methods(file).xUnlock(SimulatedFiles.real(file), level) }
    methods.xCheckReservedLock = { file, result in
      SimulatedFiles.methods(file).xCheckReservedLock(SimulatedFiles.real(file), result)
    }
    methods.xFileControl = { file, operation, argument in
      SimulatedFiles.methods(file).xFileControl(SimulatedFiles.real(file), operation, argument)
    }
    methods.xSectorSize = { file in SimulatedFiles.methods(file).xSectorSize(SimulatedFiles.real(file)) }
    methods.xDeviceCharacteristics = { file in
      SimulatedFiles.methods(file).xDeviceCharacteristics(SimulatedFiles.real(file))
    }
    table.initialize(to: methods)
    return table
  }()
}
