// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Zoneinfo

/// Tests lookup of zones, aliases and the system's zone.
@Suite struct ZoneDatabaseTests {
  /// A folder with some zones.
  struct Stand {
    let folder: TemporaryFolder
    let database: ZoneDatabase
    var etc: String { folder.path("etc") }

    init() throws {
      folder = try TemporaryFolder()
      database = ZoneDatabase(folder: folder.path("zoneinfo"))
      try FileManager.default.createDirectory(atPath: folder.path("etc"), withIntermediateDirectories: true)
      try write("CET-1CEST,M3.5.0,M10.5.0/3", to: "zoneinfo/Europe/Paris")
      try write("JST-9", to: "zoneinfo/Asia/Tokyo")
      try write("EST5", to: "zoneinfo/EST5EDT")
      try folder.write("not a zone\n", to: "zoneinfo/zone.tab")
    }

    func write(_ rule: String, to name: String) throws {
      let path = folder.url.appending(path: name)
      try FileManager.default.createDirectory(at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(ZoneFileBytes(footer: "\n\(rule)\n").bytes).write(to: path)
    }

    func link(_ name: String, to target: String) throws {
      try? FileManager.default.removeItem(atPath: folder.path(name))
      try FileManager.default.createSymbolicLink(atPath: folder.path(name), withDestinationPath: target)
    }

    func system(_ variable: String? = nil) -> SystemZone {
      SystemZone(database: database, variable: variable, etc: etc)
    }
  }

  @Test func `Names match those of Python`() throws {
    // Read as lines of text, while the other references return numbers.
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let script =
      "import zoneinfo; zoneinfo.reset_tzpath(['\(AllZones.database.folder)']); print(*zoneinfo.available_timezones())"
    let result = try RunningProgram.run("python3", ["-c", script], environment: ["PATH": path])
    let names = Set(result.output.split(whereSeparator: \.isWhitespace).map(String.init))
    #expect(names.count > 400)
    // Python's additional name is this machine's setting, not a zone.
    #expect(names.subtracting(["localtime"]) == Set(AllZones.names))
    #expect(AllZones.names == AllZones.names.sorted())
  }

  @Test func `A known zone is found without an error for the others`() throws {
    let stand = try Stand()
    let database = stand.database
    #expect(database.knownZone("Europe/Paris")?.name == "Europe/Paris")
    for name in ["Europe/Pariss", "Europe", "../zoneinfo/Europe/Paris", "", "zone.tab"] {
      #expect(database.knownZone(name) == nil, "\(name)")
    }
  }

  @Test func `A link is a name as well`() throws {
    let stand = try Stand()
    try stand.link("zoneinfo/Japan", to: "Asia/Tokyo")
    #expect(try stand.database.zone(named: "Japan").name == "Japan")
    #expect(stand.database.names() == ["Asia/Tokyo", "EST5EDT", "Europe/Paris", "Japan"])
  }

  @Test(arguments: [
    "", "/", "/etc/passwd", "../passwd", "Europe/../../passwd", "Europe/", "/Europe", "Europe//Paris", ".hidden",
    "Europe/.x", "..",
    "Europe/Pa ris", "Europe/Paris\0", "Europe/Pàris", String(repeating: "a", count: 256),
  ])
  func `A name that could leave the folder is not opened`(name: String) throws {
    let stand = try Stand()
    let error = #expect(throws: ZoneError.self) { try stand.database.zone(named: name) }
    #expect(error?.code == .invalidName)
    #expect(stand.database.identity(of: name) == nil)
  }

  @Test(arguments: [
    ("europe/paris", "did you mean 'Europe/Paris'?"), ("Paris", "did you mean 'Europe/Paris'?"),
    ("TOKYO", "'Asia/Tokyo'"),
    ("Europe", "unknown time zone"), ("Mars/Olympus", "unknown time zone"),
    ("PST", "is an abbreviation; write a city's zone, such as America/Los_Angeles"),
    ("Asia/Tokyo/x", "'Asia/Tokyo/x'"),
  ])
  func `An unknown zone is an error with suggestions`(name: String, part: String) throws {
    let stand = try Stand()
    let error = #expect(throws: ZoneError.self) { try stand.database.zone(named: name) }
    #expect(error?.code == .notFound)
    #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
  }

  @Test func `Without zones the error names the package`() throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: ZoneError.self) {
      try ZoneDatabase(folder: folder.path("none")).zone(named: "Asia/Tokyo")
    }
    #expect(error?.code == .notFound && error?.reason.contains("tzdata") == true)
  }

  @Test func `A file that is no zone is damaged and a pipe does not block`() throws {
    let stand = try Stand()
    let damaged = #expect(throws: ZoneError.self) { try stand.database.zone(named: "zone.tab") }
    #expect(damaged?.code == .damaged && damaged?.subject.hasSuffix("/zoneinfo/zone.tab") == true)
    #expect(mkfifo(stand.folder.path("zoneinfo/pipe"), 0o600) == 0)
    #expect(throws: ZoneError.self) { try stand.database.zone(named: "pipe") }
    try Data(count: 2 << 20).write(to: stand.folder.url.appending(path: "zoneinfo/huge"))
    #expect(throws: ZoneError.self) { try stand.database.zone(named: "huge") }
    try stand.folder.write("", to: "zoneinfo/empty")
    #expect(throws: ZoneError.self) { try stand.database.zone(named: "empty") }
  }

  @Test func `The variable TZ determines the system zone first`() throws {
    let stand = try Stand()
    try stand.link("etc/localtime", to: "../zoneinfo/Europe/Paris")
    func name(_ variable: String) throws -> String {
      let read = try stand.system(variable).read()
      #expect(read.source == .environment)
      return "\(read.zone.name) \(read.zone.rules.offset(at: Instant(2026, 1, 1)))"
    }
    #expect(try name("Asia/Tokyo") == "Asia/Tokyo +09:00")
    #expect(try name(":Asia/Tokyo") == "Asia/Tokyo +09:00")
    #expect(try name(stand.folder.path("zoneinfo/Asia/Tokyo")) == "Asia/Tokyo +09:00")
    #expect(try name(":" + stand.folder.path("zoneinfo/Asia/Tokyo")) == "Asia/Tokyo +09:00")
    #expect(try name("NST3:30NDT,M3.2.0,M11.1.0") == "NST3:30NDT,M3.2.0,M11.1.0 -03:30")
    #expect(try name("<+0845>-8:45") == "<+0845>-8:45 +08:45")
    // A file is preferred to a rule of the same name.
    #expect(try name("EST5EDT") == "EST5EDT -05:00")
    #expect(try stand.system("EST5EDT").read().zone.rules.nextTransition(after: Instant(2026, 1, 1)) == nil)
    #expect(try name("") == "UTC +00:00")
    try stand.write("XXX-3", to: "own")
    #expect(try name(stand.folder.path("own")) == "\(stand.folder.path("own")) +03:00")
    for wrong in ["Mars/Olympus", "../etc/localtime", "/nowhere", "EST5EDT,M3", "zone.tab"] {
      #expect(throws: ZoneError.self) { try stand.system(wrong).read() }
    }
  }

  @Test func `Without the variable the files in etc determine the zone`() throws {
    let stand = try Stand()
    #expect(try stand.system().read().source == .nothing)
    #expect(try stand.system().read().zone.name == "UTC")
    try stand.folder.write("# a comment is no name\n", to: "etc/timezone")
    #expect(try stand.system().read().source == .nothing)
    try stand.folder.write("Asia/Tokyo\n", to: "etc/timezone")
    #expect(try stand.system().read().source == .name)
    #expect(try stand.system().read().zone.name == "Asia/Tokyo")
    // A link takes precedence over the name.
    try stand.link("etc/localtime", to: "../zoneinfo/Europe/Paris")
    var read = try stand.system().read()
    #expect(read.source == .link && read.zone.name == "Europe/Paris")
    #expect(read.zone.rules.offset(at: Instant(2026, 7, 1)).description == "+02:00")
    try stand.link("etc/localtime", to: stand.folder.path("zoneinfo/Asia/Tokyo"))
    read = try stand.system().read()
    #expect(read.zone.name == "Asia/Tokyo")
    try stand.link("etc/localtime", to: "/nowhere/zoneinfo/Asia/Nowhere")
    let error = #expect(throws: ZoneError.self) { try stand.system().read() }
    #expect(error?.description.contains("/nowhere/zoneinfo/Asia/Nowhere") == true)
  }

  @Test func `A copied zone is named only if it matches the name`() throws {
    let stand = try Stand()
    try stand.write("JST-9", to: "etc/localtime")
    var read = try stand.system().read()
    #expect(read.source == .file && read.zone.name == stand.folder.path("etc/localtime"))
    try stand.folder.write("Asia/Tokyo\n", to: "etc/timezone")
    read = try stand.system().read()
    #expect(read.zone.name == "Asia/Tokyo")
    try stand.folder.write("Europe/Paris\n", to: "etc/timezone")
    read = try stand.system().read()
    #expect(read.zone.name == stand.folder.path("etc/localtime"))
    #expect(read.zone.rules.offset(at: Instant(2026, 7, 1)).description == "+09:00")
  }

  @Test func `Every change of the setting changes the identity`() throws {
    let stand = try Stand()
    var seen: [[FileIdentity]] = [stand.system().identity()]
    func changed(_ what: String) {
      let identity = stand.system().identity()
      #expect(identity != seen.last, "\(what)")
      #expect(identity == stand.system().identity(), "\(what)")
      seen.append(identity)
    }
    try stand.folder.write("Asia/Tokyo\n", to: "etc/timezone")
    changed("a name is written")
    try stand.link("etc/localtime", to: "../zoneinfo/Europe/Paris")
    changed("a link is made")
    try stand.link("etc/localtime", to: "../zoneinfo/Asia/Tokyo")
    changed("the link is replaced")
    try stand.write("JST-9JDT", to: "zoneinfo/Asia/Tokyo")
    changed("the zone is updated")
    try FileManager.default.removeItem(atPath: stand.folder.path("zoneinfo/Asia/Tokyo"))
    changed("the zone is removed")
    try stand.write("JST-9", to: "zoneinfo/Asia/Tokyo")
    let zone = try stand.database.zone(named: "Asia/Tokyo")
    #expect(zone.identity == stand.database.identity(of: "Asia/Tokyo"))
    try stand.write("JST-10", to: "zoneinfo/Asia/Tokyo")
    #expect(zone.identity != stand.database.identity(of: "Asia/Tokyo"))
  }

  @Test func `The zone of this machine matches the C library`() throws {
    let instants = LocaltimeTests.instants(100, from: 1970, to: 2100, seed: 12)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let script = "import time\nfor t in \(instants): print(time.localtime(t).tm_gmtoff)"
    let result = try RunningProgram.run("python3", ["-c", script], environment: ["PATH": path])
    let rules = try SystemZone(database: .system, variable: nil).read().zone.rules
    #expect(
      result.output.split(separator: "\n").map { Int($0) } == instants.map { rules.offset(at: Instant($0)).seconds })
  }
}
