// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemFiles

/// The user's settings in `$XDG_CONFIG_HOME/suzu`; users may edit the files by hand.
struct SettingsFolder {
  let path: String

  init(environment: [String: String]) throws(CommandError) {
    func folder(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
    guard let config = folder("XDG_CONFIG_HOME") ?? folder("HOME").map({ $0 + "/.config" }) else {
      throw CommandError(message: "no settings folder: set HOME or XDG_CONFIG_HOME", status: EX_CONFIG)
    }
    path = config + "/suzu"
  }

  func path(of name: String) -> String { "\(path)/\(name)" }

  /// The file's content; nil if it does not exist.
  func read(_ name: String) throws(CommandError) -> [UInt8]? {
    let path = path(of: name)
    do throws(FileError) { return try RegularFile.read(path, limit: 1 << 20) } catch {
      if case .system(let error) = error, error.meansNoFile { return nil }
      throw CommandError(message: "\(path): \(error)", status: EX_NOINPUT)
    }
  }

  /// Replaces the file's content atomically.
  func write(_ text: String, to name: String) throws(CommandError) {
    try Console.replace(path(of: name), with: text)
  }

  /// Holds a lock, so that two processes do not overwrite each other's changes.
  func locked<Value>(_ body: () throws -> Value) throws -> Value {
    let lock = try lock()
    defer { withExtendedLifetime(lock) {} }
    return try body()
  }

  /// Waits for the lock of the folder, which is held until the result is released.
  func lock() throws(CommandError) -> FolderLock {
    try make()
    return try FolderLock(path)
  }

  private func make() throws(CommandError) {
    var made = ""
    for part in path.split(separator: "/") {
      made += "/" + part
      guard mkdir(made, 0o700) == 0 || errno == EEXIST || access(made, F_OK) == 0 else { throw .notWritten(made) }
    }
  }
}

/// The lock of a folder, for as long as the value lives.
final class FolderLock {
  private let folder: Descriptor

  fileprivate init(_ path: String) throws(CommandError) {
    do throws(Errno) { folder = try Descriptor(path, O_RDONLY | O_DIRECTORY) } catch {
      throw .notWritten(path, "\(error)")
    }
    while flock(folder.number, LOCK_EX) != 0 {
      guard errno == EINTR else { throw .notWritten(path) }
    }
  }
}
