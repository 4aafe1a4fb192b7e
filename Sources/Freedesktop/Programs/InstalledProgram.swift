// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Finds installed programs with the current `PATH`, as `execvp` reads it.
enum InstalledProgram {
  /// Whether a program of this name is found.
  static func exists(_ name: String) -> Bool {
    folders.contains { isExecutable($0 + "/" + name) }
  }

  private static var folders: [String] {
    // The C library's default.
    guard let path = variable("PATH") else { return ["/bin", "/usr/bin"] }
    return path.split(separator: ":", omittingEmptySubsequences: false).map { $0.isEmpty ? "." : String($0) }
  }

  private static func isExecutable(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }

  /// An environment variable; nil if missing or empty.
  static func variable(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let text = String(cString: value)
    return text.isEmpty ? nil : text
  }
}
