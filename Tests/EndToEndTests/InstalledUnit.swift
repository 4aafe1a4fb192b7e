// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A template unit of `systemd/`, as `make install` installs it.
struct InstalledUnit {
  private let manager: String
  private let name: String

  /// - Parameter manager: `user` or `system`.
  init(_ manager: String, _ name: String) { (self.manager, self.name) = (manager, name) }

  static let canVerify = RunningProgram.path(of: "systemd-analyze") != nil

  func text() throws -> String {
    let file = Session.checkout.appending(path: "systemd/\(manager)/\(name).in")
    return try String(contentsOf: file, encoding: .utf8).replacing("@bindir@", with: Session.programs)
  }

  /// The value of a key, for an instance.
  func value(_ key: String, of instance: String) throws -> String {
    let line = try text().split(separator: "\n").first { $0.hasPrefix(key + "=") }
    return String(try #require(line, "\(key)").dropFirst(key.count + 1)).replacing("%i", with: instance)
  }

  /// The words that an instance starts.
  func command(of instance: String) throws -> [String] {
    try value("ExecStart", of: instance).split(separator: " ").map(String.init)
  }

  /// What systemd-analyze says about an instance, perhaps after a change, with the other units of its name beside it.
  func complaints(of instance: String, after change: (String) -> String = { $0 }) throws -> String {
    let folder = try TemporaryFolder()
    try folder.write("", to: "run/none")
    let kin = name.hasSuffix(".socket") ? [InstalledUnit(manager, name.replacing(".socket", with: ".service"))] : []
    for other in kin { try folder.write(try other.text(), to: "units/\(other.name)") }
    let file = try folder.write(change(try text()), to: "units/" + name.replacing("@.", with: "@\(instance)."))
    let ended = try RunningProgram.run(
      "systemd-analyze", ["--\(manager)", "--no-pager", "--man=no", "verify", file],
      environment: [
        "PATH": "/usr/bin:/bin", "HOME": folder.path("home"), "XDG_RUNTIME_DIR": folder.path("run"),
        "LC_ALL": "C.UTF-8", "SYSTEMD_UNIT_PATH": folder.path("units") + ":",
      ])
    return (ended.output + ended.errors).split(separator: "\n")
      .filter { $0.contains(name.prefix { $0 != "@" }) }.joined(separator: "\n")
  }
}
