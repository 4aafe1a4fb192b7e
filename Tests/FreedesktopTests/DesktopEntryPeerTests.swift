// SPDX-License-Identifier: Apache-2.0
import Foundation
import Freedesktop
import TestSupport
import Testing

/// Tests desktop entries against GLib, the most common launcher on Linux.
@Suite(.timeLimit(.minutes(3)), .enabled(if: GLibApplication.isPossible, "no python3-gi here"))
struct DesktopEntryPeerTests {
  /// Runs a script that prints JSON; `app(id)` and `file(path)` return GLib's view of an entry, or None.
  ///
  /// GLib keeps empty parts of lists, which are removed here.
  static func glib<T: Decodable>(
    _ script: String, _ input: some Encodable, in folder: TemporaryFolder, environment: [String: String] = [:],
    as type: T.Type = T.self
  ) throws -> T {
    let program = try folder.write(
      """
      import json, os, sys
      from gi.repository import Gio
      given = json.load(sys.stdin)
      def made(make, *arguments):
        try: return make(*arguments)
        except TypeError: return None
      def app(id): return made(Gio.DesktopAppInfo.new, id)
      def file(path): return made(Gio.DesktopAppInfo.new_from_filename, path)
      def view(a):
        if a is None: return None
        return dict(name=a.get_string('Name'), mime=[m for m in a.get_supported_types() if m],
          actions=a.list_actions(),
          flags=[a.get_is_hidden(), a.get_nodisplay(), a.get_boolean('Terminal')])
      \(script)
      """, to: "oracle.py")
    var variables = [
      "PATH": "/usr/bin:/bin", "HOME": folder.path("empty"), "XDG_DATA_HOME": folder.path("home"),
      "XDG_DATA_DIRS": folder.path("one") + ":" + folder.path("two"), "LANG": "C.UTF-8",
    ]
    variables.merge(environment) { $1 }
    let result = try RunningProgram.run(
      "/usr/bin/python3", [program], environment: variables,
      input: String(decoding: try JSONEncoder().encode(input), as: UTF8.self), within: 60)
    guard result.status == 0 else { throw TestFailure("python3: \(result.errors)") }
    return try JSONDecoder().decode(type, from: Data(result.output.utf8))
  }

  // MARK: The form

  struct Seen: Codable, Equatable {
    var name: String?
    var mime: [String] = []
    var actions: [String] = []
    var flags: [Bool] = []
  }

  static let bodies = [
    "Name=a", " Name = a ", "Name=a\r\nIcon=b\r", "\tName\t=\ta b\t", "Name=a\n\n# Name=b\n  # c\n", "Name=a\nName=b",
    "Name=a\n[Other]\nName=b\n[Desktop Entry]\nName=c", "Name=a\n[Desktop Entry]  \nName=d", "Name=a\\sb\\\\n\\tc",
    "Name=a=b=c", "Name=[a]", "Name=#a", "Name=\nX=1", "Name=a\nMimeType=a/b;c/d;;e\\;f/g;", "Name=a\nMimeType=a/b",
    "Name=a\nHidden=true", "Name=a\nHidden=false\nNoDisplay=true", "Name=a\nNoDisplay=1\nHidden=TRUE",
    "Name=a\nNoDisplay=true \nHidden= 0", "Name=a\nnonsense", "Name=a\n[broken\nX=1", "Name=a\n[]", "Name=a\n[x]y",
    "Name=a\n=b", "Name=a\nX-Whatever[de]=1\nX-Other=2",
    "Name=a\nActions=d;b;\n[Desktop Action b]\nName=B\nExec=b\n"
      + "[Desktop Action d]\nName=D\n[Desktop Action x]\nName=X",
    "Name=\u{FEFF}a", "Name=a\nTerminal=true", "Type=Link\nName=a", "Name=äöü ☕",
  ]

  @Test func `Files of any form are parsed as GLib parses them`() throws {
    let folder = try TemporaryFolder()
    var heads = [
      "[Desktop Entry]\nType=Application\nExec=true\n", "# first\n\n[Desktop Entry]\nExec=true\nType=Application\n",
    ]
    heads += [
      "[Other]\n[Desktop Entry]\nType=Application\nExec=true\n", "X=1\n[Desktop Entry]\nType=Application\nExec=true\n",
    ]
    heads += ["[Desktop Entry]\nExec=true\n"]
    var paths: [String] = []
    for (number, head) in heads.enumerated() {
      for (index, body) in Self.bodies.enumerated() {
        paths.append(try folder.write(head + body, to: "\(number)-\(index).desktop"))
      }
    }
    let seen = try Self.glib(
      "print(json.dumps([view(file(p)) for p in given]))", paths, in: folder, as: [Seen?].self)
    #expect(seen.count == paths.count && seen.contains(nil))
    for (path, seen) in zip(paths, seen) {
      let bytes = Array(try Data(contentsOf: URL(filePath: path)))
      let entry = (try? DesktopEntry(bytes)).flatMap { $0.isApplication ? $0 : nil }
      let ours = entry.map {
        Seen(
          name: $0.name?.plain, mime: $0.mimeTypes, actions: $0.actions.map(\.id),
          flags: [$0.isHidden, $0.isNotDisplayed, $0.needsTerminal])
      }
      #expect(ours == seen, "\(String(decoding: bytes, as: UTF8.self))")
    }
  }

  /// A stricter parser would reject entries that others can launch.
  @Test func `Damaged files that GLib accepts are parsed alike`() throws {
    let folder = try TemporaryFolder()
    var numbers = DesktopEntryFuzzTests.Numbers(state: 0x5EED_0002)
    let seed = """
      [Desktop Entry]
      Type=Application
      Name=Tea \\\\ \\s a
      Name[de]=Tee
      Exec=true
      MimeType=a/b;c\\;d/e;x-scheme-handler/f;
      Actions=g;h;
      Hidden=false
      NoDisplay=true
      [Desktop Action g]
      Name=G
      [Desktop Action h]
      Name=H

      """
    var paths: [String] = []
    for number in 0..<1500 {
      let path = folder.path("\(number).desktop")
      try Data(DesktopEntryFuzzTests.mutate(Array(seed.utf8), &numbers)).write(to: URL(filePath: path))
      paths.append(path)
    }
    let seen = try Self.glib(
      "print(json.dumps([view(file(p)) for p in given]))", paths, in: folder, as: [Seen?].self)
    var compared = 0
    for (path, seen) in zip(paths, seen) {
      let bytes = Array(try Data(contentsOf: URL(filePath: path)))
      // NUL bytes and command lines that are not UTF-8 are rejected here, with a reason.
      guard var seen, !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else { continue }
      compared += 1
      let entry = try? DesktopEntry(bytes)
      // In GLib, an unknown escape invalidates a list.
      if seen.mime.isEmpty, text.contains(/MimeType=.*\\[^stnr;\\]/) { seen.mime = entry?.mimeTypes ?? [] }
      // From GLib 2.84 on also a name, so that the program has none; here it is shown as it is written.
      if seen.name == nil, text.contains(/Name=.*\\([^stnr\\]|\n)/) { seen.name = entry?.name?.plain }
      // By the specification, listed actions without a description do not count; GLib leaves that to its callers.
      seen.actions.removeAll { action in entry?.actions.contains { $0.id == action } == false }
      let ours = entry.map {
        Seen(
          name: $0.name?.plain, mime: $0.mimeTypes, actions: $0.actions.map(\.id),
          flags: [$0.isHidden, $0.isNotDisplayed, $0.needsTerminal])
      }
      #expect(ours == seen, "\(text)")
    }
    #expect(compared > 300, "\(compared)")
  }

  // MARK: Languages

  @Test(arguments: [
    ["LANG": "de_DE.UTF-8"], ["LANG": "de_AT"], ["LANG": "pt_BR.UTF-8"], ["LANG": "pt"], ["LANG": "sr_RS@latin"],
    ["LANG": "sr@latin"], ["LANG": "sr_RS"], ["LANG": "C"], ["LANG": "xx"], ["LANGUAGE": "xx:pt_BR:de", "LANG": "fr"],
    ["LC_ALL": "de", "LANG": "pt"], ["LC_MESSAGES": "sr", "LANG": "de"], ["LANGUAGE": "", "LANG": "de"],
  ])
  func `Localized names match those of GLib`(_ environment: [String: String]) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      InstalledApplicationsTests.entry(
        "plain", "Name[de]=de\nName[de_DE]=de_DE\nName[pt_BR]=pt_BR\nName[sr]=sr\nName[sr@latin]=sr@latin"),
      to: "a.desktop")
    let seen = try Self.glib(
      "print(json.dumps([file(given[0]).get_name()]))", [path], in: folder, environment: environment, as: [String].self)
    let entry = try DesktopEntry(Array(try Data(contentsOf: URL(filePath: path))))
    #expect(entry.name?.text(in: MessageLanguages(environment: environment)) == seen.first)
  }

  // MARK: Ids

  @Test func `Ids resolve to the same files as in GLib`() throws {
    let folder = try TemporaryFolder()
    for (path, text) in [
      ("home/applications/a", "home"), ("one/applications/a", "one"), ("two/applications/b", "two"),
      ("one/applications/kde/org/foo", "foo"), ("two/applications/kde-bar", "bar"), ("one/applications/kde/bar", "sub"),
      ("one/applications/kde-org/baz", "baz"), ("two/applications/c", "two"),
    ] { try folder.write(InstalledApplicationsTests.entry(text), to: path + ".desktop") }
    try folder.write(InstalledApplicationsTests.entry("c", "Hidden=true"), to: "one/applications/c.desktop")
    let ids = ["a", "b", "c", "d", "kde-org-foo", "kde-bar", "kde-org-baz", "kde", "kde-", "-a", "kde-org", "org-foo"]
    let seen = try Self.glib(
      """
      apps = [app(id + '.desktop') for id in given]
      print(json.dumps([a and a.get_filename() for a in apps]))
      """, ids, in: folder, as: [String?].self)
    #expect(seen.compactMap(\.self).count == 5)
    for (id, seen) in zip(ids, seen) {
      #expect(try InstalledApplicationsTests.applications(folder).entry(id)?.path == seen, "\(id)")
    }
  }

  // MARK: Command lines

  struct Case: Codable {
    let path: String
    let urls: [String]
  }

  static let lines: [(String, [String])] = [
    ("a b", []), ("\"a b\" c", []), ("'a \"b' c", []), (#"a\ b \\ \""#, []), (#""a\"\\\`\$b""#, []), (#""a\b""#, []),
    ("a\"b c\"d'e f'", []), ("\"\" ''", []), ("%% 100%% a%%b", []), ("; | & $HOME ~ * > < ( ) `a` $(b)", []),
    ("%d %D a %n %N %v %m b", []), ("%i end", []), ("%c end", []), ("%k", []), ("x%c", []), ("é ☕", []),
    ("%f end", []), ("%U", []), ("--url=%u end", []),
    ("%f end", ["file:///a%20b'c%22"]), ("%F end", ["file:///a", "file:///b%20c"]),
    ("%u end", ["https://a/?b=c&d='e'$f;g"]),
    ("%U", ["https://a/", "mailto:b@c"]), ("--url=%u end", ["https://a/%20b"]), ("-f %f %i %c", ["file:///%C3%A9"]),
    ("%u %k", ["file:///a%20b"]), ("%U", ["file:///a", "x:b"]), ("%%f%%%f%%", ["file:///a"]),
    ("none", ["file:///a%20b"]), ("%u", ["x-own:-h"]), ("a\\;%u", ["https://a/"]),
  ]

  /// GLib starts a program that records its arguments.
  @Test func `Programs get the same arguments as from GLib`() throws {
    let folder = try TemporaryFolder()
    let pipe = folder.path("pipe")
    let recorder = try folder.write(
      "#!/bin/sh\nfor word; do printf '%s\\0' \"$word\"; done >\(pipe)\n", to: "recorder", executable: true)
    var cases: [Case] = []
    for (number, (line, urls)) in Self.lines.enumerated() {
      let exec = "\(recorder) \(line) .".replacingOccurrences(of: "\\", with: "\\\\")
      let text = "[Desktop Entry]\nType=Application\nName=A 'Name' $(b)\nIcon=an icon\nExec=\(exec)\n"
      cases.append(Case(path: try folder.write(text, to: "\(number) k.desktop"), urls: urls))
    }
    let seen = try Self.glib(
      """
      os.mkfifo('\(pipe)')
      def words(case):
        file(case['path']).launch_uris(case['urls'], None)
        with open('\(pipe)', 'rb') as pipe: return [w.decode() for w in pipe.read().split(b'\\0')[:-1]]
      print(json.dumps([words(case) for case in given]))
      """, cases, in: folder, as: [[String]].self)
    for (item, seen) in zip(cases, seen) {
      let entry = try DesktopEntry(Array(try Data(contentsOf: URL(filePath: item.path))), path: item.path)
      let subject = ExecLine.Subject(icon: entry.icon?.plain, name: entry.name?.plain, path: entry.path)
      let commands = try ExecLine(entry.exec ?? "").commands(opening: item.urls, for: subject)
      #expect(commands == [[recorder] + seen], "\(entry.exec ?? "")")
    }
    #expect(seen.count == Self.lines.count)
  }

  /// Covers all packages that are installed here.
  @Test func `Every entry of this machine is parsed as GLib parses it`() throws {
    let folder = try TemporaryFolder()
    let names = try FileManager.default.contentsOfDirectory(atPath: "/usr/share/applications")
    let paths = names.filter { $0.hasSuffix(".desktop") }.map { "/usr/share/applications/" + $0 }
    let seen = try Self.glib(
      "print(json.dumps([view(file(p)) for p in given]))", paths, in: folder, as: [Seen?].self)
    for (path, seen) in zip(paths, seen) {
      let entry = try DesktopEntry(Array(try Data(contentsOf: URL(filePath: path))), path: path)
      if let exec = entry.exec { _ = try ExecLine(exec).commands() }
      guard let seen else { continue }  // its program is missing, which GLib takes for an invalid entry
      #expect(entry.name?.plain == seen.name && entry.mimeTypes == seen.mime && entry.actions.map(\.id) == seen.actions)
    }
  }
}
