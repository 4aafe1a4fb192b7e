// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Foundation
import Freedesktop
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct URLOpenerTests {
  @Test(arguments: [
    ("javascript:alert(1)", "javascript"), ("data:text/html,a", "data"), ("file:///etc/hosts", "file"),
    ("/etc/hosts", "/etc/hosts"), ("", ""), (":", ""), ("http", "http"), ("https", "https"), ("-h:a", "-h"),
    (" http://a", " http"), ("ht\u{301}tp://a", "ht\u{301}tp"), ("x-own:a", "x-own"), ("vbscript:a", "vbscript"),
  ])
  func otherSchemesAreRefused(_ url: String, _ scheme: String) async throws {
    try await withLoop { loop in
      #expect(await URLOpener.open(url, activationToken: nil, on: loop) == .refusedScheme(scheme))
    }
  }

  /// Puts programs in front of `PATH`, in a process of the test's own, since the variable is everybody's.
  static func prepend(_ folder: TemporaryFolder) {
    setenv("PATH", folder.path("bin") + ":/usr/bin:/bin", 1)
  }

  @Test func xdgOpenGetsTheURLAndTheToken() async throws {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let answer = folder.path("answer")
      try folder.write(
        "#!/bin/sh\necho \"$#|$1|$XDG_ACTIVATION_TOKEN|$DESKTOP_STARTUP_ID\" >\(answer)\n", to: "bin/xdg-open",
        executable: true)
      Self.prepend(folder)
      let cases: [(String, String?, String)] = [
        ("https://example.org/?a=b&c='$HOME'", "token-1", "1|https://example.org/?a=b&c='$HOME'|token-1|token-1"),
        ("HTTPS://example.org/", nil, "1|HTTPS://example.org/||"), ("mailto:-h", nil, "1|mailto:-h||"),
      ]
      unsetenv("XDG_ACTIVATION_TOKEN")
      unsetenv("DESKTOP_STARTUP_ID")
      try await withLoop { loop in
        for (url, token, expected) in cases {
          #expect(await URLOpener.open(url, activationToken: token, on: loop) == .opened)
          #expect(folder.read("answer") == expected + "\n")
        }
        #expect(await URLOpener.open("x-own:a", activationToken: nil, on: loop, schemes: ["x-own"]) == .opened)
        #expect(
          await URLOpener.open("https:a", activationToken: nil, on: loop, schemes: ["x-own"]) == .refusedScheme("https")
        )
      }
    }
  }

  @Test func whatXdgOpenSaysIsPutIntoWords() async throws {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      try folder.write("#!/bin/sh\nexec sh -c \"${1#http:}\"\n", to: "bin/xdg-open", executable: true)
      Self.prepend(folder)
      let endings: [(String, URLOpener.Ending)] = [
        ("exit 0", .opened), ("exit 1", .failed("xdg-open: exit 1")),
        ("exit 2", .failed("xdg-open: a file that is not there")),
        ("exit 3", .failed("xdg-open: no program that opens it")),
        ("exit 4", .failed("xdg-open: the program that should open it failed")),
        ("kill -9 $$", .failed("xdg-open: signal 9")),
      ]
      try await withLoop { loop in
        for (script, ending) in endings {
          #expect(await URLOpener.open("http:" + script, activationToken: nil, on: loop) == ending)
        }
      }
    }
  }

  @Test func withoutXdgOpenItSaysWhatToInstall() async throws {
    await #expect(processExitsWith: .success) {
      setenv("PATH", "/nowhere", 1)
      try await withLoop { loop in
        #expect(
          await URLOpener.open("http://a", activationToken: nil, on: loop)
            == .failed("xdg-open: No such file or directory; install the package 'xdg-utils'"))
      }
    }
  }

  /// The real one, with a browser of ours: what a minimal desktop has.
  @Test func theRealXdgOpenStartsTheBrowser() async throws {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let browser = try folder.write(
        "#!/bin/sh\necho \"$1 $XDG_ACTIVATION_TOKEN\" >\(folder.path("answer"))\n", to: "bin/browser", executable: true)
      for name in ["DISPLAY", "WAYLAND_DISPLAY", "XDG_CURRENT_DESKTOP", "DESKTOP_SESSION", "DBUS_SESSION_BUS_ADDRESS"] {
        unsetenv(name)
      }
      setenv("HOME", folder.path("home"), 1)
      setenv("BROWSER", browser, 1)
      try await withLoop { loop in
        #expect(await URLOpener.open("https://example.org/tea", activationToken: "token", on: loop) == .opened)
      }
      #expect(folder.read("answer") == "https://example.org/tea token\n")
    }
  }
}
