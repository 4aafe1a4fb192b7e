// SPDX-License-Identifier: Apache-2.0
import Foundation
import Freedesktop
import TestSupport
import Testing

/// Tests the menu of applications against GLib.
@Suite(.timeLimit(.minutes(2)), .enabled(if: GLibApplication.isPossible, "no python3-gi here"))
struct ShownApplicationsTests {
  private struct Seen: Codable, Equatable {
    var name: String?
    var actions: [String: String] = [:]
  }

  private static func machine() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("#!/bin/sh\n", to: "bin/there", executable: true)
    try folder.write("#!/bin/sh\n", to: "bin/not-a-program")
    for (path, more) in [
      (
        "home/a",
        "Name[de]=Tee\nActions=x;y;z;\n[Desktop Action x]\nName=X\nName[de]=Ix\nExec=true\n"
          + "[Desktop Action y]\nName=Y\nExec=true"
      ), ("one/a", "NoDisplay=true"),
      ("one/b", "NoDisplay=true"), ("one/c", "Hidden=true"), ("two/c", ""), ("one/sub/d", ""),
      ("two/e", "TryExec=there"),
      ("two/f", "TryExec=nowhere"), ("two/g", "TryExec=not-a-program"), ("two/h", "Exec=nowhere %U"),
      ("two/i", "OnlyShowIn=GNOME;KDE;"), ("two/j", "NotShowIn=GNOME;"), ("two/k", "OnlyShowIn=Tea;"),
      ("two/l", "OnlyShowIn=;"), ("two/m", "Type=Link\nURL=https://a/"), ("two/n", "Exec=\"/no/where\" x"),
      ("two/o", "Exec=there --new %u"), ("two/p", "nonsense"), ("two/q", "MimeType=x-scheme-handler/tea;"),
    ] {
      let (place, name) = (path.prefix { $0 != "/" }, path.drop { $0 != "/" })
      try folder.write(
        InstalledApplicationsTests.entry(String(name.dropFirst()), more), to: "\(place)/applications\(name).desktop")
    }
    return folder
  }

  @Test(arguments: ["", "GNOME", "KDE", "Tea:GNOME", "GNOME:Tea", "Unknown"], ["C.UTF-8", "de_DE.UTF-8"])
  func `The menu matches that of GLib in the user's language`(desktop: String, language: String) throws {
    let folder = try Self.machine()
    let environment = [
      "XDG_CURRENT_DESKTOP": desktop, "LANG": language, "PATH": folder.path("bin") + ":/usr/bin:/bin",
    ]
    // By the specification, listed actions without a description, like 'z', do not count; in GLib they are unnamed.
    let seen = try DesktopEntryPeerTests.glib(
      """
      shown = [a for a in Gio.AppInfo.get_all() if a.should_show()]
      print(json.dumps({a.get_id()[:-8]: dict(name=a.get_name(), actions={
        x: a.get_action_name(x) for x in a.list_actions() if x != 'z'}) for a in shown}))
      """, [String](), in: folder, environment: environment, as: [String: Seen].self)
    let all = environment.merging([
      "XDG_DATA_HOME": folder.path("home"), "XDG_DATA_DIRS": folder.path("one") + ":" + folder.path("two"),
    ]) { $1 }
    let languages = MessageLanguages(environment: all)
    var ours: [String: Seen] = [:]
    for one in InstalledApplications(environment: all).shown(environment: all) {
      let actions = one.entry.actions.map { ($0.id, $0.name?.text(in: languages) ?? $0.id) }
      ours[one.id] = Seen(
        name: one.entry.name?.text(in: languages), actions: Dictionary(actions, uniquingKeysWith: { $1 }))
    }
    #expect(ours == seen)
    #expect(ours["a"]?.name == (language.hasPrefix("de") ? "Tee" : "a") && ours["b"] == nil && ours["c"] == nil)
    #expect(ours["sub-d"] != nil && ours.count > 5)
  }

  @Test(arguments: ["", "KDE", "GNOME"]) func `The menu of this machine matches that of GLib`(desktop: String) throws {
    let folder = try TemporaryFolder()
    let environment = [
      "XDG_CURRENT_DESKTOP": desktop, "XDG_DATA_DIRS": "/usr/local/share:/usr/share", "PATH": "/usr/bin:/bin",
      "LANGUAGE": "de:fr",
    ]
    let seen = try DesktopEntryPeerTests.glib(
      "print(json.dumps({a.get_id()[:-8]: a.get_name() for a in Gio.AppInfo.get_all() if a.should_show()}))",
      [String](), in: folder, environment: environment, as: [String: String].self)
    let languages = MessageLanguages(environment: environment)
    let ours = InstalledApplications(environment: environment).shown(environment: environment)
      .map { ($0.id, $0.entry.name?.text(in: languages) ?? "") }
    #expect(Dictionary(ours, uniquingKeysWith: { $1 }) == seen)
  }
}
