// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A folder for one test, gone with the last reference.
public final class TemporaryFolder: Sendable {
  /// Where it is.
  public let url: URL

  /// Makes it, for this user only.
  public init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "suzu-test-" + UUID().uuidString.prefix(8))
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// The path of a file in it.
  public func path(_ name: String) -> String { url.appending(path: name).path }

  /// Writes a file and returns its path.
  @discardableResult
  public func write(_ text: String, to name: String, executable: Bool = false) throws -> String {
    let file = url.appending(path: name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    guard executable else {
      try text.write(to: file, atomically: true, encoding: .utf8)
      return file.path
    }
    // By another process: a child that some other test forks at this moment would inherit our descriptor of the file,
    // and what is open for writing cannot be run ("text file busy").
    let written = try RunningProgram.run(
      "/bin/sh", ["-c", "cat >\"$1\" && chmod 755 \"$1\"", "sh", file.path], environment: [:], input: text)
    guard written.status == 0 else { throw TestFailure("cannot write \(file.path): \(written.errors)") }
    return file.path
  }

  /// Reads a file; nil where it is not there.
  public func read(_ name: String) -> String? {
    try? String(contentsOf: url.appending(path: name), encoding: .utf8)
  }
}
