// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests that `suzu export --everything` holds all that a new machine needs, and that `suzu import` restores it.
@Suite(.onOwnThread, .timeLimit(.minutes(3)))
struct BackupTests {
  @Test func `Everything is exported and imported again`() throws {
    let session = try ImportTests.session()
    for arguments in [
      ["notify", "One", "--id", "one", "--in", "2h", "--category", "tea"],
      ["notify", "Two", "--every", "Mon 07:30", "--app", "a.b"],
      ["category", "set", "own", "--action", "a=A", "--app", "a.b"], ["apps", "deny", "a.b", "sound"],
      ["apps", "deliver", "a.b", "12:30"], ["apps", "away", "only.held", "keep"],
      ["apps", "previews", "only.held", "never"], ["mute", "one", "2h"],
      ["quiet", "add", "Mon..Fri 22:00..07:00"], ["quiet", "after", "each"],
      ["quiet", "pass", "critical", "--app", "a.b"],
      ["mute", "other", "1h", "--app", "a.b"],
    ] {
      if arguments.contains("tea") {
        #expect(try session.suzu("category", "set", "tea", "--action", "x=X").status == 0)
      }
      let done = try session.suzu(arguments)
      #expect(done.status == 0, "\(done.errors)")
    }
    func state() throws -> [String] {
      try [
        ["list", "--json"], ["category", "list", "--json"], ["apps", "--json"], ["mute", "--list", "--json"],
        ["quiet", "--json"],
      ].map {
        try session.suzu($0).output
      }
    }
    let before = try state()
    let file = session.folder.path("everything")
    #expect(try session.suzu("export", "--everything", file).status == 0)
    for arguments in [
      ["cancel", "--all"], ["cancel", "--all", "--app", "a.b"], ["category", "remove", "tea"],
      ["category", "remove", "own", "--app", "a.b"], ["apps", "allow", "a.b"], ["apps", "deliver", "a.b", "now"],
      ["apps", "away", "only.held", "show"], ["apps", "previews", "only.held", "always"], ["mute", "one", "off"],
      ["quiet", "remove", "Mon..Fri 22:00..07:00"], ["quiet", "after", "digest"],
      ["quiet", "pass", "default", "--app", "a.b"], ["mute", "other", "5h", "--app", "a.b"],
    ] {
      #expect(try session.suzu(arguments).status == 0)
    }
    let taken = try session.suzu("import", file)
    #expect(taken.status == 0)
    // The ids of requests are printed; the rest was changed without a word.
    #expect(
      taken.errors == "categories of a.b: own\ncategories of dev.suzu.Suzu: tea\nsettings of: a.b, only.held\n"
        + "muted: other, one\nquiet hours of: all apps, a.b\n")
    // A delay is exported as its date.
    let after = try state()
    #expect(after.dropFirst() == before.dropFirst(), "\(after)")
    // On a Monday, the second may come first.
    #expect(try ImportTests.list(session).compactMap { $0["title"] as? String }.sorted() == ["One", "Two"])
    for (text, problem) in [
      (
        "{\"requests\": [{\"title\": \"x\"},\n {\"titel\": \"y\"}]}",
        "line 2, column 3: 'requests[1].titel' is not a known key"
      ),
      (
        "{\"requests\": [{\"title\": \"x\", \"every\": \"Mo 7x\"}]}",
        "line 1, column 39: 'requests[0].every': 'Mo' is neither"
      ),
      (
        "{\"apps\": [{\"app\": \"x\", \"allowed\": [\"smell\"]}]}",
        "line 1, column 35: 'apps[0].allowed' must be a list of 'alert'"
      ),
      ("{\"apps\": [], \"settings\": []}", "line 1, column 14: 'settings' is not a known key"),
      ("{\"apps\": [{\"app\": \"x\", \"away\": \"sleep\"}]}", "'apps[0].away' must be one of 'show', 'keep', 'hold'"),
      ("{\"apps\": [{\"app\": \"x\", \"deliver\": [\"25:00\"]}]}", "'apps[0].deliver' must be times of day"),
      (
        "{\"apps\": [], \"mutes\": [{\"app\": \"x\", \"id\": \"y\", \"until\": 7}]}",
        "'mutes[0].until' must be a time such as"
      ),
      (
        "{\"apps\": [], \"mutes\": [{\"app\": \"x\", \"until\": \"2035-01-01T00:00:00Z\"}]}",
        "'mutes[0].id' must be a string"
      ),
      ("{\"apps\": [], \"quiet\": [{\"hours\": \"22:00\"}]}", "'quiet[0].hours' must be a list of hours"),
      (
        "{\"apps\": [], \"quiet\": [{\"app\": \"x\", \"after\": \"each\"}]}",
        "'quiet[0].after' must be 'each' or 'digest', without 'app'"
      ),
      (
        "{\"apps\": [], \"quiet\": [{\"pass\": \"loud\"}]}", "'quiet[0].pass' must be one of 'all', 'active', "
      ),
      (
        "{\"apps\": [], \"places\": [{\"name\": \"x\", \"latitude\": 91, \"longitude\": 0, \"radius\": 9}]}",
        "'places[0]' needs a latitude"
      ),
      (
        "{\"apps\": [], \"categories\": [{\"app\": \"x\", \"categories\": [{\"id\": 3}]}]}",
        "'categories[0].categories[0].id' must"
      ),
    ] {
      let refused = try session.suzu("import", "-", input: text)
      #expect(refused.status == 65 && refused.output == "", "\(text)")
      #expect(refused.errors.contains(problem), "\(refused.errors)")
    }
  }

  @Test func `A mute that has ended is not imported`() throws {
    let session = try ImportTests.session()
    let backup =
      #"{"apps": [], "mutes": [{"app": "a.b", "id": "old", "until": "2020-01-01T00:00:00Z"}, "#
      + #"{"app": "a.b", "id": "new", "until": "2035-01-01T00:00:00Z"}]}"#
    let taken = try session.suzu("import", "-", input: backup)
    #expect(taken.status == 0 && taken.errors == "muted: new\n", "\(taken.errors)")
    let list = try session.suzu("mute", "--list").output
    #expect(list.contains("new") && !list.contains("old"), "\(list)")
  }

  // The import failed as a whole: 'category' names 'hostfail', which is not registered.
  @Test func `A request whose category is in a file is restored with it, and without the file`() throws {
    let file = #"[{"id": "hostfail", "actions": [{"id": "log", "title": "Log", "url": "https://example.org/log"}]}]"#
    let session = try ImportTests.session()
    try session.folder.write(file, to: "home/.config/suzu/categories.d/host.json")
    let sent = try session.suzu(
      "notify", "Down", "--id", "down", "--in", "2h", "--category", "hostfail")
    #expect(sent.status == 0, "\(sent.errors)")
    let backup = try session.suzu("export", "--everything").output
    // Where the file is, it keeps defining the category.
    let again = try session.suzu("import", "-", input: backup)
    #expect(again.status == 0 && again.errors == "", "\(again.errors)")
    let fresh = try ImportTests.session()
    let restored = try fresh.suzu("import", "-", input: backup)
    #expect(restored.status == 0 && restored.output == "down\n", "\(restored.errors)")
    let path = fresh.folder.path("home/.config/suzu/categories.d/host.json")
    #expect(restored.errors == "wrote \(path): hostfail\n")
    #expect(try fresh.suzu("category", "show", "hostfail").output.contains("https://example.org/log"))
  }

  // The places were left out, so a request that waits for one was refused on the new machine.
  @Test func `An export of everything brings its places, and a refused one leaves the old places`() throws {
    let session = try ImportTests.session()
    #expect(try session.suzu("place", "add", "office", "52.52,13.405", "150m").status == 0)
    let sent = try session.suzu("notify", "Badge", "--id", "badge", "--on", "enter place office")
    #expect(sent.status == 0, "\(sent.errors)")
    let backup = try session.suzu("export", "--everything").output
    let fresh = try ImportTests.session()
    #expect(try fresh.suzu("place", "add", "office", "1,1").status == 0)
    #expect(try fresh.suzu("place", "add", "home", "2,2").status == 0)
    let before = try fresh.suzu("place", "--json").output
    // The second request is refused by the center: its category is unknown there.
    let broken = backup.replacing("\"title\":\"Badge\"", with: "\"title\":\"Badge\",\"category\":\"none\"")
    #expect(try fresh.suzu("import", "-", input: broken).status == 65)
    #expect(try fresh.suzu("place", "--json").output == before)
    let restored = try fresh.suzu("import", "-", input: backup)
    #expect(restored.status == 0 && restored.output == "badge\n", "\(restored.errors)")
    #expect(restored.errors.hasSuffix("places: office\n"), "\(restored.errors)")
    let places = try fresh.suzu("place").output
    #expect(places.contains("52.52,13.405") && places.contains("home") && !places.contains("1.0,1.0"), "\(places)")
  }

  // A category that no request named was not exported, and one for every app became one of a single app.
  @Test func `All category files are restored as files, for the apps that they are for`() throws {
    let session = try ImportTests.session()
    let folder = "home/.config/suzu/categories.d/"
    try session.folder.write(#"[{"id": "any", "actions": []}, {"id": "more", "actions": []}]"#, to: folder + "any.json")
    try session.folder.write(
      #"{"app": "a.b", "categories": [{"id": "own", "actions": []}]}"#, to: folder + "own.json")
    let listed = try session.suzu("category", "list").output.replacing(session.folder.path(""), with: "")
    #expect(listed.split(separator: "\n").count == 4, "\(listed)")
    let backup = try session.suzu("export", "--everything").output
    let fresh = try ImportTests.session()
    let restored = try fresh.suzu("import", "-", input: backup)
    #expect(restored.status == 0, "\(restored.errors)")
    #expect(
      restored.errors.split(separator: "\n").map { $0.split(separator: " ").dropFirst(2).joined(separator: " ") }
        == ["any, more", "own"])
    #expect(try fresh.suzu("category", "list").output.replacing(fresh.folder.path(""), with: "") == listed)
    #expect(try fresh.suzu("import", "-", input: backup).errors == "")
    // A file of that name with other categories is not replaced, and nothing is imported.
    let other = try ImportTests.session()
    try other.folder.write(#"{"id": "mine", "actions": []}"#, to: folder + "any.json")
    let refused = try other.suzu("import", "-", input: backup)
    #expect(
      refused.status == 65
        && refused.errors.hasSuffix(
          "any.json exists and does not define any, more; rename it, and import again\n"),
      "\(refused.errors)")
    #expect(try other.suzu("category", "list", "--app", "a.b").output.contains("own") == false)
    // The name comes from the file that is imported.
    for name in ["../x.json", ".x.json", "x.txt", "a/b.json"] {
      let text = #"{"requests": [], "categories": [{"file": "\#(name)", "categories": [{"id": "x", "actions": []}]}]}"#
      let bad = try other.suzu("import", "-", input: text)
      #expect(
        bad.status == 65 && bad.errors.contains("'categories[0].file' must be the name of a file"), "\(bad.errors)")
    }
  }
}
