// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// The simulated disk of one folder, on which a recording is replayed: the synced data, and the data that may be lost.
///
/// A file's content is synced by a sync of the file, its name by one of the folder, and neither by the other.
struct PowerLoss {
  /// Which syncs the disk only says that it did.
  enum Lie: Hashable, CaseIterable {
    case folder, log, database
  }

  /// How much of what was not synced is there after the loss.
  struct Remains: CustomStringConvertible {
    enum Names: CaseIterable { case asSynced, inOrder, inAnyOrder }

    /// In what pieces content gets to the disk.
    var unit = 4096
    /// How many of 100 pieces do.
    var percentage = 0
    var names = Names.asSynced

    var description: String { "\(percentage)% of \(unit) bytes, names \(names)" }

    static let onlySynced = Remains()

    static func random(_ random: inout some RandomNumberGenerator, _ names: Names) -> Remains {
      Remains(
        unit: Bool.random(using: &random) ? 512 : 4096,
        percentage: [10, 50, 90, 100].randomElement(using: &random) ?? 50,
        names: names)
    }
  }

  private final class File {
    enum Change {
      case bytes(ArraySlice<UInt8>, at: Int)
      case size(Int)
      case atLeast(Int)
    }

    var synced: [UInt8] = []
    var changes: [Change] = []

    func sync() {
      for change in changes { Self.apply(change, to: &synced) }
      changes = []
    }

    static func apply(_ change: Change, to bytes: inout [UInt8]) {
      switch change {
      case .bytes(let new, let offset):
        grow(&bytes, to: offset + new.count)
        bytes.withUnsafeMutableBytes { bytes in
          new.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: bytes[offset...]).copyMemory(from: $0) }
        }
      case .size(let size):
        if size < bytes.count { bytes.removeLast(bytes.count - size) } else { grow(&bytes, to: size) }
      case .atLeast(let size): grow(&bytes, to: size)
      }
    }

    private static func grow(_ bytes: inout [UInt8], to size: Int) {
      if size > bytes.count { bytes += [UInt8](repeating: 0, count: size - bytes.count) }
    }

    func remains(_ remains: Remains, _ random: inout some RandomNumberGenerator) -> [UInt8] {
      var bytes = synced
      for change in changes {
        guard case .bytes(let new, let offset) = change else {
          if Int.random(in: 0..<100, using: &random) < remains.percentage { Self.apply(change, to: &bytes) }
          continue
        }
        var start = 0
        while start < new.count {
          let end = min(new.count, ((offset + start) / remains.unit + 1) * remains.unit - offset)
          if Int.random(in: 0..<100, using: &random) < remains.percentage {
            let piece = new[(new.startIndex + start)..<(new.startIndex + end)]
            Self.apply(.bytes(piece, at: offset + start), to: &bytes)
          }
          start = end
        }
      }
      return bytes
    }
  }

  private let lie: Lie?
  private var files: [UInt64: File] = [:]
  private var names: [String: File] = [:]
  private var syncedNames: [String: File] = [:]
  /// One thing done to names: a rename is done as a whole or not at all.
  private var nameChanges: [[(name: String, file: File?)]] = []
  private var isThere = false
  private var isFolderSynced = false

  /// Starts empty, or with the contents of a folder, all of it synced.
  init(of folder: String? = nil, lie: Lie? = nil) throws {
    self.lie = lie
    guard let folder else { return }
    (isThere, isFolderSynced) = (true, true)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let path = folder + "/" + name
      let file = File()
      file.synced = [UInt8](try Data(contentsOf: URL(filePath: path)))
      let number = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? UInt64
      guard let number else { throw TestFailure("'\(path)' has no number") }
      files[number] = file
      names[name] = file
    }
    syncedNames = names
  }

  mutating func replay(_ event: RecordedDisk.Event) {
    switch event.kind {
    case .madeFolder: isThere = true
    case .syncedParent: isFolderSynced = isThere
    case .created:
      // The number may have been another file's, which is gone.
      let file = File()
      files[event.inode] = file
      rename([(event.text, file)])
    case .wrote: files[event.inode]?.changes.append(.bytes(event.bytes, at: event.number))
    case .truncated: files[event.inode]?.changes.append(.size(event.number))
    case .grew: files[event.inode]?.changes.append(.atLeast(event.number))
    case .syncedFile:
      guard let file = files[event.inode] else { return }
      if lie == .log, names["suzu.db-wal"] === file { return }
      if lie == .database, names["suzu.db"] === file { return }
      file.sync()
    case .syncedFolder:
      if lie == .folder { return }
      syncedNames = names
      nameChanges = []
    case .renamed:
      let parts = event.text.split(separator: "/").map(String.init)
      rename([(parts[0], nil), (parts[1], names[parts[0]])])
    case .unlinked: rename([(event.text, nil)])
    case .said: break
    }
  }

  private mutating func rename(_ change: [(name: String, file: File?)]) {
    for (name, file) in change { names[name] = file }
    nameChanges.append(change)
  }

  /// The files after a loss of power at this moment; nil: there is no folder.
  func survivors(_ remains: Remains, _ random: inout some RandomNumberGenerator) -> [String: [UInt8]]? {
    if !isThere || (!isFolderSynced && remains.names == .asSynced) { return nil }
    var names = syncedNames
    let inOrder = Int.random(in: 0...nameChanges.count, using: &random)
    for (number, change) in nameChanges.enumerated() {
      let isDone =
        switch remains.names {
        case .asSynced: false
        case .inOrder: number < inOrder
        case .inAnyOrder: Bool.random(using: &random)
        }
      if isDone { for (name, file) in change { names[name] = file } }
    }
    // By name, so that the same random numbers have the same effect.
    var survivors: [String: [UInt8]] = [:]
    for name in names.keys.sorted() { survivors[name] = names[name]?.remains(remains, &random) }
    return survivors
  }
}
