// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The kernel's files about one process. All are read through descriptors, so they belong to the same process.
///
/// No read blocks: only regular files are read, opened without blocking, and a file system of another user's making
/// (FUSE in a user namespace below ours) is inaccessible from outside.
struct ProcessFolder: ~Copyable {
  /// The result of reading a file.
  enum Reading {
    case bytes([UInt8])
    /// The file does not exist.
    case missing
    /// It is not a regular file, or it is too large.
    case notAFile
    /// The kernel denies access, or the process has ended.
    case unreadable
  }

  /// Far more bytes than any of these files has.
  static let longest = 64 << 10
  /// glibc hides `O_PATH` from Swift; its value is the same on all platforms of Swift. It opens a folder without the
  /// right to list it.
  private static let pathOnly: Int32 = 0o10_000_000

  private let descriptor: Int32
  private let root: Int32

  init?(_ processID: Int32, in processes: String) {
    let descriptor = open("\(processes)/\(processID)", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    // A link of the kernel, which leads into the namespace of the process.
    let root = openat(descriptor, "root", Self.pathOnly | O_DIRECTORY | O_CLOEXEC)
    guard root >= 0 else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
    self.root = root
  }

  deinit {
    close(root)
    close(descriptor)
  }

  /// Reads a small file of the kernel.
  func read(_ name: String) -> Reading { Self.read(name, in: descriptor) }

  /// Reads the file that Flatpak puts at the root of a sandbox, where the sandboxed program cannot change it.
  func flatpakInfo() -> Reading { Self.read(".flatpak-info", in: root) }

  /// Whether its root is that of another process.
  func hasRoot(of other: String, in processes: String) -> Bool {
    var (mine, theirs) = (stat(), stat())
    return fstat(root, &mine) == 0 && stat("\(processes)/\(other)/root", &theirs) == 0
      && mine.st_dev == theirs.st_dev && mine.st_ino == theirs.st_ino
  }

  /// The name of its program file without the folder; nil if access is denied.
  var programName: String? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = readlinkat(descriptor, "exe", &bytes, bytes.count)
    guard count > 0 else { return nil }
    var path = String(decoding: bytes[..<count], as: UTF8.self)
    // The kernel's suffix for a file that an update has replaced.
    if path.hasSuffix(" (deleted)") { path.removeLast(10) }
    return path.split(separator: "/").last.map(String.init)
  }

  private static func read(_ name: String, in folder: Int32) -> Reading {
    // Checked before opening: opening a device may have an effect.
    var status = stat()
    guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      return errno == ENOENT ? .missing : .unreadable
    }
    guard status.st_mode & S_IFMT == S_IFREG else { return .notAFile }
    let descriptor = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { return .unreadable }
    defer { close(descriptor) }
    guard fstat(descriptor, &status) == 0 else { return .unreadable }
    guard status.st_mode & S_IFMT == S_IFREG else { return .notAFile }
    return read(descriptor)
  }

  private static func read(_ descriptor: Int32) -> Reading {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 4096)
    while bytes.count <= longest {
      let count = Glibc.read(descriptor, &block, block.count)
      if count < 0 { return .unreadable }
      if count == 0 { return .bytes(bytes) }
      bytes += block[..<count]
    }
    return .notAFile
  }
}
