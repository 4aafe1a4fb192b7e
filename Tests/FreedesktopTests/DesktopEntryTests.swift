// SPDX-License-Identifier: Apache-2.0
import Foundation
import Freedesktop
import TestSupport
import Testing

/// Tests parsing of desktop entries.
@Suite(.timeLimit(.minutes(2))) struct DesktopEntryTests {
  static func entry(_ lines: String) throws -> DesktopEntry {
    try DesktopEntry(Array(("[Desktop Entry]\nType=Application\n" + lines).utf8))
  }

  static func reason(_ bytes: [UInt8]) -> String {
    do {
      _ = try DesktopEntry(bytes)
      return "none"
    } catch {
      return error.reason
    }
  }

  @Test func `Every key of an entry is read`() throws {
    let entry = try Self.entry(
      """
      Name=Tea
      Name[de]=Tee
      Name[sr@latin]=Čaj
      Icon=tea
      Exec=tea %u
      TryExec=/usr/bin/tea
      Path=/var/tea
      Terminal=true
      DBusActivatable=true
      NoDisplay=1
      OnlyShowIn=GNOME;KDE;
      NotShowIn=XFCE
      MimeType=text/plain;x-scheme-handler/Tea;x-scheme-handler/;;
      X-Own=anything
      Actions=brew;ghost;pour;brew

      [Desktop Action pour]
      Name=Pour
      [Desktop Action brew]
      Name=Brew
      Name[de]=Aufbrühen
      Icon=kettle
      Exec=tea --brew
      [Another Group]
      Exec=rm
      """)
    let german = MessageLanguages(locales: ["de_AT.UTF-8"])
    #expect(entry.isApplication && entry.type == "Application")
    #expect(entry.name?.plain == "Tea" && entry.name?.text(in: german) == "Tee")
    #expect(entry.name?.translations.count == 2)
    #expect(entry.icon?.plain == "tea" && entry.exec == "tea %u" && entry.tryExec == "/usr/bin/tea")
    #expect(entry.workingFolder == "/var/tea" && entry.needsTerminal && entry.isBusActivatable)
    #expect(entry.isNotDisplayed && !entry.isHidden)
    #expect(entry.onlyShownIn == ["GNOME", "KDE"] && entry.notShownIn == ["XFCE"])
    #expect(entry.schemes == ["tea"])
    #expect(entry.actions.map(\.id) == ["brew", "pour"])
    #expect(entry.actions[0].name?.text(in: german) == "Aufbrühen" && entry.actions[0].exec == "tea --brew")
    #expect(entry.actions[1].exec == nil && entry.actions[0].icon?.plain == "kettle")
  }

  @Test(arguments: [
    ("a\\sb", "a b"), ("a\\nb\\tc\\rd", "a\nb\tc\rd"), ("a\\\\nb", "a\\nb"), ("\\s a", "  a"), ("a\\", "a"),
    ("a\\$b", "a\\$b"), ("a;b", "a;b"), ("a\\;b", "a\\;b"), ("", ""), ("=", "="), ("# a", "# a"), ("[a]", "[a]"),
  ])
  func `Known escapes are resolved and unknown ones stay`(_ written: String, _ read: String) throws {
    #expect(try Self.entry("Name=\(written)").name?.plain == read)
  }

  @Test(arguments: [
    ("a;b", ["a", "b"]), ("a;b;", ["a", "b"]), (";;a;;", ["a"]), ("a\\;b;c", ["a;b", "c"]), ("a\\\\;b", ["a\\", "b"]),
    ("a\\sb;", ["a b"]), ("", []), (";", []),
  ])
  func `Lists are split at unescaped semicolons`(_ written: String, _ read: [String]) throws {
    #expect(try Self.entry("MimeType=\(written)").mimeTypes == read)
  }

  @Test(arguments: [
    ("de_DE", ["de_DE", "de"]), ("sr_YU@Latn", ["sr_YU@Latn", "sr_YU", "sr@Latn", "sr"]), ("C", ["C"]),
    ("ca_ES.UTF-8@valencia", ["ca_ES@valencia", "ca_ES", "ca@valencia", "ca"]), ("eo", ["eo"]), ("", [""]),
  ])
  func `Languages are tried in the order of the specification`(_ locale: String, _ names: [String]) {
    #expect(MessageLanguages(locales: [locale]).names == names)
  }

  @Test func `The environment determines the languages`() {
    func names(_ environment: [String: String]) -> [String] { MessageLanguages(environment: environment).names }
    #expect(names(["LANG": "de_DE.UTF-8"]) == ["de_DE", "de"])
    #expect(names(["LANG": "de", "LC_MESSAGES": "fr"]) == ["fr"])
    #expect(names(["LANG": "de", "LC_MESSAGES": "fr", "LC_ALL": "it"]) == ["it"])
    #expect(names(["LANG": "de", "LC_ALL": ""]) == ["de"])
    #expect(names(["LANGUAGE": "fr:de_DE:de", "LANG": "it"]) == ["fr", "de_DE", "de"])
    #expect(names([:]) == ["C"])
  }

  @Test func `Values that are not UTF-8 are dropped, or rejected if needed for launching`() throws {
    let head = Array("[Desktop Entry]\nType=Application\nName=Tea\nName[de]=T".utf8)
    let entry = try DesktopEntry(head + [0xFF, 0xFE, 0x0A] + Array("Name[fr]=Thé\n".utf8))
    #expect(entry.name?.translations == ["fr": "Thé"] && entry.name?.plain == "Tea")
    let broken = try DesktopEntry(Array("[Desktop Entry]\nType=Application\nMimeType=a;".utf8) + [0xFF])
    #expect(broken.mimeTypes == [])
    #expect(
      Self.reason(Array("[Desktop Entry]\nType=Application\nExec=".utf8) + [0xC3, 0x28])
        == "the value of 'Exec' is not UTF-8")
  }

  @Test(arguments: [
    ("", "no group '[Desktop Entry]'"), ("# nothing\n\n", "no group '[Desktop Entry]'"),
    ("Name=Tea", "line 1 stands before the first group"),
    ("[Tea]\nName=Tea", "the first group is not '[Desktop Entry]'"),
    ("\n[Desktop Entry", "line 2 is not the head of a group"), ("[]", "line 1 is not the head of a group"),
    ("[Desktop Entry]]", "line 1 is not the head of a group"),
    ("[Desktop Entry]\nName", "line 2 is neither a comment, a group nor a key with its value"),
    ("[Desktop Entry]\n=Tea", "line 2 has no key"), ("[Desktop Entry]\nName=Tea", "it has no 'Type'"),
    ("[Desktop Entry]\nType=", "it has no 'Type'"), ("[Desktop Entry]\nType=Application\nName=a\0b", "a NUL byte"),
  ])
  func `A malformed file is reported with the reason`(_ text: String, _ reason: String) {
    #expect(Self.reason(Array(text.utf8)) == reason)
  }

  @Test func `A file beyond the size limit is rejected`() throws {
    let head = Array("[Desktop Entry]\nType=Application\n#".utf8)
    let longest = 1 << 20
    #expect(Self.reason(head + [UInt8](repeating: 0x78, count: longest - head.count)) == "none")
    #expect(Self.reason(head + [UInt8](repeating: 0x78, count: longest)) == "longer than 1048576 bytes")
  }

  /// Inputs that would be slow for quadratic algorithms.
  @Test func `The worst valid inputs are parsed in time`() throws {
    let start = ContinuousClock.now
    let count = 250_000
    for lines in [
      String(repeating: "a=\n", count: count), "Exec=" + String(repeating: "x", count: 3 * count),
      "Actions=" + String(repeating: "a;", count: count), "Exec=a " + String(repeating: "%%\"", count: count),
      String(repeating: "[Desktop Entry]\n", count: 60_000), "MimeType=" + String(repeating: "\\;", count: count),
      (0..<60_000).map { "Name[\($0)]=\n" }.joined(),
    ] {
      let entry = try Self.entry(lines)
      if let exec = entry.exec { _ = try? ExecLine(exec) }
    }
    #expect(ContinuousClock.now - start < .seconds(30))
  }

  @Test func `A hidden entry needs no other key`() throws {
    let entry = try DesktopEntry(Array("[Desktop Entry]\nHidden=true".utf8))
    #expect(entry.isHidden && !entry.isApplication)
  }

  @Test func `The last of repeated keys counts`() throws {
    let entry = try Self.entry("Name=a\nName=b\n[Other]\nName=c\n[Desktop Entry]\nName=d\nIcon=e")
    #expect(entry.name?.plain == "d" && entry.icon?.plain == "e" && entry.isApplication)
  }

  @Test func `The desktop determines whether an entry is shown`() throws {
    let own = try Self.entry("OnlyShowIn=GNOME;")
    let others = try Self.entry("NotShowIn=KDE;")
    #expect(own.isShown(in: ["Unity", "GNOME"]) && !own.isShown(in: ["KDE"]) && !own.isShown(in: []))
    #expect(others.isShown(in: ["GNOME"]) && !others.isShown(in: ["KDE"]) && others.isShown(in: []))
    #expect(try !Self.entry("OnlyShowIn=\n").isShown(in: ["GNOME"]))
  }
}
