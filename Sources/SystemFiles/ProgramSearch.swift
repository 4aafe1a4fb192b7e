// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization

/// Finds programs by name. Suzu looks for every program by this one rule:
///
/// - The first executable regular file in a folder of `PATH` counts.
/// - Empty and relative folders in `PATH` are ignored, so that no file in the working folder is run by its name.
/// - Without `PATH`, the folders are `/usr/local/bin`, `/usr/bin` and `/bin`.
/// - A name with a slash is not looked for; it must be an absolute path.
package struct ProgramSearch: Hashable, Sendable {
  /// The folders, all of them absolute.
  package let folders: [String]

  /// Takes the value of `PATH`.
  package init(path: String?) {
    folders = (path ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").filter { $0.hasPrefix("/") }
      .map(String.init)
  }

  /// Takes `PATH` of this process.
  package static var current: ProgramSearch {
    let path = getenv("PATH").map { String(cString: $0) }
    return latest.withLock { latest in
      if let latest, latest.path == path { return latest.search }
      let search = ProgramSearch(path: path)
      latest = (path, search)
      return search
    }
  }

  /// The search in `PATH` of this process, which hardly ever changes; each notification with buttons looks for programs.
  private static let latest = Mutex<(path: String?, search: ProgramSearch)?>(nil)

  /// The program's path; nil if there is none.
  package func path(of program: String) -> String? {
    if program.contains("/") { return program.hasPrefix("/") && Self.isProgram(program) ? program : nil }
    guard !program.isEmpty else { return nil }
    return folders.lazy.map { "\($0)/\(program)" }.first(where: Self.isProgram)
  }

  private static func isProgram(_ path: String) -> Bool {
    FileStatus.isRegularFile(path) && access(path, X_OK) == 0
  }
}
