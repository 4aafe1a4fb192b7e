// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Finds programs in a given environment.
enum ProgramPath {
  /// The file that an absolute path names, or that `PATH` has for a name; nil if there is no executable file.
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
