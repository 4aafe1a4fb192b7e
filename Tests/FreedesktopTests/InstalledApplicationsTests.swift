// SPDX-License-Identifier: Apache-2.0
import Foundation
import Freedesktop
import Glibc
import TestSupport
import Testing

/// Tests lookup of desktop entries and of the schemes they declare.
@Suite(.timeLimit(.minutes(2))) struct InstalledApplicationsTests {
  static func entry(_ name: String, _ more: String = "") -> String {
    "[Desktop Entry]\nType=Application\nName=\(name)\nExec=true\n\(more)\n"
  }

  static func applications(_ folder: TemporaryFolder) -> InstalledApplications {
    InstalledApplications(environment: [
      "XDG_DATA_HOME": folder.path("home"), "XDG_DATA_DIRS": folder.path("one") + ":" + folder.path("two"),
    ])
  }

  @Test func `The environment determines the folders`() {
    func folders(_ environment: [String: String]) -> [String] {
      InstalledApplications(environment: environment).folders
    }
    let usual = ["/usr/local/share/applications", "/usr/share/applications"]
    #expect(folders([:]) == usual)
    #expect(folders(["HOME": "/h"]) == ["/h/.local/share/applications"] + usual)
    #expect(folders(["HOME": "/h", "XDG_DATA_HOME": "/d"]) == ["/d/applications"] + usual)
    #expect(folders(["XDG_DATA_HOME": "d", "XDG_DATA_DIRS": "a:/b::/c:/b"]) == ["/b/applications", "/c/applications"])
    #expect(folders(["XDG_DATA_DIRS": ""]) == usual)
  }

  @Test func `The first entry of an id counts and a hidden one does not exist`() throws {
    let folder = try TemporaryFolder()
    let applications = Self.applications(folder)
    for (place, name, text) in [
      ("home", "a", Self.entry("home")), ("one", "a", Self.entry("one")), ("two", "b", Self.entry("two")),
      ("one", "c", "[Desktop Entry]\nHidden=true\n"), ("two", "c", Self.entry("two")),
      ("home", "d", "broken"), ("two", "d", Self.entry("two")),
    ] { try folder.write(text, to: "\(place)/applications/\(name).desktop") }
    #expect(try applications.entry("a")?.name?.plain == "home")
    #expect(try applications.entry("a.desktop")?.path == folder.path("home/applications/a.desktop"))
    #expect(try applications.entry("b")?.name?.plain == "two")
    #expect(try applications.entry("c") == nil && applications.entry("e") == nil)
    #expect(throws: DesktopEntryError.self) { try applications.entry("d") }
    // Nothing is cached.
    try folder.write(Self.entry("new"), to: "home/applications/e.desktop")
    #expect(try applications.entry("e")?.name?.plain == "new")
  }

  @Test func `Dashes in ids match subfolders`() throws {
    let folder = try TemporaryFolder()
    let applications = Self.applications(folder)
    for path in ["kde/org/foo", "kde-org/bar", "plain-name", "kde/two-words"] {
      try folder.write(Self.entry(path), to: "one/applications/\(path).desktop")
    }
    for (id, path) in [
      ("kde-org-foo", "kde/org/foo"), ("kde-org-bar", "kde-org/bar"), ("plain-name", "plain-name"),
      ("kde-two-words", "kde/two-words"),
    ] { #expect(try applications.entry(id)?.name?.plain == path) }
    #expect(try applications.entry("kde-org") == nil && applications.entry("kde-") == nil)
  }

  @Test(arguments: [
    "", ".desktop", "a/b", "/etc/passwd", "../a", "..", "one-..-a", "..-a", ".-a", ".a", "a\0b", "a\nb", "a..b",
    String(repeating: "a", count: 248), "kde-..-..-secret",
  ])
  func `An id is never a path`(_ id: String) throws {
    let folder = try TemporaryFolder()
    for place in ["", "one/applications/", "one/", "one/applications/kde/"] {
      for name in ["a", "secret", ".a", "b"] {
        try folder.write(Self.entry("reached"), to: "\(place)\(name).desktop")
      }
    }
    #expect(InstalledApplications.id(of: id) == nil)
    #expect(try Self.applications(folder).entry(id) == nil)
    #expect(try Self.applications(folder).entry("one-applications-a") == nil)
  }

  @Test func `Pipes, devices and oversized files are rejected without blocking`() throws {
    let folder = try TemporaryFolder()
    let applications = Self.applications(folder)
    let path = folder.path("home/applications")
    try folder.write(Self.entry("long") + String(repeating: "#", count: 1 << 20), to: "home/applications/long.desktop")
    #expect(mkfifo(path + "/pipe.desktop", 0o600) == 0)
    #expect(mkdir(path + "/folder.desktop", 0o700) == 0)
    #expect(symlink("/dev/zero", path + "/zero.desktop") == 0)
    #expect(symlink("loop.desktop", path + "/loop.desktop") == 0)
    #expect(symlink("nothing.desktop", path + "/dangling.desktop") == 0)
    func reason(_ id: String) -> String {
      do { return try applications.entry(id) == nil ? "none" : "an entry" } catch { return error.reason }
    }
    for id in ["pipe", "folder", "zero"] { #expect(reason(id) == "not a regular file") }
    #expect(reason("loop") == "Too many levels of symbolic links" && reason("dangling") == "none")
    #expect(reason("long") == "longer than 1048576 bytes")
    #expect(applications.declaredSchemes() == [])
  }

  /// For example another user's folder, in a list that `su` has kept. Runs in its own process as the user nobody.
  @Test(.enabled(if: geteuid() == 0, "only root can become nobody"))
  func `An inaccessible folder is skipped and an unreadable entry is an error`() async throws {
    await #expect(processExitsWith: .success) {
      // The folder of `make test` is inaccessible to that user.
      setenv("TMPDIR", "/tmp", 1)
      let folder = try TemporaryFolder()
      for place in ["home", "one"] {
        try folder.write(Self.entry(place), to: "\(place)/applications/a.desktop")
      }
      try folder.write(Self.entry("b"), to: "one/applications/b.desktop")
      #expect(chmod(folder.path("one/applications/b.desktop"), 0) == 0 && chmod(folder.path("home"), 0o700) == 0)
      #expect(chmod(folder.path("one"), 0o755) == 0 && chmod(folder.path(""), 0o755) == 0)
      #expect(seteuid(65534) == 0)
      defer { seteuid(0) }
      let applications = Self.applications(folder)
      #expect(try applications.entry("a")?.name?.plain == "one")
      #expect(throws: DesktopEntryError.self) { try applications.entry("b") }
    }
  }

  @Test func `Schemes come from effective entries only`() throws {
    let folder = try TemporaryFolder()
    let applications = Self.applications(folder)
    func mime(_ scheme: String) -> String { "MimeType=text/html;x-scheme-handler/\(scheme);" }
    for (path, text) in [
      ("home/applications/a", Self.entry("a", mime("One"))), ("one/applications/a", Self.entry("a", mime("shadowed"))),
      ("one/applications/b", Self.entry("b", mime("two") + "\nNoDisplay=true")),
      ("home/applications/c", "[Desktop Entry]\nHidden=true"), ("one/applications/c", Self.entry("c", mime("hidden"))),
      ("two/applications/kde/org/d", Self.entry("d", mime("three;x-scheme-handler/web+four"))),
      ("two/applications/e", "x-scheme-handler/broken"), ("two/applications/kde-f", Self.entry("f", "#" + mime("no"))),
      ("home/applications/kde-g", Self.entry("g")), ("two/applications/kde/g", Self.entry("g", mime("shadowed"))),
      ("one/applications/h", "[Desktop Entry]\nType=Link\n" + mime("link")),
      ("one/applications/i.txt", Self.entry("i", mime("text"))),
    ] { try folder.write(text, to: path + ".desktop") }
    try FileManager.default.moveItem(
      atPath: folder.path("one/applications/i.txt.desktop"), toPath: folder.path("one/applications/i.txt"))
    #expect(symlink("..", folder.path("one/applications/back")) == 0)
    #expect(symlink(".", folder.path("one/applications/here")) == 0)
    #expect(applications.declaredSchemes() == ["one", "two", "three", "web+four"])
    #expect(InstalledApplications(folders: ["/nowhere"]).declaredSchemes() == [])
  }

  /// This lookup happens at a click: entries as on a full desktop, each with 40 translations, one in six with schemes.
  @Test func `The schemes of 300 entries are found quickly`() throws {
    let folder = try TemporaryFolder()
    let translations = (0..<40).map {
      "Name[l\($0)]=A name number \($0)\nComment[l\($0)]=Words of some length, \($0)\n"
    }
    for number in 0..<300 {
      let mime = number % 6 == 0 ? "MimeType=text/html;x-scheme-handler/s\(number);" : "MimeType=text/plain;"
      try folder.write(
        Self.entry("\(number)", translations.joined() + mime), to: "one/applications/org.example.A\(number).desktop")
    }
    let applications = Self.applications(folder)
    var best = Duration.seconds(60)
    for _ in 0..<5 {
      let start = ContinuousClock.now
      #expect(applications.declaredSchemes().count == 50)
      best = min(best, ContinuousClock.now - start)
    }
    print("schemes of 300 entries: \(best)")
    #expect(best < .seconds(1))
  }
}
