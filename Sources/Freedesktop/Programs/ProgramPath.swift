// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Where a program is.
enum ProgramPath {
  /// The file that a whole path names, or that a name stands for by `PATH`; nil where there is nothing to be run.
  static func find(_ program: String, in environment: [String: String]) -> String? {
    if program.contains("/") { return program.hasPrefix("/") && isProgram(program) ? program : nil }
    guard !program.isEmpty else { return nil }
    let folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
    return folders.lazy.filter { $0.hasPrefix("/") }.map { "\($0)/\(program)" }.first(where: isProgram)
  }

  private static func isProgram(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }
}
