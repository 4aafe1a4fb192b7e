// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Foundation
import Glibc
import Scheduling
import TestSupport
import Testing
import Triggers
import Zoneinfo

/// Tests following the time zone of the machine and updates of zone files.
@Suite(.timeLimit(.minutes(2))) struct MachineZoneTests {
  /// A folder for `etc` and one for zones, with some of the system's; and a zone that is followed in them.
  final class Stand: @unchecked Sendable {
    // @unchecked: `zone` is used on the loop's thread only, inside `look`.
    let root: TemporaryFolder
    let loop: EventLoop
    let changes = Inbox<String>()
    private var zone: MachineZone?

    init(_ root: TemporaryFolder, _ loop: EventLoop) {
      self.root = root
      self.loop = loop
    }

    func begin(variable: String? = nil) async throws {
      let system = SystemZone(
        database: ZoneDatabase(folder: root.path("zoneinfo")), variable: variable, etc: root.path("etc"))
      try await inside {
        self.zone = MachineZone(on: self.loop, system: system) { [unowned self] in
          self.changes.put(self.zone?.zone.name ?? "too early")
        }
      }
    }

    func inside<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
      try await withCheckedThrowingContinuation { continuation in
        self.loop.perform { continuation.resume(with: Result(catching: body)) }
      }
    }

    func look<T: Sendable>(_ body: @escaping @Sendable (MachineZone) throws -> T) async throws -> T {
      try await inside { try body(try #require(self.zone)) }
    }

    var summary: String {
      get async throws { try await look { "\($0.zone.name) \(try $0.rules(nil).offset(at: Self.july))" } }
    }

    func offset(_ name: String) async throws -> String {
      try await look { try $0.rules(name).offset(at: Self.july).description }
    }

    var problem: String? { get async throws { try await look { $0.problem } } }
    var fingerprint: String { get async throws { try await look { $0.fingerprint } } }

    /// Waits for the expected change, and checks that no second one is due.
    func onlyChange(within limit: Duration = .seconds(2)) async throws -> String {
      let name = try await changes.next(within: limit, "change of the zone")
      // A look that is still due happens now; it would report a second change.
      try await look { $0.check() }
      #expect(changes.waiting == [])
      return name
    }

    static let july = Instant(1_783_000_000)

    // MARK: The machine's part

    /// What `timedatectl`, dpkg and `ln -sf` do: a new link, renamed over the old one.
    func link(_ name: String, to target: String) {
      let new = root.path(name + ".new")
      #expect(symlink(target, new) == 0)
      #expect(rename(new, root.path(name)) == 0)
    }

    /// Installs a zone; `content` is another zone's.
    func install(_ name: String, content: String? = nil) async throws {
      try await replace("zoneinfo/" + name, with: FixedZones.file(content ?? name))
    }

    /// Does ``put(_:with:)`` on the loop's thread, so that no look falls between its steps, which is one change more.
    func replace(_ name: String, with content: Data) async throws {
      try await inside { try self.put(name, with: content) }
    }

    /// Writes a file as dpkg does: beside the old one, then renamed over it.
    func put(_ name: String, with content: Data) throws {
      let path = root.url.appending(path: name)
      try FileManager.default.createDirectory(at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
      try content.write(to: root.url.appending(path: name + ".dpkg-new"))
      #expect(rename(root.path(name + ".dpkg-new"), path.path) == 0)
    }
  }

  func withStand(begins: Bool = true, _ body: @Sendable (Stand) async throws -> Void) async throws {
    let root = try TemporaryFolder()
    try await withLoop { loop in
      let stand = Stand(root, loop)
      for name in ["Pacific/Auckland", "Pacific/Honolulu", "Europe/Paris", "Asia/Tokyo"] {
        try await stand.install(name)
      }
      try await stand.replace("zoneinfo/tzdata.zi", with: Data("# version 2025b\n# more\n".utf8))
      try FileManager.default.createDirectory(at: root.url.appending(path: "etc"), withIntermediateDirectories: true)
      stand.link("etc/localtime", to: "../zoneinfo/Pacific/Auckland")
      if begins { try await stand.begin() }
      try await body(stand)
    }
  }

  // MARK: The machine's zone

  @Test func `A machine that moves to another zone is noticed, once`() async throws {
    try await withStand { stand in
      let before = try await stand.fingerprint
      #expect(try await stand.summary == "Pacific/Auckland +12:00")
      stand.link("etc/localtime", to: stand.root.path("zoneinfo/Pacific/Honolulu"))
      #expect(try await stand.onlyChange() == "Pacific/Honolulu")
      #expect(try await stand.summary == "Pacific/Honolulu -10:00")
      let there = try await stand.fingerprint
      #expect(there != before)
      stand.link("etc/localtime", to: stand.root.path("zoneinfo/Pacific/Auckland"))
      #expect(try await stand.onlyChange() == "Pacific/Auckland")
      #expect(try await stand.fingerprint == before)
    }
  }

  @Test func `A zone that is set by its name alone is followed`() async throws {
    try await withStand(begins: false) { stand in
      #expect(unlink(stand.root.path("etc/localtime")) == 0)
      try stand.root.write("Asia/Tokyo\n", to: "etc/timezone")
      try await stand.begin()
      #expect(try await stand.summary == "Asia/Tokyo +09:00")
      try stand.root.write("Europe/Paris\n", to: "etc/timezone")
      #expect(try await stand.onlyChange() == "Europe/Paris")
      try await stand.install("Europe/Paris", content: "Asia/Tokyo")
      #expect(try await stand.onlyChange() == "Europe/Paris")
      #expect(try await stand.summary == "Europe/Paris +09:00")
    }
  }

  @Test func `A changed link on the way to the zone counts`() async throws {
    try await withStand(begins: false) { stand in
      for folder in ["alternatives", "etc/zones"] { #expect(mkdir(stand.root.path(folder), 0o700) == 0) }
      stand.link("alternatives/zone", to: "../etc/zones/mine")
      stand.link("etc/zones/mine", to: "../../zoneinfo/Europe/Paris")
      stand.link("etc/localtime", to: stand.root.path("alternatives/zone"))
      try await stand.begin()
      #expect(try await stand.summary.hasSuffix(" +02:00"))
      stand.link("etc/zones/mine", to: "../../zoneinfo/Asia/Tokyo")
      _ = try await stand.onlyChange()
      #expect(try await stand.summary.hasSuffix(" +09:00"))
      stand.link("alternatives/zone", to: "../zoneinfo/Pacific/Honolulu")
      _ = try await stand.onlyChange()
      #expect(try await stand.summary.hasSuffix(" -10:00"))
    }
  }

  @Test func `The variable TZ takes precedence over the files in etc`() async throws {
    try await withStand(begins: false) { stand in
      try await stand.begin(variable: ":Asia/Tokyo")
      stand.link("etc/localtime", to: "../zoneinfo/Pacific/Honolulu")
      try await stand.install("Asia/Tokyo", content: "Europe/Paris")
      #expect(try await stand.onlyChange() == "Asia/Tokyo")
      #expect(try await stand.summary == "Asia/Tokyo +02:00")
    }
  }

  // MARK: Updates of the data

  @Test func `An update of the machine's own zone is noticed`() async throws {
    try await withStand { stand in
      let before = try await stand.fingerprint
      try await stand.install("Pacific/Auckland", content: "Pacific/Chatham")
      #expect(try await stand.onlyChange(within: .seconds(5)) == "Pacific/Auckland")
      #expect(try await stand.summary == "Pacific/Auckland +12:45")
      #expect(try await stand.fingerprint != before)
    }
  }

  @Test func `An update of a zone that a request names is noticed`() async throws {
    try await withStand { stand in
      #expect(try await stand.offset("Europe/Paris") == "+02:00")
      try await stand.install("Europe/Paris", content: "Asia/Tokyo")
      _ = try await stand.onlyChange(within: .seconds(5))
      #expect(try await stand.offset("Europe/Paris") == "+09:00")
    }
  }

  @Test func `A new release counts even if no used zone changes`() async throws {
    try await withStand { stand in
      let before = try await stand.fingerprint
      #expect(before.contains("2025b"))
      try await stand.replace("zoneinfo/tzdata.zi", with: Data("# version 2025c\n# more\n".utf8))
      _ = try await stand.onlyChange(within: .seconds(5))
      let after = try await stand.fingerprint
      #expect(after.contains("2025c") && after != before)
    }
  }

  @Test func `An update of hundreds of files is one change`() async throws {
    try await withStand { stand in
      let new = try FixedZones.file("Pacific/Chatham")
      try await stand.inside {
        for number in 0..<300 { try stand.put("zoneinfo/Pacific/Place\(number)", with: new) }
        try stand.put("zoneinfo/Pacific/Auckland", with: new)
        for number in 0..<300 { try stand.put("zoneinfo/Pacific/Place\(number)", with: new) }
      }
      #expect(try await stand.onlyChange(within: .seconds(5)) == "Pacific/Auckland")
    }
  }

  @Test func `Endless changes delay a look by a limited time`() async throws {
    try await withStand { stand in
      stand.link("etc/localtime", to: "../zoneinfo/Pacific/Honolulu")
      let start = ContinuousClock.now
      while stand.changes.waiting.isEmpty && start.duration(to: .now) < .seconds(10) {
        stand.link("zoneinfo/busy", to: "Asia/Tokyo")
        // The next change comes once the loop has had time for this one.
        try await stand.inside {}
      }
      #expect(start.duration(to: .now) > .seconds(1), "it waits for calm first")
      #expect(start.duration(to: .now) < .seconds(4))
      #expect(try await stand.changes.next() == "Pacific/Honolulu")
    }
  }

  // MARK: What cannot be read

  @Test func `A damaged zone leaves the last good one in force, and is reported until it is repaired`() async throws {
    try await withStand { stand in
      #expect(try await stand.offset("Europe/Paris") == "+02:00")
      try await stand.replace("zoneinfo/Pacific/Auckland", with: Data("TZif2 and no more".utf8))
      try await stand.replace("zoneinfo/Europe/Paris", with: Data())
      try await stand.look { $0.check() }
      #expect(try await stand.summary == "Pacific/Auckland +12:00")
      #expect(try await stand.offset("Europe/Paris") == "+02:00")
      let problem = try #require(try await stand.problem)
      #expect(problem.contains("etc/localtime'") && problem.contains("Europe/Paris'"), "\(problem)")
      #expect(!problem.contains("\n"))
      try await stand.install("Pacific/Auckland")
      try await stand.install("Europe/Paris")
      try await stand.look { $0.check() }
      #expect(try await stand.problem == nil)
    }
  }

  @Test func `A broken link leaves the last zone in force, and its later target is noticed`() async throws {
    try await withStand { stand in
      stand.link("etc/localtime", to: stand.root.path("zoneinfo/Etc/Nowhere"))
      try await stand.look { $0.check() }
      #expect(try await stand.summary == "Pacific/Auckland +12:00")
      #expect(try await stand.problem?.contains("Etc/Nowhere") == true)
      #expect(stand.changes.waiting == [])
      try await stand.install("Etc/Nowhere", content: "Asia/Tokyo")
      #expect(try await stand.onlyChange() == "Etc/Nowhere")
      #expect(try await stand.problem == nil)
      #expect(try await stand.summary == "Etc/Nowhere +09:00")
    }
  }

  @Test func `UTC is used and a problem reported if no zone could be read yet`() async throws {
    try await withStand(begins: false) { stand in
      stand.link("etc/localtime", to: "../zoneinfo/Nowhere")
      try await stand.begin()
      #expect(try await stand.summary == "UTC +00:00")
      #expect(try await stand.problem?.contains("using UTC") == true)
      stand.link("etc/localtime", to: "../zoneinfo/Asia/Tokyo")
      #expect(try await stand.onlyChange() == "Asia/Tokyo")
      #expect(try await stand.problem == nil)
    }
  }

  @Test func `An unknown zone is an error of the request, not of the machine`() async throws {
    try await withStand { stand in
      let error = try await stand.look { zone in
        #expect(throws: TriggerError.self) { try zone.rules("europe/paris") }
      }
      #expect(error?.key == "zone" && error?.code == .invalid)
      #expect(error?.description.contains("did you mean 'Europe/Paris'?") == true, "\(error?.description ?? "")")
      #expect(try await stand.problem == nil)
      try await stand.install("Europe/Kyiv")
      #expect(try await stand.offset("Europe/Kyiv") == "+03:00")
    }
  }

  // MARK: Little

  @Test func `Any number of zones is right, and the last used ones stay in memory`() async throws {
    try await withStand(begins: false) { stand in
      for number in 0..<100 { try await stand.install("Many/Place\(number)", content: "Asia/Tokyo") }
      try await stand.begin()
      for number in 0..<100 { #expect(try await stand.offset("Many/Place\(number)") == "+09:00") }
      for number in [0, 99] { try await stand.install("Many/Place\(number)", content: "Europe/Paris") }
      try await stand.look { $0.check() }
      for number in [0, 99] { #expect(try await stand.offset("Many/Place\(number)") == "+02:00") }
    }
  }

  @Test func `Unrelated files cause no call, and an idle machine no wake-up`() async throws {
    try await withStand { stand in
      try stand.root.write("nameserver ::1\n", to: "etc/resolv.conf")
      try await stand.look { $0.check() }
      let thread = await LoopThread(of: stand.loop)
      let rest = try thread.rest()
      #expect(rest.map { $0 > .seconds(3000) } ?? true, "\(String(describing: rest))")
      #expect(stand.changes.waiting == [])
    }
  }

  @Test func `No change is reported after the end`() async throws {
    try await withStand { stand in
      try await stand.look { $0.cancel() }
      // A second zone in the same folders reports both changes; the first would have reported one of them by then.
      let marker = Stand(stand.root, stand.loop)
      try await marker.begin()
      for name in ["Pacific/Honolulu", "Asia/Tokyo"] {
        stand.link("etc/localtime", to: "../zoneinfo/" + name)
        #expect(try await marker.changes.next(within: .seconds(5), "change of the second zone") == name)
      }
      try await marker.look { $0.cancel() }
      #expect(stand.changes.waiting == [])
    }
  }
}
