// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemFiles

/// Lets the kernel write a database and its -wal to the disk while the center goes on: a later sync only waits for the
/// rest.
package final class WriteBack {
  /// Called with the path of a file that was synced here. A simulated disk, which SQLite uses in the place of the
  /// kernel's files, would not learn of it otherwise.
  // Set before a simulation opens its first store, and used on the store's thread only.
  nonisolated(unsafe) package static var whenSynced: ((String) -> Void)?

  private let path: String
  private let log: String
  /// A second descriptor, beside that of SQLite. Closing it would take SQLite's locks of the file away.
  private var file: Descriptor?
  /// Whether the file may have changes that are not on the disk.
  private var isFileStarted = false

  init(_ path: String) {
    self.path = path
    log = path + "-wal"
    file = try? Descriptor(path, O_RDONLY | O_NOFOLLOW)
  }

  /// Whether there was a free descriptor for the file.
  var canSync: Bool { file != nil }

  /// The file has been changed.
  func startFile() {
    isFileStarted = true
    file?.startWriting()
  }

  /// Waits until the changes of the file are on the disk; returns whether they are.
  func finishFile() -> Bool {
    if !isFileStarted { return true }
    guard file?.sync() == true else { return false }
    Self.whenSynced?(path)
    isFileStarted = false
    return true
  }

  /// The -wal has been changed. SQLite holds no lock of that file, so its descriptor need not be kept.
  func startLog() { (try? Descriptor(log, O_RDONLY | O_NOFOLLOW))?.startWriting() }

  /// Waits until the -wal is on the disk; returns whether it is.
  func syncLog() -> Bool {
    guard (try? Descriptor(log, O_RDONLY | O_NOFOLLOW))?.sync() == true else { return false }
    Self.whenSynced?(log)
    return true
  }

  /// Called when SQLite has closed the file.
  func close() { file = nil }
}
