// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The user's settings for Suzu, `$XDG_CONFIG_HOME/suzu`: files that people change by hand as well.
struct SettingsFolder {
  let path: String

  init(environment: [String: String]) throws(CommandError) {
    func folder(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
    guard let config = folder("XDG_CONFIG_HOME") ?? folder("HOME").map({ $0 + "/.config" }) else {
      throw CommandError(message: "neither XDG_CONFIG_HOME nor HOME says where settings are", status: EX_CONFIG)
    }
    path = config + "/suzu"
  }

  func path(of name: String) -> String { "\(path)/\(name)" }

  /// What the file holds; nil where there is none.
  func read(_ name: String) throws(CommandError) -> [UInt8]? {
    let path = path(of: name)
    guard access(path, F_OK) == 0 || errno != ENOENT else { return nil }
    return try Console.read(path)
  }

  /// Puts `text` in the place of what the file held: all of it or nothing, whatever happens meanwhile.
  func write(_ text: String, to name: String) throws(CommandError) {
    // A link is the user's, who keeps settings elsewhere: what it leads to is replaced.
    let target = Self.resolved(path(of: name))
    let temporary = "\(target).\(getpid())"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw Self.failure(temporary) }
    do throws(CommandError) {
      defer { close(descriptor) }
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { throw Self.failure(temporary) }
        rest.removeFirst(count)
      }
      guard fsync(descriptor) == 0, rename(temporary, target) == 0 else { throw Self.failure(target) }
    } catch {
      unlink(temporary)
      throw error
    }
  }

  /// Keeps others of us out between reading and writing: two that change the file at once would undo each other.
  func locked<Value>(_ body: () throws -> Value) throws -> Value {
    try make()
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.failure(path) }
    defer { close(descriptor) }
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { throw Self.failure(path) }
    }
    return try body()
  }

  private func make() throws(CommandError) {
    var made = ""
    for part in path.split(separator: "/") {
      made += "/" + part
      guard mkdir(made, 0o700) == 0 || errno == EEXIST || access(made, F_OK) == 0 else { throw Self.failure(made) }
    }
  }

  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  private static func failure(_ path: String) -> CommandError {
    CommandError(message: "\(path): \(String(cString: strerror(errno)))", status: EX_CANTCREAT)
  }
}
