// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import SystemFiles

/// Held while `suzu-link` runs: two would show everything twice, and `suzu` tells by it whether the links live.
package final class RunningLock {
  private let file: Descriptor

  /// Nil if another process has it.
  package init?(_ folders: LinkFolders) throws(Errno) {
    Self.make(folders.states)
    file = try Descriptor(folders.lock, O_RDWR | O_CREAT, mode: 0o600)
    var lock = Self.whole
    guard fcntl(file.number, F_SETLK, &lock) == 0 else {
      if errno == EAGAIN || errno == EACCES { return nil }
      throw .current
    }
  }

  /// Whether a process has it. Asking does not take it.
  package static func isHeld(_ folders: LinkFolders) -> Bool {
    guard let file = try? Descriptor(folders.lock, O_RDWR) else { return false }
    var lock = whole
    return fcntl(file.number, F_GETLK, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
  }

  private static var whole: Glibc.flock {
    var lock = Glibc.flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    return lock
  }

  private static func make(_ folder: String) {
    var made = ""
    for part in folder.split(separator: "/") {
      made += "/" + part
      mkdir(made, 0o700)
    }
  }
}
