// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemFiles

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
  private let descriptor: Descriptor
  private let root: Descriptor

  init?(_ processID: Int32, in processes: String) {
    guard let descriptor = try? Descriptor("\(processes)/\(processID)", O_RDONLY | O_DIRECTORY),
      // A link of the kernel's own, which leads into the namespace of the process.
      let root = try? Descriptor("root", in: descriptor, Descriptor.pathOnly | O_DIRECTORY)
    else { return nil }
    self.descriptor = descriptor
    self.root = root
  }

  /// Reads a small file of the kernel.
  func read(_ name: String) -> Reading { Self.read(name, in: descriptor) }

  /// Reads the file that Flatpak puts at the root of a sandbox, where the sandboxed program cannot change it.
  func flatpakInfo() -> Reading { Self.read(".flatpak-info", in: root) }

  /// Whether its root is that of another process.
  func hasRoot(of other: String, in processes: String) -> Bool {
    guard let mine = try? FileStatus(root), let theirs = try? FileStatus("\(processes)/\(other)/root") else {
      return false
    }
    return mine.isSameFile(as: theirs)
  }

  /// The name of its program file without the folder; nil if access is denied.
  var programName: String? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = readlinkat(descriptor.number, "exe", &bytes, bytes.count)
    guard count > 0 else { return nil }
    var path = String(decoding: bytes[..<count], as: UTF8.self)
    // The kernel's suffix for a file that an update has replaced.
    if path.hasSuffix(" (deleted)") { path.removeLast(10) }
    return path.split(separator: "/").last.map(String.init)
  }

  private static func read(_ name: String, in folder: borrowing Descriptor) -> Reading {
    // Checked before opening: opening a device may have an effect.
    do throws(Errno) {
      guard try FileStatus(name, in: folder).kind == .regular else { return .notAFile }
    } catch {
      return error.rawValue == ENOENT ? .missing : .unreadable
    }
    do throws(FileError) { return .bytes(try RegularFile(name, in: folder).readWhole(limit: longest)) } catch {
      if case .system = error { return .unreadable }
      return .notAFile
    }
  }
}
