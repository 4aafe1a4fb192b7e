// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// Runs the lines of a crontab as cron does, one after the other and without waiting for their time.
enum Crontab {
  /// Where cron looks for programs; a crontab may change it.
  static let path = "/usr/bin:/bin"

  /// A shell line that reads the crontab `$1`: settings are exported, and of the other lines the part after the five
  /// fields is run with the variables that cron sets.
  static let command = """
    while read -r line; do
      case $line in
      [A-Z]*=*) export "${line%%=*}=${line#*=}" ;;
      *) printf '%s\\n' "$line" | { read -r m h d o w job; exec env -i HOME="$HOME" LOGNAME=x SHELL=/bin/sh PATH="$PATH" /bin/sh -c "$job"; } ;;
      esac
    done <"$1"
    """

  /// The words that run a command without the variables of the desktop. Its programs are in `/usr/local/bin`, and the
  /// user 'anna' is the one that runs the test.
  static func surroundings(of session: Session, path: String) throws -> [String] {
    let (user, folder) = (getuid(), session.folder)
    let users = try folder.write("anna:x:\(user):\(getgid()):Anna:\(folder.path("home")):/bin/sh\n", to: "passwd")
    var words = [
      "--dev-bind", "/", "/", "--tmpfs", "/run", "--perms", "0755", "--dir", "/run/user/\(user)", "--symlink",
      folder.path("bus"), "/run/user/\(user)/bus", "--ro-bind", users, "/etc/passwd", "--tmpfs", "/usr/local/bin",
    ]
    for program in try FileManager.default.contentsOfDirectory(atPath: folder.path("bin")) {
      words += ["--symlink", folder.path("bin/" + program), "/usr/local/bin/" + program]
    }
    return words + ["--", "env", "-i", "HOME=" + folder.path("home"), "PATH=" + path]
  }
}
