// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Foundation
import Freedesktop
import TestSupport
import Testing

/// Tests opening of URLs through `xdg-open`.
@Suite(.timeLimit(.minutes(2))) struct URLOpenerTests {
  /// A replacement of `xdg-open` that records its arguments.
  private static func recorder(_ folder: TemporaryFolder, _ name: String = "opener") throws -> String {
    let got = folder.path("got")
    return try folder.write(
      "#!/bin/sh\nprintf '%s|' \"$#\" \"$@\" >>'\(got)'\necho \"$XDG_ACTIVATION_TOKEN|$DESKTOP_STARTUP_ID\" >>'\(got)'\n",
      to: name, executable: true)
  }

  @Test func `Only allowed URLs arrive, as one argument`() async throws {
    let folder = try TemporaryFolder()
    let opener = try Self.recorder(folder)
    try await withLoop { loop in
      func open(_ url: String) async -> URLOpener.Ending {
        await URLOpener.open(url, activationToken: "t", with: opener, on: loop, policy: URLCorpus.policy)
      }
      for (url, reason) in URLCorpus.refused { #expect(await open(url) == .refused(reason)) }
      #expect(folder.read("got") == nil)
      for (url, _) in URLCorpus.allowed { #expect(await open(url) == .opened) }
    }
    #expect(folder.read("got") == URLCorpus.allowed.map { "1|\($0.target)|t|t\n" }.joined())
  }

  @Test func `A file arrives as the checked path`() async throws {
    let folder = try TemporaryFolder()
    let opener = try Self.recorder(folder)
    try folder.write("tea\n", to: "tea pot.txt")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: folder.path("tea pot.txt"))
    let url = "file://" + folder.path("link")
    try await withLoop { loop in
      #expect(await URLOpener.open(url, activationToken: "t", with: opener, on: loop) == .refused("scheme 'file'"))
      #expect(
        await URLOpener.open(url, activationToken: "t", with: opener, on: loop, policy: URLPolicy(allowsFiles: true))
          == .opened)
    }
    #expect(folder.read("got") == "1|\(folder.path("tea pot.txt"))|t|t\n")
  }

  @Test func `Without a token, our own is not passed on`() async throws {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let opener = try Self.recorder(folder)
      unsetenv("XDG_ACTIVATION_TOKEN")
      unsetenv("DESKTOP_STARTUP_ID")
      try await withLoop { loop in
        #expect(await URLOpener.open("https://a", activationToken: nil, with: opener, on: loop) == .opened)
      }
      #expect(folder.read("got") == "1|https://a||\n")
    }
  }

  @Test(
    arguments: [
      ("exit 0", .opened), ("exit 1", .failed("xdg-open: exit 1")),
      ("exit 2", .failed("xdg-open: no such file")),
      ("exit 3", .failed("xdg-open: no program opens it")),
      ("exit 4", .failed("xdg-open: the program that opens it failed")),
      ("kill -9 $$", .failed("xdg-open: signal 9")),
      // The reason was on standard error, and was thrown away.
      ("echo out; echo a >&2; echo 'no browser' >&2; exit 3", .failed("xdg-open: no program opens it: no browser")),
      (
        "echo 'xdg-open: no method available' >&2; exit 4",
        .failed("xdg-open: the program that opens it failed: no method available")
      ),
      ("echo fine >&2", .opened),
    ] as [(String, URLOpener.Ending)])
  func `Exit codes of xdg-open are put into words`(script: String, ending: URLOpener.Ending) async throws {
    let folder = try TemporaryFolder()
    let opener = try folder.write("#!/bin/sh\n\(script)\n", to: "opener", executable: true)
    try await withLoop { loop in
      #expect(await URLOpener.open("http://a", activationToken: nil, with: opener, on: loop) == ending)
    }
  }

  @Test func `Without xdg-open the error names the package`() async throws {
    try await withLoop { loop in
      #expect(
        await URLOpener.open("http://a", activationToken: nil, with: "/no/xdg-open", on: loop)
          == .failed("/no/xdg-open: No such file or directory; install the package 'xdg-utils'"))
    }
  }

  @Test func `xdg-open is found by PATH`() async throws {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let recorder = try folder.write(
        "#!/bin/sh\necho \"$1\" >\(folder.path("answer"))\n", to: "bin/xdg-open", executable: true)
      #expect(recorder.hasSuffix("bin/xdg-open"))
      setenv("PATH", folder.path("bin") + ":/usr/bin:/bin", 1)
      try await withLoop { loop in
        #expect(await URLOpener.open("https://example.org/", activationToken: nil, on: loop) == .opened)
      }
      #expect(folder.read("answer") == "https://example.org/\n")
    }
  }

  /// Uses the real program and a fake browser, as on a minimal desktop.
  @Test func `The real xdg-open starts the browser`() async throws {
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
