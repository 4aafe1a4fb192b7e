// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests `suzu follow` with the real center: what a calendar says is pending, however it is written.
@Suite(.onOwnThread, .enabled(if: ImportTests.hasLibical, "no libical here"), .timeLimit(.minutes(4)))
struct FollowTests {
  let session: Session

  init() throws { session = try ImportTests.session() }

  /// An event in 2099 with an alarm fifteen minutes before it.
  static func event(_ id: String, hour: Int = 9, title: String? = nil) -> String {
    let start = "DTSTART:20990702T\(hour < 10 ? "0" : "")\(hour)0000"
    return ImportTests.event(id, start).replacing("SUMMARY:\(id)", with: "SUMMARY:\(title ?? id)")
  }

  static func calendar(_ events: String...) -> String { ImportTests.calendar(events.joined(separator: "\n")) }

  /// What is pending: `a 08:45`.
  func pending() throws -> [String] {
    try session.listed().map { row in
      let next = (row["next"] as? String ?? "").dropFirst(11).prefix(5)
      return "\(row["id"] as? String ?? "") \(next)"
    }.sorted()
  }

  /// Waits until exactly this is pending.
  func await(_ expected: [String], within seconds: Double = 20) throws {
    let end = Date(timeIntervalSinceNow: seconds)
    var now = try pending()
    while now != expected {
      guard Date() < end else {
        let doctor = try session.suzu("doctor").output
        throw TestFailure(
          "pending: \(Set(now).subtracting(expected)), not \(Set(expected).subtracting(now)); \(doctor)")
      }
      now = try pending()
    }
  }

  func follow(_ words: String...) throws {
    let followed = try session.suzu(["follow"] + words)
    #expect(followed.status == 0 && followed.output == "" && followed.errors == "", "\(followed)")
  }

  /// Writes a file in place, as a shell does: other programs may see it empty, and in part.
  func writeInPlace(_ text: String, to name: String) throws {
    let ended = try RunningProgram.run(
      "/bin/sh", ["-c", "cat >\"$1\"", "sh", session.folder.path(name)], environment: [:], input: text)
    #expect(ended.status == 0, "\(ended.errors)")
  }

  func killCenter() throws {
    guard let center = try session.process(of: "dev.suzu.Center") else { return }
    kill(center, SIGKILL)
    while try session.process(of: "dev.suzu.Center") == center {}
  }

  @Test func `A file that is replaced, written in place or linked changes what is pending`() throws {
    let path = try session.folder.write(Self.calendar(Self.event("a"), Self.event("b")), to: "calendar.ics")
    try follow(path)
    // It is pending before the command ends.
    #expect(try pending() == ["a 08:45", "b 08:45"])
    try session.folder.write(Self.calendar(Self.event("a", hour: 12), Self.event("c")), to: "calendar.ics")
    try self.await(["a 11:45", "c 08:45"])
    try writeInPlace(Self.calendar(Self.event("a", hour: 13)), to: "calendar.ics")
    try self.await(["a 12:45"])
    // An event that was moved into the past kept its old alarm.
    try writeInPlace(
      Self.calendar(Self.event("a").replacing("2099", with: "2020"), Self.event("b")), to: "calendar.ics")
    try self.await(["b 08:45"])
    // A link to a file elsewhere.
    let target = try session.folder.write(Self.calendar(Self.event("d")), to: "elsewhere/target.ics")
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    try self.await(["d 08:45"])
    try writeInPlace(Self.calendar(Self.event("d", hour: 14)), to: "elsewhere/target.ics")
    try self.await(["d 13:45"])
    #expect(try session.suzu("follow", "--stop", path).status == 0)
    #expect(try pending().isEmpty)
    #expect(try session.suzu("follow", "--list", "--json").output == "[]\n")
  }

  /// As vdirsyncer writes: new items by a link to a temporary file, changed ones by a rename.
  private static let vdirsyncer = """
    import os, sys, tempfile
    folder, name = os.path.split(sys.argv[1])
    with tempfile.NamedTemporaryFile(dir=folder, delete=False, mode='w') as file:
      file.write(sys.stdin.read())
      file.flush()
      os.fsync(file.fileno())
    if os.path.exists(sys.argv[1]): os.rename(file.name, sys.argv[1])
    else:
      os.link(file.name, sys.argv[1])
      os.unlink(file.name)
    """

  func synchronize(_ text: String, to name: String) throws {
    let ended = try RunningProgram.run(
      "/usr/bin/python3", ["-c", Self.vdirsyncer, session.folder.path(name)], environment: [:], input: text)
    #expect(ended.status == 0, "\(ended.errors)")
  }

  @Test func `A folder is followed as vdirsyncer writes it, with the calendars in it`() throws {
    try session.folder.write(Self.calendar(Self.event("a")), to: "calendars/home/a.ics")
    try session.folder.write("Home", to: "calendars/home/displayname")
    try follow(session.folder.path("calendars"))
    #expect(try pending() == ["a 08:45"])
    // The link has one name again when the center looks at it.
    try synchronize(Self.calendar(Self.event("b")), to: "calendars/home/b.ics")
    try self.await(["a 08:45", "b 08:45"])
    try synchronize(Self.calendar(Self.event("a", hour: 10)), to: "calendars/home/a.ics")
    try self.await(["a 09:45", "b 08:45"])
    try FileManager.default.removeItem(atPath: session.folder.path("calendars/home/b.ics"))
    try self.await(["a 09:45"])
    // A file that is renamed says the same.
    try FileManager.default.moveItem(
      atPath: session.folder.path("calendars/home/a.ics"), toPath: session.folder.path("calendars/home/z.ics"))
    // Another calendar of the account.
    try FileManager.default.createDirectory(
      atPath: session.folder.path("calendars/work"), withIntermediateDirectories: false)
    try synchronize(Self.calendar(Self.event("c")), to: "calendars/work/c.ics")
    try self.await(["a 09:45", "c 08:45"])
    try FileManager.default.removeItem(atPath: session.folder.path("calendars/work"))
    try self.await(["a 09:45"])
  }

  @Test func `What was cancelled by hand stays away until its time changes`() throws {
    let path = try session.folder.write(Self.calendar(Self.event("a"), Self.event("b")), to: "calendar.ics")
    try follow(path)
    #expect(try session.suzu("cancel", "a").status == 0)
    // Each time another event shows that the file was read. It is written again:
    try session.folder.write(Self.calendar(Self.event("a"), Self.event("c")), to: "calendar.ics")
    try self.await(["c 08:45"])
    // with another title:
    try session.folder.write(Self.calendar(Self.event("a", title: "New"), Self.event("d")), to: "calendar.ics")
    try self.await(["d 08:45"])
    // after a restart:
    try killCenter()
    try session.folder.write(Self.calendar(Self.event("a", title: "New"), Self.event("e")), to: "calendar.ics")
    try self.await(["e 08:45"])
    // after it was gone for a while:
    try session.folder.write(Self.calendar(Self.event("f")), to: "calendar.ics")
    try self.await(["f 08:45"])
    try killCenter()
    try session.folder.write(Self.calendar(Self.event("a", title: "New"), Self.event("g")), to: "calendar.ics")
    try self.await(["g 08:45"])
    // It was moved.
    try session.folder.write(Self.calendar(Self.event("a", hour: 15)), to: "calendar.ics")
    try self.await(["a 14:45"])
  }

  @Test func `A pending alarm gets the new title of its event, and keeps its place`() throws {
    let path = try session.folder.write(Self.calendar(Self.event("a")), to: "calendar.ics")
    try follow(path)
    try session.folder.write(Self.calendar(Self.event("a", title: "Tea")), to: "calendar.ics")
    try session.wait(for: "Tea", in: "list")
    #expect(try pending() == ["a 08:45"])
  }

  @Test func `What changes while the center is off is taken up at its start`() throws {
    try session.folder.write(Self.calendar(Self.event("a")), to: "home/a.ics")
    try session.folder.write(Self.calendar(Self.event("b")), to: "home/b.ics")
    try follow(session.folder.path("home"))
    #expect(try pending() == ["a 08:45", "b 08:45"])
    try killCenter()
    try FileManager.default.removeItem(atPath: session.folder.path("home/a.ics"))
    try session.folder.write(Self.calendar(Self.event("b", hour: 16)), to: "home/b.ics")
    try session.folder.write(Self.calendar(Self.event("c")), to: "home/c.ics")
    try self.await(["b 15:45", "c 08:45"])
    try killCenter()
    #expect(try pending() == ["b 15:45", "c 08:45"])
  }

  // A missing file had the status of a wrong one, an empty path was the current folder, and a text had a syntax error.
  @Test func `What is no calendar is refused with the reason, and one that became bad is listed with it`() throws {
    let file = try session.folder.write(Self.calendar(Self.event("a")), to: "a.ics")
    let missing = session.folder.path("missing.ics")
    let notes = try session.folder.write("Dear diary\n", to: "notes.txt")
    for (paths, status, problem) in [
      ([missing], 66, "\(missing): No such file or directory"), ([file, missing], 66, "\(missing): No such file"),
      ([notes], 65, "\(notes): not an iCalendar file, which begins with BEGIN:VCALENDAR"),
      (["/dev/null"], 65, "/dev/null: neither a file nor a folder"), ([""], 65, "a path is empty"),
    ] as [([String], Int32, String)] {
      let answer = try session.suzu(["follow"] + paths)
      #expect(answer.status == status && answer.output == "", "\(answer)")
      #expect(answer.errors.hasPrefix("suzu: follow: \(problem)"), "\(answer.errors)")
    }
    #expect(try session.suzu("follow", "--json").output == "[]\n")
    try follow(file)
    for (text, state) in [
      ("Dear diary\n", "not an iCalendar file, which begins with BEGIN:VCALENDAR"),
      ("BEGIN:VCALENDAR\nx\n", "line 2, column 1: NAME:VALUE is expected here"), ("", "the file is empty"),
    ] {
      try writeInPlace(text, to: "a.ics")
      try session.wait(for: "  1       dev.suzu.Suzu  problem: \(state)\n", in: "follow")
    }
    #expect(try pending() == ["a 08:45"])
  }

  @Test func `A broken file keeps what it said, and doctor names it until it is whole again`() throws {
    try session.folder.write(Self.calendar(Self.event("a")), to: "home/a.ics")
    try session.folder.write(Self.calendar(Self.event("b")), to: "home/b.ics")
    let folder = session.folder.path("home")
    try follow(folder)
    let half = Self.calendar(Self.event("a", hour: 20)).prefix(120)
    try writeInPlace(String(half), to: "home/a.ics")
    try session.folder.write(Self.calendar(Self.event("b", hour: 10)), to: "home/b.ics")
    try self.await(["a 08:45", "b 09:45"])
    let problem = "partly   calendar: \(folder)/a.ics, line 9, column 1: "
    try session.wait(for: problem, in: "doctor")
    #expect(try session.suzu("follow", "--list").output.contains("  problem: a.ics, line 9, column 1: "))
    // Also after a restart, and when it is empty. (doctor does not start the center.)
    try killCenter()
    #expect(try pending() == ["a 08:45", "b 09:45"])
    try session.wait(for: problem, in: "doctor")
    try writeInPlace("", to: "home/a.ics")
    try session.wait(for: "a.ics: the file is empty", in: "doctor")
    #expect(try pending() == ["a 08:45", "b 09:45"])
    try writeInPlace(Self.calendar(Self.event("a", hour: 20)), to: "home/a.ics")
    try self.await(["a 19:45", "b 09:45"])
    #expect(try !session.suzu("doctor").output.contains("calendar:"))
  }

  @Test func `A folder that is gone keeps its alarms, and is followed when it returns`() throws {
    try session.folder.write(Self.calendar(Self.event("a")), to: "drive/home/a.ics")
    let folder = session.folder.path("drive/home")
    try follow(folder)
    // An unmounted drive.
    try FileManager.default.moveItem(atPath: session.folder.path("drive"), toPath: session.folder.path("away"))
    try session.wait(for: "calendar: \(folder): No such file or directory", in: "doctor")
    #expect(try pending() == ["a 08:45"])
    try session.folder.write(Self.calendar(Self.event("b")), to: "away/home/b.ics")
    try FileManager.default.moveItem(atPath: session.folder.path("away"), toPath: session.folder.path("drive"))
    try self.await(["a 08:45", "b 08:45"])
    #expect(try !session.suzu("doctor").output.contains("calendar:"))
  }

  @Test func `A thousand items come, change and go`() throws {
    for number in 0..<1000 {
      try session.folder.write(Self.calendar(Self.event("e\(number)")), to: "home/\(number).ics")
    }
    try follow(session.folder.path("home"))
    #expect(try session.suzu("follow", "--list", "--json").output.contains(#""alarms":1000,"#))
    #expect(try pending().count == 1000)
    for number in 0..<500 {
      try session.folder.write(Self.calendar(Self.event("e\(number)", hour: 18)), to: "home/\(number).ics")
    }
    for number in 900..<1000 {
      try FileManager.default.removeItem(atPath: session.folder.path("home/\(number).ics"))
    }
    let expected = (0..<900).map { "e\($0) \($0 < 500 ? "17:45" : "08:45")" }.sorted()
    try self.await(expected, within: 60)
    #expect(try session.suzu("follow", "--stop", session.folder.path("home")).status == 0)
    #expect(try pending().isEmpty)
  }

  @Test func `A calendar that cannot be read is refused, and another app and stop are taken`() throws {
    let missing = try session.suzu("follow", session.folder.path("none.ics"))
    #expect(missing.status == 66 && missing.errors.contains("none.ics: No such file or directory"), "\(missing)")
    let unclear = try session.folder.write(
      Self.calendar(ImportTests.event("w", "DTSTART;TZID=Customized Time Zone:20990702T090000"), Self.event("a")),
      to: "unclear.ics")
    let refused = try session.suzu("follow", unclear)
    #expect(refused.status == 65 && refused.errors.contains("unclear.ics, line 7, column "), "\(refused)")
    #expect(refused.errors.contains("use an IANA name such as Europe/Paris; follow it with --skip to skip it"))
    #expect(try session.suzu("follow", "--list", "--json").output == "[]\n" && pending().isEmpty)
    let skipped = try session.suzu("follow", unclear, "--skip", "--app", "org.example.Work")
    #expect(skipped.status == 0 && skipped.errors.contains("warning: \(unclear), line 7: skipped: "), "\(skipped)")
    let rows = try session.listed()
    #expect(Session.ids(rows) == ["a"] && rows.first?["app"] as? String == "org.example.Work")
    // Followed for another app, the requests of the first one go.
    #expect(try session.suzu("follow", unclear, "--skip").status == 0)
    #expect(try session.listed().map { $0["app"] as? String } == ["dev.suzu.Suzu"])
    let other = try session.suzu("follow", "--stop", unclear + "x")
    #expect(
      other.status == 65 && other.errors.contains("is not followed; did you mean '\(unclear)'?"), "\(other.errors)")
  }
}

extension FollowTests {
  @Test func `Without libical the calendar is refused, with what to install`() throws {
    let folder = try TemporaryFolder()
    try folder.write("none", to: "libical.so.3")
    let session = try Session(variables: ["LD_LIBRARY_PATH": folder.path("")])
    let path = try session.folder.write(Self.calendar(Self.event("a")), to: "calendar.ics")
    let refused = try session.suzu("follow", path)
    #expect(refused.status == 65 && refused.errors.hasSuffix("get it with: apt install libical3\n"), "\(refused)")
  }

  @Test func `What is left out of a calendar is named by doctor, also after a restart`() throws {
    let vague = ImportTests.event("w", "DTSTART;TZID=Customized Time Zone:20990702T090000")
    try session.folder.write(Self.calendar(vague, Self.event("a")), to: "home/a.ics")
    let folder = session.folder.path("home")
    #expect(try session.suzu("follow", folder, "--skip").status == 0)
    #expect(try session.suzu("doctor").output.contains("partly   calendar: \(folder)/a.ics, line 7: skipped: "))
    try killCenter()
    #expect(try pending() == ["a 08:45"])
    try session.wait(for: "partly   calendar: \(folder)/a.ics, line 7: skipped: ", in: "doctor")
  }

  @Test func `Two calendars with the same event share its alarm`() throws {
    let first = try session.folder.write(Self.calendar(Self.event("a"), Self.event("b")), to: "first.ics")
    let second = try session.folder.write(Self.calendar(Self.event("a")), to: "second.ics")
    try follow(first, second)
    #expect(try session.suzu("follow", "--stop", first).status == 0)
    #expect(try pending() == ["a 08:45"])
    #expect(try session.suzu("follow", "--stop", second).status == 0)
    #expect(try pending().isEmpty)
  }
}
