// SPDX-License-Identifier: Apache-2.0
internal import Glibc

extension FileStatus {
  /// `F_SETSIG` and `F_SETLEASE`, which Glibc's module leaves out.
  private static let (setSignal, setLease): (Int32, Int32) = (10, 1024)

  /// Whether a program has the file at a path open for writing; nil if the kernel does not say. It tells only the owner
  /// of a regular file, and not on every file system.
  package static func isOpenForWriting(_ path: String) -> Bool? {
    guard let file = try? Descriptor(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK) else { return nil }
    // The kernel grants a lease for reading only while no program has the file open for writing. A program that opens
    // the file before the lease is returned waits that long, and the kernel sends a signal; SIGIO, the usual one, would
    // end this process.
    guard fcntl(file.number, setSignal, SIGURG) == 0 else { return nil }
    guard fcntl(file.number, setLease, Int32(F_RDLCK)) == 0 else { return errno == EAGAIN ? true : nil }
    _ = fcntl(file.number, setLease, Int32(F_UNLCK))
    return false
  }
}
