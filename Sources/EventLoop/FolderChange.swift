// SPDX-License-Identifier: Apache-2.0

/// What happened in folders that somebody watches.
public enum FolderChange: Hashable, Sendable {
  /// These entries were made, moved in or out, deleted, closed after writing, or had their attributes changed.
  case entries(folder: String, names: Set<String>)
  /// The folder is not what it was: deleted, moved away, made (again), or another one in its place. Whoever cares looks
  /// at it anew; the watch goes on as soon as there is a folder.
  case replaced(folder: String)
  /// More happened than the kernel keeps: anything may have changed, in any of the folders.
  case overflow
}
