// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Foundation
import TestSupport
import Testing

/// Tests the launcher, from its settings to the program that a click starts, with the real center.
@Suite(.onOwnThread, .timeLimit(.minutes(3)))
struct LauncherTests {
  private static let samples = Session.checkout.appending(path: "Assets/samples").path

  /// A session with an app of two actions. Its programs, and the program that opens URLs, write to the pipe `witness`
  /// when they start.
  private static func session(hasCenter: Bool = true) throws -> Session {
    let folder = try TemporaryFolder()
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    for (name, verb) in [("tea", "launched"), ("xdg-open", "opened")] {
      try folder.write(
        "#!/bin/sh\nprintf '\(verb) %s\\n' \"$*\" >'\(folder.path("witness"))'\n", to: "bin/" + name, executable: true)
    }
    try folder.write(
      """
      [Desktop Entry]
      Type=Application
      Name=Tea
      Name[de]=Tee
      Exec=tea
      Actions=brew;
      MimeType=x-scheme-handler/tea;
      [Desktop Action brew]
      Name=Brew
      Exec=tea --brew
      """, to: "share/applications/org.example.Tea.desktop")
    return try Session(
      hasCenter: hasCenter,
      variables: [
        "PATH": folder.path("bin") + ":" + path, "XDG_DATA_DIRS": folder.path("share"),
        "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=" + folder.path("none"),
      ], in: folder)
  }

  private static func json(_ text: String) throws -> [[String: Any]] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
  }

  private static func kept(_ session: Session) -> String? { session.folder.read("home/.config/suzu/launcher.json") }

  @Test func `An enabled app is registered, and only a click launches it`() async throws {
    let session = try Self.session()
    try await withLoop { loop in
      let witness = try session.witness()
      let server = try await ScriptedServer.start(on: session.bus, loop)
      let badges = try RunningProgram(
        "dbus-monitor", ["--session", "interface='com.canonical.Unity.LauncherEntry'"],
        environment: session.environment)
      #expect(badges.readLines(until: "NameLost") != nil)
      #expect(try session.suzu("launcher", "import", Self.samples + "/schemes.plist").status == 0)
      #expect(try session.suzu("launcher", "enable", "Tea", "tea:brew", "Tweetbot", "e-mail").status == 0)
      let registered = try session.suzu("launcher", "register", "--delay", "300ms")
      #expect(
        registered.status == 0 && registered.output == "mail\norg.example.Tea\nTweetBot\n", "\(registered.errors)")
      var posted = try await server.posted.next(3)
      #expect(posted.map(\.summary).sorted() == ["Tea", "TweetBot", "mail"])
      let tea = try #require(posted.first { $0.summary == "Tea" })
      #expect(tea.keys == ["default", "org.example.Tea", "org.example.Tea:brew"])
      #expect(badges.readLines(until: "int64 3") != nil)
      // Registering again replaces the notifications on the screen.
      #expect(try session.suzu("launcher", "register", "--delay", "0s").status == 0)
      let old = Set(posted.map(\.number))
      posted = try await server.posted.next(3)
      #expect(Set(posted.map(\.replaces)) == old)
      #expect(badges.readLines(until: "int64 3") != nil)
      func number(_ title: String) throws -> UInt32 { try #require(posted.first { $0.summary == title }).number }
      try await server.press(try number("Tea"), "org.example.Tea:brew")
      // The first line proves that nothing was launched before.
      #expect(witness.readLine() == "launched --brew")
      #expect(badges.readLines(until: "int64 2") != nil)
      try await server.press(try number("TweetBot"), "default")
      #expect(witness.readLine() == "opened tweetbot://")
      #expect(badges.readLines(until: "int64 1") != nil)
      // A new center continues the count.
      let owners = try RunningProgram(
        "gdbus", ["monitor", "--session", "--dest", "dev.suzu.Center"], environment: session.environment)
      #expect(owners.readLines(until: "is owned by") != nil)
      #expect(kill(try #require(try session.process(of: "dev.suzu.Center")), SIGKILL) == 0)
      #expect(owners.readLines(until: "does not have an owner") != nil)
      #expect(try session.suzu("list", "--delivered", "--json").output.contains("\"mail\""))
      #expect(badges.readLines(until: "int64 1") != nil)
      let again = try await server.posted.next()
      try await server.press(again.number, "default")
      #expect(witness.readLine() == "opened mailto:")
      #expect(badges.readLines(until: "int64 0") != nil)
      #expect(try session.suzu("launcher", "register", "x").status == 64)
    }
  }

  // The old ones were cancelled before the center had accepted the new ones.
  @Test func `Registering again replaces what is registered, and cancels the rest`() throws {
    let session = try Self.session()
    #expect(try session.suzu("launcher", "import", Self.samples + "/schemes.plist").status == 0)
    #expect(try session.suzu("launcher", "enable", "Tea", "Tweetbot", "e-mail").status == 0)
    #expect(try session.suzu("launcher", "register", "--delay", "1h").status == 0)
    #expect(try session.suzu("launcher", "disable", "e-mail").status == 0)
    #expect(try session.suzu("launcher", "register", "--delay", "2h").output == "org.example.Tea\nTweetBot\n")
    let listed = try Self.json(try session.suzu("list", "--json").output)
    #expect(Set(listed.compactMap { $0["id"] as? String }) == ["org.example.Tea", "TweetBot"])
    let ends = try Self.json(try session.suzu("history", "--json").output).compactMap { row in
      (row["id"] as? String).flatMap { id in (row["reason"] as? String).map { "\(id) \($0)" } }
    }
    #expect(Set(ends) == ["org.example.Tea replaced", "TweetBot replaced", "mail cancelled"])
  }

  @Test func `Each action has its own notification if configured`() async throws {
    let session = try Self.session()
    try await withLoop { loop in
      let witness = try session.witness()
      let server = try await ScriptedServer.start(on: session.bus, loop)
      #expect(try session.suzu("launcher", "enable", "Tea", "--all").status == 0)
      let registered = try session.suzu("launcher", "register", "--each", "--delay", "0s", "--json")
      #expect(
        try Self.json(registered.output).compactMap { $0["id"] as? String } == [
          "org.example.Tea", "org.example.Tea:brew", "org.example.Tea:tea:",
        ])
      let posted = try await server.posted.next(3)
      #expect(posted.map(\.summary).sorted() == ["Brew", "Tea", "tea:"])
      try await server.press(try #require(posted.first { $0.summary == "Tea" }).number, "default")
      #expect(witness.readLine() == "launched ")
      try await server.press(try #require(posted.first { $0.summary == "tea:" }).number, "default")
      #expect(witness.readLine() == "opened tea:")
    }
  }

  @Test func `Apps and actions are listed in the user's language, enabled and disabled`() throws {
    let session = try Self.session(hasCenter: false)
    #expect(try session.suzu("launcher", "list").output == "ON      APP  ID\n0 of 3  Tea  org.example.Tea\n")
    let enabled = try session.suzu("launcher", "enable", "Tea:Brew")
    #expect(enabled.status == 0 && enabled.output == "" && enabled.errors == "")
    #expect(
      try session.suzu("launcher", "list", "tea").output == """
        ON   APP  ACTION  ID
        off  Tea  Open    org.example.Tea
        on   Tea  Brew    org.example.Tea:brew
        off  Tea  tea:    org.example.Tea:tea:

        """)
    let german = try RunningProgram.run(
      Session.programs + "/suzu", ["launcher", "list", "--json"],
      environment: session.environment.merging(["LANGUAGE": "de"]) { $1 })
    let app = try #require(try Self.json(german.output).first)
    #expect(app["name"] as? String == "Tee" && app["installed"] as? Bool == true)
    let actions = try #require(app["actions"] as? [[String: Any]])
    #expect(actions.map { $0["on"] as? Bool } == [false, true, false])
    #expect(actions[1]["launch"] as? String == "org.example.Tea:brew" && actions[2]["url"] as? String == "tea:")
    // Uninstalled apps are left out, and can be disabled.
    try FileManager.default.removeItem(atPath: session.folder.path("share/applications/org.example.Tea.desktop"))
    #expect(try session.suzu("launcher", "list").output == "")
    let nothing = try session.suzu("launcher", "register")
    #expect(nothing.status == 65)
    #expect(nothing.errors == "suzu: launcher: nothing is enabled; use 'suzu launcher enable'\n")
    #expect(try session.suzu("launcher", "disable", "org.example.Tea:brew").status == 0)
    #expect(Self.kept(session)?.contains("Tea") == false)
  }

  @Test func `Lists are imported all or nothing, and their schemes need an explicit flag`() throws {
    let session = try Self.session(hasCenter: false)
    let imported = try session.suzu(
      "launcher", "import", Self.samples + "/appList.plist", Self.samples + "/schemes.plist")
    #expect(imported.status == 0 && imported.output == "")
    let schemes = session.folder.path("home/.config/suzu/schemes")
    #expect(imported.errors == "clicks may now open tweetbot:, prefs:, sms:; see \(schemes)\n")
    #expect(session.folder.read("home/.config/suzu/schemes")?.split(separator: "\n").count == 3)
    #expect(
      try session.suzu("launcher", "list").output.split(separator: "\n").map(String.init) == [
        "ON      APP       ID", "0 of 2  mail      mail", "0 of 1  settings  settings",
        "0 of 3  Tea       org.example.Tea", "0 of 2  TweetBot  TweetBot",
      ])
    let before = Self.kept(session)
    let again = try session.suzu("launcher", "import", Self.samples + "/schemes.plist")
    #expect(again.status == 0 && again.errors == "" && Self.kept(session) == before)
    let bad = try session.folder.write(
      """
      <plist><array>
        <dict><key>app_name</key><string>new</string><key>category</key><string>c</string>
          <key>url_scheme</key><string>new:</string></dict>
        <dict><key>app_name</key><string>evil</string><key>category</key><string>c</string>
          <key>url_scheme</key><string>javascript:alert(1)</string></dict>
      </array></plist>
      """, to: "bad.plist")
    let refused = try session.suzu("launcher", "import", bad)
    #expect(refused.status == 65 && Self.kept(session) == before)
    #expect(refused.errors.hasPrefix("suzu: launcher: 'c:evil' cannot be opened: scheme 'javascript'; "))
    #expect(session.folder.read("home/.config/suzu/schemes")?.contains("new") == false)
    let broken = try session.suzu("launcher", "import", "-", input: "<plist><array>\n<true/></array></plist>")
    #expect(broken.status == 65)
    #expect(broken.errors.hasPrefix("suzu: launcher: standard input, line 2, column 1: '[0]' must be a string"))
    #expect(try session.suzu("launcher", "import", "/no/such").status == 66)
  }

  @Test func `A malformed file is named and left alone, and a link stays a link`() throws {
    let session = try Self.session(hasCenter: false)
    let file = try session.folder.write("{\"on\": [\"a\"],\n \"of\": []}", to: "home/.config/suzu/launcher.json")
    for words in [["list"], ["enable", "Tea"], ["register"], ["disable", "--all"]] {
      let ended = try RunningProgram.run(
        Session.programs + "/suzu", ["launcher"] + words, environment: session.environment)
      #expect(ended.status == 65)
      #expect(ended.errors.hasPrefix("suzu: launcher: \(file), line 2, column 2: 'of' is not a known key"), "\(ended)")
    }
    #expect(Self.kept(session)?.hasPrefix("{\"on\": [\"a\"],") == true)
    try FileManager.default.removeItem(atPath: file)
    let elsewhere = try session.folder.write("{}", to: "dotfiles/launcher.json")
    try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: elsewhere)
    #expect(try session.suzu("launcher", "enable", "Tea").status == 0)
    #expect(session.folder.read("dotfiles/launcher.json")?.contains("\"org.example.Tea\"") == true)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: file) == elsewhere)
    #expect(try FileManager.default.contentsOfDirectory(atPath: session.folder.path("dotfiles")).count == 1)
  }

  @Test(arguments: [
    ([], "no command given; use list, enable, disable, register or import"), (["lsit"], "did you mean 'list'?"),
    (["enable"], "a name is missing"), (["disable"], "a name or '--all' is missing"),
    (["disable", "a", "--all"], "'--all' and 'a' cannot be combined"), (["import"], "a file is missing"),
  ])
  func `A mistyped command gives one line and status 64`(words: [String], complaint: String) throws {
    let ended = try RunningProgram.run(
      Session.programs + "/suzu", ["launcher"] + words, environment: ["PATH": "/usr/bin:/bin", "HOME": "/nowhere"])
    #expect(ended.status == 64 && ended.output == "")
    #expect(ended.errors.contains(complaint) && ended.errors.split(separator: "\n").count == 1, "\(ended.errors)")
  }
}
