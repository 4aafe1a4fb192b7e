// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemFiles

/// The socket that an SSH login carries from the user's desktop at home to this machine.
enum HomeSocket {
  /// The variable with its path, or `none`.
  static let variable = "SUZU_HOME_SOCKET"
  /// Its name in the folders where it is looked for.
  static let name = "suzu-home.sock"

  /// The path; nil if there is none, or if it belongs to another user, who would read everything. Outside of SSH, only
  /// the variable counts.
  static func path(
    in environment: (String) -> String? = EnvironmentVariable.value, owner: UInt32 = getuid()
  ) -> String? {
    if let path = environment(variable) { return path != "none" && isOwn(path, owner) ? path : nil }
    guard DesktopAbsence.mayMatter(in: environment) else { return nil }
    let folders = [environment("XDG_RUNTIME_DIR"), "/run/user/\(owner)"].compactMap(\.self)
    let places = folders.map { $0 + "/" + name } + [environment("HOME").map { $0 + "/." + name }].compactMap(\.self)
    return places.first { isOwn($0, owner) }
  }

  private static func isOwn(_ path: String, _ owner: UInt32) -> Bool {
    var status = stat()
    return path.hasPrefix("/") && lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
      && status.st_uid == owner
  }

  /// The socket at home for a machine, which its user forwards.
  static func path(for host: String, in environment: (String) -> String? = EnvironmentVariable.value) -> String {
    (environment("XDG_RUNTIME_DIR") ?? "/run/user/\(getuid())") + "/suzu/remote-\(host).sock"
  }
}
