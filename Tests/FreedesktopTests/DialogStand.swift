// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Foundation
import TestSupport
import Testing

/// Scripts that replace the real programs: each records its arguments and runs the given commands.
///
/// `PATH` belongs to the whole process, so each test that changes it runs in its own process.
struct StandInPrograms {
  let folder: TemporaryFolder

  /// An empty `PATH`; the scripts themselves need only the shell.
  init() throws {
    folder = try TemporaryFolder()
    try folder.write("", to: "bin/none")
    setenv("PATH", folder.path("bin"), 1)
  }

  /// Adds a program, which records its name and then its arguments, one per line.
  func add(_ name: String, _ script: String = "exit 0") throws {
    try folder.write(
      "#!/bin/sh\n{ echo '\(name)'; for word; do printf '%s\\n.\\n' \"$word\"; done; } >>'\(folder.path("calls"))'\n"
        + script + "\n", to: "bin/" + name, executable: true)
  }

  /// The calls since the last query: a program's name and its arguments.
  func calls() -> [[String]] {
    defer { try? FileManager.default.removeItem(atPath: folder.path("calls")) }
    var calls: [[String]] = []
    var words: [String] = []
    for line in (folder.read("calls") ?? "").split(separator: "\n", omittingEmptySubsequences: false) {
      if FileManager.default.fileExists(atPath: folder.path("bin/" + line)), words.isEmpty, !line.isEmpty {
        calls.append([String(line)])
      } else if line == "." {
        calls[calls.count - 1].append(words.joined(separator: "\n"))
        words = []
      } else {
        words.append(String(line))
      }
    }
    return calls
  }

  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: folder.path("bin/" + name)) }
}
