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
    try WholeFile(path(of: name)).write(text)
  }

  /// Keeps others of us out between reading and writing: two that change the file at once would undo each other.
  func locked<Value>(_ body: () throws -> Value) throws -> Value {
    try make()
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw CommandError.notWritten(path) }
    defer { close(descriptor) }
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { throw CommandError.notWritten(path) }
    }
    return try body()
  }

  private func make() throws(CommandError) {
    var made = ""
    for part in path.split(separator: "/") {
      made += "/" + part
      guard mkdir(made, 0o700) == 0 || errno == EEXIST || access(made, F_OK) == 0 else { throw .notWritten(made) }
    }
  }
}
