// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// A session whose browser, dialogs and apps record their calls in one file, one per line.
final class ClickSession: Sendable {
  let session: Session
  /// The program that every action runs in the end: it records its arguments and the token.
  let record: String

  /// Whether Python bindings for an app on the bus are installed.
  static let isPossible =
    ProcessInfo.processInfo.environment["CI"] == "true"
    || (try? RunningProgram.run("/usr/bin/python3", ["-c", "import dbus, gi"], environment: [:]).status) == 0

  /// - Parameter combinations: the combinations that need desktop entries.
  init(for combinations: [Combination]) throws {
    let folder = try TemporaryFolder()
    let effects = folder.path("effects")
    record = try folder.write(
      """
      #!/bin/sh
      # One write, so that lines of others do not come into it.
      printf '%s|%s|%s|%s|%s\\n' "$1" "$2" "$3" "$4" "$XDG_ACTIVATION_TOKEN" >>'\(effects)'
      """, to: "bin/record", executable: true)
    // The address ends with the combination's id.
    try folder.write("#!/bin/sh\nexec '\(record)' open \"${1##*/}\"\n", to: "bin/xdg-open", executable: true)
    try folder.write(
      """
      #!/bin/sh
      # Only the name of the app stands on the command line.
      for word; do case $word in --title=*) title=${word#--title=} ;; esac; done
      printf 'asked|%s|||\\n' "${title%%:*}" >>'\(effects)'
      echo "of ${title%%:*}"
      """, to: "bin/zenity", executable: true)
    let app = try folder.write(Self.app(effects: effects), to: "app.py")
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    session = try Session(
      hasCenter: false, services: ["org.example.Activatable": "/usr/bin/python3 \(app)"],
      variables: [
        "PATH": folder.path("bin") + ":" + path, "XDG_DATA_DIRS": folder.path("none"),
        // The machine's logind must not decide whether this session is locked.
        "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=" + folder.path("none"),
      ], in: folder)
    for combination in combinations {
      try enter(combination.entryID, "opened", combination)
      if combination.app == .launchable { try enter(combination.appID, "launched", combination) }
    }
  }

  private func enter(_ id: String, _ verb: String, _ combination: Combination) throws {
    let entry = "[Desktop Entry]\nType=Application\nName=Example\nExec=\(record) \(verb) \(combination.id)\n"
    try session.folder.write(entry, to: "home/.local/share/applications/\(id).desktop")
  }

  /// The app that the bus starts. It receives an action, with the response as its only parameter.
  private static func app(effects: String) -> String {
    """
    import dbus, dbus.service
    from dbus.mainloop.glib import DBusGMainLoop
    from gi.repository import GLib

    class App(dbus.service.Object):
        @dbus.service.method("org.freedesktop.Application", in_signature="sava{sv}")
        def ActivateAction(self, action, parameters, data):
            response = parameters[0]
            same = len(parameters) == 1 and response["action"] == action and "userInfo" in response \\
                and response["app"] == "org.example.Activatable" and response["response"] > 0
            words = ["activated" if same else "odd", response["id"], action, response.get("reply", ""),
                     data.get("activation-token", "")]
            with open("\(effects)", "a") as file:
                file.write("|".join(words) + "\\n")

    DBusGMainLoop(set_as_default=True)
    bus = dbus.SessionBus()
    app = App(bus, "/org/example/Activatable")
    name = dbus.service.BusName("org.example.Activatable", bus)
    GLib.MainLoop().run()
    """
  }

  /// Starts the center, without a digest, because all requests are due at the same time.
  func startCenter() throws -> RunningProgram {
    try RunningProgram(Session.programs + "/suzud", ["--burst", "0"], environment: session.environment)
  }

  /// One effect of an action, as recorded by the program that it ran.
  struct Effect: Hashable {
    let verb: String, id: String, action: String, reply: String, token: String
  }

  var effects: [Effect] {
    (session.folder.read("effects") ?? "").split(separator: "\n").map { line in
      let words =
        line.split(separator: "|", omittingEmptySubsequences: false).map(String.init) + Array(repeating: "", count: 5)
      return Effect(verb: words[0], id: words[1], action: words[2], reply: words[3], token: words[4])
    }
  }
}
