// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Links

/// Tests the files around a link: secrets, states, folders, the lock.
@Suite struct LinkFileTests {
  private static func problem(_ place: SecretPlace, in folder: String, _ environment: [String: String] = [:]) -> String
  {
    do { _ = try place.read(in: folder) { environment[$0] } } catch { return "\(error)" }
    return "none"
  }

  @Test func `A secret is read from a file that only its user can read`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("tk_abc\n", to: "home.secret")
    for (mode, isGood) in [(0o600, true), (0o400, true), (0o640, false), (0o604, false), (0o660, false), (0o700, true)]
    {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
      let problem = Self.problem(.file("home.secret"), in: folder.url.path)
      #expect(problem == (isGood ? "none" : "others can read '\(path)'; run 'chmod 600 \(path)'"), "\(mode)")
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    #expect(try SecretPlace.file(path).read(in: "/nowhere") == "tk_abc")
  }

  @Test(arguments: ["", "\n", "a\nb", "a\r\nX: y", "a\u{0}b"])
  func `A secret is one line`(text: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("x")
    #expect(
      FileManager.default.createFile(atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600]))
    #expect(Self.problem(.file("x"), in: folder.url.path) != "none")
  }

  @Test func `A missing, a long and a strange file are refused`() throws {
    let folder = try TemporaryFolder()
    #expect(Self.problem(.file("none"), in: folder.url.path).hasSuffix("No such file or directory"))
    #expect(Self.problem(.file("."), in: folder.url.path).hasSuffix("not a regular file"))
    let long = Data(String(repeating: "x", count: 5000).utf8)
    #expect(
      FileManager.default.createFile(
        atPath: folder.path("long"), contents: long, attributes: [.posixPermissions: 0o600]))
    #expect(Self.problem(.file("long"), in: folder.url.path).hasSuffix("longer than 4096 bytes"))
  }

  @Test func `A credential comes from systemd`() throws {
    let folder = try TemporaryFolder()
    try folder.write("tk_abc", to: "ntfy")
    let environment = ["CREDENTIALS_DIRECTORY": folder.url.path]
    #expect(try SecretPlace.credential("ntfy").read(in: "/") { environment[$0] } == "tk_abc")
    #expect(Self.problem(.credential("ntfy"), in: "/").contains("LoadCredential=ntfy:FILE"))
  }

  @Test func `A state is written and read back equal`() throws {
    let folder = try TemporaryFolder()
    var state = LinkState()
    try state.write(to: folder.path("a"))
    #expect(LinkState.read(folder.path("a")) == state)
    (state.phase, state.since, state.source, state.lastID, state.began) = (.refused, 5, "https://a/t", "abc", 4)
    (state.lastMessage, state.count, state.error, state.errorDate) = (7, 8, "no", 9)
    (state.obstacle, state.floodedUntil, state.omissions) = ("absent", 10, [.tooLong: 2, .actions: 1])
    try state.write(to: folder.path("a"))
    #expect(LinkState.read(folder.path("a")) == state)
  }

  @Test(arguments: ["", "{", "[]", "{}", #"{"phase": "new", "since": 1}"#, #"{"phase": "connected"}"#])
  func `A damaged state counts as none`(text: String) throws {
    let folder = try TemporaryFolder()
    #expect(LinkState.read(try folder.write(text, to: "a")) == nil)
  }

  // The next message would have made a number overflow, at each start again.
  @Test func `A number that is too large for a count is ignored`() throws {
    let folder = try TemporaryFolder()
    let text =
      #"{"phase": "connected", "since": 1, "count": 9223372036854775807, "lastMessage": -9223372036854775808, "#
      + #""omissions": {"tooLong": 9223372036854775807, "actions": 3}}"#
    let state = try #require(LinkState.read(try folder.write(text, to: "a")))
    #expect(state.count == 0 && state.lastMessage == nil && state.omissions == [.actions: 3])
    let since = #"{"phase": "connected", "since": -9223372036854775808}"#
    #expect(LinkState.read(try folder.write(since, to: "b")) == nil)
  }

  @Test func `Links are the files with a proper name`() throws {
    let folder = try TemporaryFolder()
    let environment = ["XDG_CONFIG_HOME": folder.path("config"), "XDG_STATE_HOME": folder.path("state")]
    let folders = try #require(LinkFolders { environment[$0] })
    #expect(folders.names().links == [])
    for name in ["b.json", "a.json", ".hidden.json", "ä.json", "a.secret", "a.json.x1"] {
      try folder.write("{}", to: "config/suzu/links.d/" + name)
    }
    #expect(folders.names().links.map(\.text) == ["a", "b"] && folders.names().others == ["ä.json"])
    let error = #expect(throws: LinkFileError.self) { try folders.definition(of: try LinkName("a")) }
    #expect(error?.description == folder.path("config/suzu/links.d/a.json") + ": line 1, column 1: 'app' is missing")
    #expect(LinkFolders { _ in nil } == nil && LinkFolders { $0 == "HOME" ? "relative" : nil } == nil)
    #expect(LinkFolders { $0 == "HOME" ? "/h" : nil }?.settings == "/h/.config/suzu/links.d")
    #expect(LinkFolders { $0 == "HOME" ? "/h" : nil }?.states == "/h/.local/state/suzu/links")
  }
}
