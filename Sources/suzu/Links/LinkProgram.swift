// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemFiles

/// The program `suzu-link`, which is a package of its own.
enum LinkProgram {
  /// Its path: beside this program, or in PATH; nil if it is not installed.
  static var path: String? {
    if let own = realpath("/proc/self/exe", nil) {
      defer { free(own) }
      let beside = Folder.parent(of: String(cString: own)).path + "/suzu-link"
      if access(beside, X_OK) == 0 { return beside }
    }
    return ProgramSearch.current.path(of: "suzu-link")
  }

  static let missing = "the program 'suzu-link' is not installed; get it with: apt install suzu-link"
}
