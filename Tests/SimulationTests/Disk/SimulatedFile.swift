// SPDX-License-Identifier: Apache-2.0

/// A file on a disk with a cache: what was synced, and the changes since, which a loss of power may lose.
final class SimulatedFile {
  private enum Change {
    case bytes([UInt8], at: Int)
    case size(Int)
  }

  private var synced: [UInt8]
  private var changes: [Change] = []
  /// What the kernel writes at once, as a whole or not at all.
  private static let sector = 512

  init(_ synced: [UInt8]) {
    self.synced = synced
    size = synced.count
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    let copy = [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, count in
      UnsafeMutableRawBufferPointer(buffer).copyMemory(from: bytes)
      count = bytes.count
    }
    changes.append(.bytes(copy, at: offset))
    size = max(size, offset + bytes.count)
  }

  func truncate(to size: Int) {
    changes.append(.size(size))
    self.size = size
  }

  func sync() {
    for change in changes { Self.apply(change, to: &synced) }
    changes = []
  }

  private(set) var size: Int

  /// Whether everything is on the disk.
  var isSynced: Bool { changes.isEmpty }

  /// The content without a loss of power.
  var content: [UInt8] {
    var bytes = synced
    for change in changes { Self.apply(change, to: &bytes) }
    return bytes
  }

  /// What a loss of power leaves: all that was synced, and of the rest some sectors, in any order.
  func remains(_ random: inout SeededRandom) -> [UInt8] {
    var bytes = synced
    let share = random.element([0, 50, 90, 100])
    for change in changes {
      guard case .bytes(let new, let offset) = change else {
        if random.isTrue(in: share) { Self.apply(change, to: &bytes) }
        continue
      }
      var start = 0
      while start < new.count {
        let end = min(new.count, ((offset + start) / Self.sector + 1) * Self.sector - offset)
        if random.isTrue(in: share) { Self.apply(.bytes(Array(new[start..<end]), at: offset + start), to: &bytes) }
        start = end
      }
    }
    return bytes
  }

  private static func apply(_ change: Change, to bytes: inout [UInt8]) {
    switch change {
    case .bytes(let new, let offset):
      grow(&bytes, to: offset + new.count)
      bytes.withUnsafeMutableBytes { bytes in
        new.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: bytes[offset...]).copyMemory(from: $0) }
      }
    case .size(let size): if size < bytes.count { bytes.removeLast(bytes.count - size) } else { grow(&bytes, to: size) }
    }
  }

  private static func grow(_ bytes: inout [UInt8], to size: Int) {
    if size > bytes.count { bytes += [UInt8](repeating: 0, count: size - bytes.count) }
  }
}
