// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemFiles

/// The center's folders, by the XDG Base Directory Specification.
enum Folders {
  /// The folder of the store.
  static var data: String { home("XDG_DATA_HOME", or: ".local/share") + "/suzu" }

  /// The folder of the session; nil outside of one.
  static var session: String? {
    EnvironmentVariable.value(of: "XDG_RUNTIME_DIR").flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  /// The folder of the user's own files: categories and schemes.
  static var settings: String { home("XDG_CONFIG_HOME", or: ".config") + "/suzu" }

  /// The folders of category files; earlier ones take precedence.
  static var categories: [String] {
    let listed = (EnvironmentVariable.value(of: "XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share").split(separator: ":")
    return ([settings] + listed.filter { $0.hasPrefix("/") }.map { "\($0)/suzu" }).map { $0 + "/categories.d" }
  }

  private static func home(_ name: String, or usual: String) -> String {
    if let path = EnvironmentVariable.value(of: name), path.hasPrefix("/") { return path }
    return userHome + "/" + usual
  }

  /// Programs that cron or a login manager starts may have no `HOME`.
  private static var userHome: String {
    if let home = EnvironmentVariable.value(of: "HOME"), home.hasPrefix("/") { return home }
    guard let user = getpwuid(getuid()), let folder = user.pointee.pw_dir else { return "/" }
    return String(cString: folder)
  }
}
