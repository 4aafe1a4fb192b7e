// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Scheduling

/// The disk of one simulated machine: a folder for the store, and what a kill or a loss of power leaves of it.
///
/// SQLite writes through to real files, by ``SimulatedFiles``, and each write is also recorded here. The other small
/// files of the store are as the kernel has them. The names in the folder count as synced.
final class SimulatedDisk {
  let folder: String
  private var files: [String: SimulatedFile] = [:]
  /// Called before and after each sync of the database or its log.
  var whenSyncing: (_ isDone: Bool) -> Void = { _ in }
  /// Called after each piece of the log that is written.
  var whenWriting: () -> Void = {}
  /// Called after each page of the log that is moved into the file.
  var whenMoving: () -> Void = {}
  /// Called with what the center does wrong, although only a loss of power at that moment would show it.
  var whenBroken: (_ what: String) -> Void = { _ in }
  /// What the files of the store may take in all while the disk is full; nil if nothing was written since.
  private var capacity: Int?
  /// How many writes and syncs will fail.
  var failures = 0
  /// Called when one does.
  var whenFailing: () -> Void = {}
  /// The number of syncs so far.
  private(set) var syncs = 0

  /// What is on the disk at one moment, by the names of the files.
  typealias Image = [String: [UInt8]]

  init(folder: String) {
    self.folder = folder
    SimulatedFiles.mount(self)
    WriteBack.whenSynced = { [weak self] path in self?.sync(path) }
  }

  func unmount() {
    WriteBack.whenSynced = nil
    SimulatedFiles.unmount()
    try? FileManager.default.removeItem(atPath: folder)
  }

  // MARK: From SQLite

  /// The file with this path; nil if its changes do not matter, such as those of a copy.
  func file(_ path: String) -> SimulatedFile? {
    guard path == folder + "/suzu.db" || path == folder + "/suzu.db-wal" else { return nil }
    if let file = files[path] { return file }
    let file = SimulatedFile(Self.read(path))
    files[path] = file
    return file
  }

  func sync(_ path: String) {
    guard let file = file(path) else { return }
    whenSyncing(false)
    file.sync()
    syncs += 1
    whenSyncing(true)
  }

  /// A page of the database has been written. Its log must be on the disk by then: after a loss of power, the file
  /// would have changes of commits that the log has lost.
  func wrote(_ path: String) {
    if path == folder + "/suzu.db-wal" { whenWriting() }
    guard path == folder + "/suzu.db", let log = files[path + "-wal"] else { return }
    if log.isSynced { whenMoving() } else { whenBroken("the log is moved into the file before it is on the disk") }
  }

  // MARK: Faults

  /// Whether something else has taken the rest of the disk.
  var isFull = false { didSet { capacity = nil } }

  /// Whether the next write or sync fails.
  func fails() -> Bool {
    if failures == 0 { return false }
    failures -= 1
    whenFailing()
    return true
  }

  /// Whether a file may grow to a size.
  func hasRoom(for file: SimulatedFile, toGrowTo size: Int) -> Bool {
    guard isFull, size > file.size else { return true }
    let filled = files.values.reduce(0) { $0 + $1.size }
    // The space that the store reserves is there, also if an earlier full disk has taken it.
    let capacity = capacity ?? filled + (1 << 20)
    self.capacity = capacity
    var reserve = stat()
    stat(folder + "/suzu.db.ballast", &reserve)
    return filled + Int(reserve.st_size) + size - file.size <= capacity
  }

  /// What the next start finds if the center is killed now; or if the power fails now.
  func image(afterPowerLoss random: SeededRandom?) -> Image {
    var image: Image = [:]
    for name in Self.names {
      let path = folder + "/" + name
      guard FileManager.default.fileExists(atPath: path) else { continue }
      image[name] = files[path]?.content ?? Self.read(path)
    }
    if var random {
      // By name, so that the same numbers have the same effect.
      for path in files.keys.sorted() {
        let name = String(path.dropFirst(folder.count + 1))
        if image[name] != nil { image[name] = files[path]?.remains(&random) }
      }
    }
    return image
  }

  /// Puts this on the disk, after the center that used it has ended.
  func restore(_ image: Image) throws {
    files = [:]
    capacity = nil
    for name in Self.names {
      let path = folder + "/" + name
      if let bytes = image[name] {
        try Data(bytes).write(to: URL(filePath: path))
      } else {
        unlink(path)
      }
    }
  }

  /// All files of a store but its lock and the space that it reserves.
  private static let names = ["suzu.db", "suzu.db-wal", "suzu.db.witness", "suzu.db.intent"]

  private static func read(_ path: String) -> [UInt8] {
    (try? Data(contentsOf: URL(filePath: path))).map(Array.init) ?? []
  }
}
