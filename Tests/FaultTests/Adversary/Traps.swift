// SPDX-License-Identifier: Apache-2.0
// Sleeps are meant: a dialog that lasts.
import Foundation
import TestSupport

/// Records programs that ran without the right to: stand-ins for the desktop's own programs, and a category of the user
/// whose command a sandboxed app must neither run nor see.
final class Traps: Sendable {
  private let folder: TemporaryFolder
  /// Holds the other end of the pipe that background children read.
  private let children: FileHandle

  /// Texts that no answer to a sandboxed app may contain.
  static let secrets = ["SECRET-0815", "HOST-OUTPUT"]

  init(in folder: TemporaryFolder) throws {
    self.folder = folder
    let canary = folder.path("canary")
    try folder.write(
      """
      [{"id": "backup", "actions": [{"id": "go", "title": "Back up", "run":
        ["/bin/sh", "-c", "echo \\"$SUZU_APP\\" >>'\(canary)'; echo HOST-OUTPUT; exit 3", "sh", "--token=SECRET-0815"]}]}]
      """, to: "home/.config/suzu/categories.d/backup.json")
    try folder.write(
      "[Desktop Entry]\nType=Application\nName=Boxed\nExec=true %u\nMimeType=x-scheme-handler/boxed;\n",
      to: "home/.local/share/applications/org.example.Opener.desktop")
    try folder.write("#!/bin/sh\necho \"$*\" >>'\(folder.path("opened"))'\n", to: "fakes/xdg-open", executable: true)
    // Simulates a user who reads the dialog and closes it, unless the center does.
    let dialogs = folder.path("dialogs")
    try folder.write(
      """
      #!/bin/sh
      app=$(printf '%s ' "$@" | grep -oE 'attacker\\.[0-9]+|org\\.example\\.Boxed[0-9]+' | head -n 1)
      echo "+ $app" >>'\(dialogs)'
      trap "echo '- $app' >>'\(dialogs)'; exit 1" TERM
      sleep 0.5 &
      wait $!
      echo "- $app" >>'\(dialogs)'
      exit "${ZENITY_CANCEL:-1}"
      """, to: "fakes/zenity", executable: true)
    for terminal in ["xdg-terminal-exec", "x-terminal-emulator"] {
      try folder.write(
        "#!/bin/sh\necho \"$*\" >>'\(folder.path("terminals"))'\n", to: "fakes/\(terminal)", executable: true)
    }
    mkfifo(folder.path("children"), 0o600)
    let descriptor = open(folder.path("children"), O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw TestFailure("no pipe for children") }
    children = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// The PATH that finds the stand-ins first.
  func path(before path: String) -> String { folder.path("fakes") + ":" + path }

  private func lines(_ name: String) -> [String] {
    (folder.read(name) ?? "").split(separator: "\n").map(String.init)
  }

  /// The programs that ran without the right to, by kind.
  var sprung: [String: Int] {
    let opened = lines("opened").count { $0.contains("box") }
    return [
      "the user's file category run for a box": lines("canary").count,
      "a URL opened that only a box pressed": opened, "a terminal opened for a box": lines("terminals").count,
    ].filter { $0.value > 0 }
  }

  /// How many dialogs of one app were open at the same time. A dialog without an app's name counts for every app.
  var mostDialogs: Int {
    var open: [Substring: Int] = [:]
    var most = 0
    for line in lines("dialogs") {
      open[line.dropFirst(2), default: 0] += line.hasPrefix("+") ? 1 : -1
      most = max(most, open.values.max() ?? 0)
    }
    return most
  }

  /// How many dialogs did not show the app's name.
  var namelessDialogs: Int { lines("dialogs").count { $0 == "+ " } }
}
