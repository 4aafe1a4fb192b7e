// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemFiles

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

  /// A small file among those of the kernel.
  func read(_ name: String) -> Reading { Self.read(name, in: descriptor) }

  /// What Flatpak puts at the root of what it starts, and out of reach of what it starts.
  func flatpakInfo() -> Reading { Self.read(".flatpak-info", in: root) }

  /// Whether its root is that of another process.
  func hasRoot(of other: String, in processes: String) -> Bool {
    guard let mine = try? FileStatus(root), let theirs = try? FileStatus("\(processes)/\(other)/root") else {
      return false
    }
    return mine.isSameFile(as: theirs)
  }

  /// The file that it runs, without its folder; nil where we may not know.
  var programName: String? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = readlinkat(descriptor.number, "exe", &bytes, bytes.count)
    guard count > 0 else { return nil }
    var path = String(decoding: bytes[..<count], as: UTF8.self)
    // The kernel's word for a file that an update has replaced.
    if path.hasSuffix(" (deleted)") { path.removeLast(10) }
    return path.split(separator: "/").last.map(String.init)
  }

  private static func read(_ name: String, in folder: borrowing Descriptor) -> Reading {
    // Looked at first: to open a device may do something.
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
