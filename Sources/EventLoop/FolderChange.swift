// SPDX-License-Identifier: Apache-2.0

/// A change in watched folders.
public enum FolderChange: Hashable, Sendable {
  /// These entries were created, moved in or out, deleted, closed after writing, or had their attributes changed. A new
  /// file is reported when it is closed, not while it is being written.
  case entries(folder: String, names: Set<String>)
  /// The folder itself was deleted, moved away, created (again), or replaced by another one. Read it again; the watch
  /// continues as soon as a folder exists.
  case replaced(folder: String)
  /// The kernel's queue overflowed: anything may have changed, in any of the folders.
  case overflow
}
