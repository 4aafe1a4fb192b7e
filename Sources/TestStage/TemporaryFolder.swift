// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// A temporary folder, deleted with its last reference.
package final class TemporaryFolder: Sendable {
  /// The folder's URL.
  package let url: URL

  /// Creates a folder that only this user can access.
  package init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "suzu-test-" + UUID().uuidString.prefix(8))
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// The path of a file in the folder.
  package func path(_ name: String) -> String { url.appending(path: name).path }

  /// Writes a file and returns its path.
  @discardableResult
  package func write(_ text: String, to name: String, executable: Bool = false) throws -> String {
    let file = url.appending(path: name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    guard executable else {
      try text.write(to: file, atomically: true, encoding: .utf8)
      return file.path
    }
    // Another process writes it: a child forked by another test at this moment would inherit our open descriptor, and a
    // file open for writing cannot be executed ("text file busy").
    let written = try RunningProgram.run(
      "/bin/sh", ["-c", "cat >\"$1\" && chmod 755 \"$1\"", "sh", file.path], environment: [:], input: text)
    guard written.status == 0 else { throw TestFailure("cannot write \(file.path): \(written.errors)") }
    return file.path
  }

  /// The content of a file; nil if it does not exist.
  package func read(_ name: String) -> String? {
    try? String(contentsOf: url.appending(path: name), encoding: .utf8)
  }
}
