// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Foundation
import Freedesktop
import Synchronization
import TestSupport
import Testing

/// Tests which URLs and files a click may open.
@Suite(.timeLimit(.minutes(2))) struct URLPolicyTests {
  static func verdict(_ url: String, _ policy: URLPolicy = URLCorpus.policy) -> Result<String, URLRefusal> {
    do throws(URLRefusal) { return .success(try policy.check(url)) } catch { return .failure(error) }
  }

  static func reason(_ url: String, _ policy: URLPolicy = URLCorpus.policy) -> String? {
    if case .failure(let refusal) = verdict(url, policy) { refusal.reason } else { nil }
  }

  @Test func `Allowed URLs are passed on, mail without forbidden fields`() {
    for (url, target) in URLCorpus.allowed { #expect(Self.verdict(url) == .success(target), "\(url)") }
  }

  @Test func `Other URLs are refused, in words without the URL`() {
    #expect(URLCorpus.refused.count > 300)
    for (url, reason) in URLCorpus.refused {
      #expect(Self.reason(url) == reason, "\(url.prefix(100))")
      #expect(reason.utf8.count < 60 && !reason.contains("secret") && !reason.contains("example"))
    }
  }

  @Test func `The longest URL has 2048 bytes`() {
    let start = "https://a/"
    let url = start + String(repeating: "b", count: 2048 - start.utf8.count)
    #expect(Self.verdict(url) == .success(url) && Self.reason(url + "b") == "a URL of more than 2048 bytes")
  }

  @Test func `Random text never makes an invalid URL acceptable`() {
    var generator = SystemRandomNumberGenerator()
    let alphabet = Array("https://a.b/?#[]@!$&'()*+,;=%0a-_~\u{1}\u{7F}\\\"<> ü:x-tea:mailto:?to=".unicodeScalars)
    for _ in 0..<20_000 {
      var url = ["", "https://", "mailto:", "x-tea:"].randomElement(using: &generator) ?? ""
      for _ in 0..<Int.random(in: 0...12, using: &generator) {
        if let next = alphabet.randomElement(using: &generator) { url.unicodeScalars.append(next) }
      }
      guard case .success(let target) = Self.verdict(url) else { continue }
      #expect(target.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\\\"<>^`{|}".utf8.contains($0) }, "\(url)")
      let scheme = target.prefix { $0 != ":" }.lowercased()
      #expect(URLPolicy.usualSchemes.contains(scheme) || ["x-tea", "x-added"].contains(scheme), "\(url)")
      if scheme == "https" { #expect(!target.dropFirst(8).prefix { !"/?#".contains($0) }.contains("@"), "\(url)") }
    }
  }

  // MARK: Schemes

  @Test func `Applications are queried only about an unlisted scheme`() {
    let asked = Mutex(0)
    let policy = URLPolicy(added: ["x-added", "ssh", "javascript", "file"]) {
      asked.withLock { $0 += 1 }
      return ["x-tea"]
    }
    for url in ["https://a", "mailto:a", "x-added:a", "x-added:", "x-added://", "ssh://a", "SSH://a"] {
      #expect(Self.reason(url, policy) == nil)
    }
    for url in ["javascript:a", "smb://a", "file:///etc/hosts", "nonsense", "https://a/ "] {
      #expect(Self.reason(url, policy) != nil, "\(url)")
    }
    #expect(asked.withLock { $0 } == 0)
    #expect(Self.reason("x-tea:a", policy) == nil && Self.reason("x-pot:a", policy) == "scheme 'x-pot'")
    #expect(asked.withLock { $0 } == 2)
    #expect(Self.reason("x-tea:a", URLPolicy()) == "scheme 'x-tea'")
  }

  @Test func `A scheme declared by an installed application may be opened`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "[Desktop Entry]\nType=Application\nName=Tea\nExec=tea %u\nMimeType=x-scheme-handler/tea;x-scheme-handler/data;\n",
      to: "applications/org.example.Tea.desktop")
    let applications = InstalledApplications(folders: [folder.path("applications")])
    let policy = URLPolicy { applications.declaredSchemes() }
    #expect(Self.reason("tea:pot", policy) == nil)
    #expect(Self.reason("data:,pot", policy) == "scheme 'data'")
  }

  // MARK: Files

  private static func files() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in [
      "tea.txt", "tea pot%.html", "tea.desktop", "Tea.DESKTOP", "tea.desktop.gz", "tea.desktop~", "tea.AppImage",
      "tea.AppImage.zip.bak", "tea.sh", "tea.exe", ".desktop", "tea.desktop.", "tea.jar", "ü.txt", "tea.tar.gz",
    ] { try folder.write("tea\n", to: name) }
    try folder.write("[Desktop Entry]\nExec=tea\n", to: "entry")
    try folder.write("\n# tea\n\u{FEFF}[Desktop Entry]\nExec=tea\n", to: "entry.txt")
    try folder.write("#!/bin/sh\n", to: "script")
    try folder.write("\u{7F}ELF\u{1}", to: "program")
    try folder.write("tea\n", to: "executable", executable: true)
    try folder.write("tea\n", to: "folder/tea.txt")
    try FileManager.default.createDirectory(atPath: folder.path("folder.desktop"), withIntermediateDirectories: true)
    mkfifo(folder.path("pipe"), 0o600)
    for (name, target) in [
      ("to-text", "tea.txt"), ("to-desktop.txt", "tea.desktop"), ("to-executable.txt", "executable"),
      ("to-nothing", "nothing"), ("to-itself", "to-itself"), ("to-pipe", "pipe"), ("to-folder", "folder"),
      ("to-text.desktop", "tea.txt"), ("to-link", "to-desktop.txt"), ("to-script.txt", "script"),
    ] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path(name), withDestinationPath: folder.path(target))
    }
    return folder
  }

  @Test func `A file is opened by its real path if allowed`() throws {
    let folder = try Self.files()
    let policy = URLPolicy(allowsFiles: true)
    let root = folder.path("")
    for (url, target) in [
      ("file://\(root)/tea.txt", "tea.txt"), ("FILE://LocalHost\(root)/tea.txt", "tea.txt"),
      ("file://\(root)/tea%20pot%25.html", "tea pot%.html"), ("file://\(root)/to-text", "tea.txt"),
      ("file://\(root)/folder", "folder"), ("file://\(root)/to-folder/tea.txt", "folder/tea.txt"),
      ("file://\(root)/folder/../tea.txt", "tea.txt"), ("file://\(root)/%C3%BC.txt", "ü.txt"),
      ("file://\(root)%2Ftea.txt", "tea.txt"), ("file://\(root)/tea.tar.gz", "tea.tar.gz"),
      ("file://\(root)/folder/", "folder"),
    ] { #expect(Self.verdict(url, policy) == .success(folder.path(target)), "\(url)") }
    #expect(Self.reason("file://\(root)/tea.txt", URLPolicy()) == "scheme 'file'")
  }

  @Test func `Executable content is refused, however it is reached`() throws {
    let folder = try Self.files()
    let policy = URLPolicy(added: ["file"], allowsFiles: true) { ["file"] }
    let root = "file://" + folder.path("")
    let starts = "a file that starts programs"
    let cases: [(String, String)] =
      [
        "tea.desktop", "Tea.DESKTOP", "tea%2Edesktop", "tea.deskto%70", "tea.desktop.gz", "tea.desktop~",
        "tea.AppImage",
        "tea.AppImage.zip.bak", "tea.sh", "tea.exe", "tea.jar", ".desktop", "tea.desktop.", "folder.desktop", "entry",
        "entry.txt", "to-desktop.txt", "to-link", "to-text.desktop", "folder/../tea.desktop", "nothing.desktop",
      ].map { ($0, starts) } + [
        ("executable", "an executable file"), ("to-executable.txt", "an executable file"),
        ("script", "an executable file"), ("to-script.txt", "an executable file"), ("program", "an executable file"),
        ("pipe", "neither a file nor a folder"), ("to-pipe", "neither a file nor a folder"),
        ("nothing", "no such file"), ("to-nothing", "no such file"),
        ("to-itself", "inaccessible file"), ("tea.txt/", "no such file"),
        ("tea%252Etxt", "no such file"), ("tea.txt?a", "a file with a query"),
        ("tea.txt#a", "a file with a query"), ("tea.txt%0A", "invalid file name"), ("%FF", "invalid file name"),
        ("tea.txt%00", "a null character"), ("tea.desktop%00.txt", "a null character"),
      ]
    for (name, reason) in cases { #expect(Self.reason("\(root)/\(name)", policy) == reason, "\(name)") }
    let path = folder.path("tea.txt")
    for url in [
      "file:\(path)", "file:/\(path)x", "file://host\(path)", "file://127.0.0.1\(path)", "file://user@localhost\(path)",
      "file://localhost:80\(path)", "file:tea.txt", "file:", "file://", "file://localhost", "file:////host/share",
    ] {
      let reason = Self.reason(url, policy)
      #expect(["a file on another machine", "no such file"].contains(reason), "\(url) \(reason ?? "-")")
    }
    for url in ["file:///dev/null", "file:///dev/zero", "file:///proc/self/environ", "file:///dev/tty"] {
      let reason = Self.reason(url, policy)
      #expect(["neither a file nor a folder", "no such file"].contains(reason), "\(url) \(reason ?? "-")")
    }
    #expect(Self.reason("file:///usr/bin/env", policy) == "an executable file")
  }

  @Test func `No descriptor stays open`() async throws {
    await #expect(processExitsWith: .success) {
      let folder = try Self.files()
      let policy = URLPolicy(allowsFiles: true)
      func open() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
      let before = try open()
      for name in ["tea.txt", "entry", "executable", "pipe", "to-link", "nothing", "folder", "script"] {
        for _ in 0..<10 { _ = Self.verdict("file://\(folder.path(name))", policy) }
      }
      // The process has a few other descriptors that come and go.
      #expect(try open() < before + 10)
    }
  }
}
