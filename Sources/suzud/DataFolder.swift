// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Where the center keeps what must outlast it, by the rules of the XDG base directories.
enum DataFolder {
  static var path: String {
    if let data = variable("XDG_DATA_HOME"), data.hasPrefix("/") { return data + "/suzu" }
    return home + "/.local/share/suzu"
  }

  /// Programs that cron or a login manager starts may have no `HOME`.
  private static var home: String {
    if let home = variable("HOME"), home.hasPrefix("/") { return home }
    guard let user = getpwuid(getuid()), let folder = user.pointee.pw_dir else { return "/" }
    return String(cString: folder)
  }

  private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
