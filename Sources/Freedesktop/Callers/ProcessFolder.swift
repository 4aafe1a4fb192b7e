// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// What the kernel shows of one process. Everything is read through descriptors, so that it is all of that process.
///
/// None of it waits: regular files only, opened without blocking, and a file system of somebody's own making (FUSE in a
/// user namespace below ours) lets nobody in from outside.
struct ProcessFolder: ~Copyable {
  /// What came of reading a file.
  enum Reading {
    case bytes([UInt8])
    /// There is none of that name.
    case missing
    /// Something else has that name, or it is too large for what it should be.
    case notAFile
    /// The kernel does not let us, or the process has ended.
    case unreadable
  }

  /// Far more than any of these files has.
  static let longest = 64 << 10
  /// glibc hides it from Swift; the same on all that Swift runs on. It opens a folder without a right to list it.
  private static let pathOnly: Int32 = 0o10_000_000

  private let descriptor: Int32
  private let root: Int32

  init?(_ processID: Int32, in processes: String) {
    let descriptor = open("\(processes)/\(processID)", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    // A link of the kernel's own, which leads into the namespace of the process.
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

  /// A small file among those of the kernel.
  func read(_ name: String) -> Reading { Self.read(name, in: descriptor) }

  /// What Flatpak puts at the root of what it starts, and out of reach of what it starts.
  func flatpakInfo() -> Reading { Self.read(".flatpak-info", in: root) }

  /// Whether its root is that of another process.
  func hasRoot(of other: String, in processes: String) -> Bool {
    var (mine, theirs) = (stat(), stat())
    return fstat(root, &mine) == 0 && stat("\(processes)/\(other)/root", &theirs) == 0
      && mine.st_dev == theirs.st_dev && mine.st_ino == theirs.st_ino
  }

  /// The file that it runs, without its folder; nil where we may not know.
  var programName: String? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = readlinkat(descriptor, "exe", &bytes, bytes.count)
    guard count > 0 else { return nil }
    var path = String(decoding: bytes[..<count], as: UTF8.self)
    // The kernel's word for a file that an update has replaced.
    if path.hasSuffix(" (deleted)") { path.removeLast(10) }
    return path.split(separator: "/").last.map(String.init)
  }

  private static func read(_ name: String, in folder: Int32) -> Reading {
    // Looked at first: to open a device may do something.
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
