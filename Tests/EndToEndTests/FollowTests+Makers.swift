// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests `suzu follow` with the files of many calendar programs, each changed in the manner of its program.
extension FollowTests {
  /// The pending alarms: date, title and body, `07-02 08:45 Tea | Kitchen/Bring cups`.
  private func alarms() throws -> [String] {
    try session.listed().map { row in
      let next = (row["next"] as? String ?? "").dropFirst(5).prefix(11).replacing("T", with: " ")
      let body = (row["body"] as? String ?? "").replacing("\n", with: "/")
      return "\(next) \(row["title"] as? String ?? "") | \(body)"
    }.sorted()
  }

  /// Waits until exactly these are pending. Returns how long after the call they were still not, without the time in
  /// which the center could run and other programs had the processors.
  private func await(alarms expected: [String], _ maker: CalendarMaker) throws -> Duration {
    let clock = ContinuousClock()
    let (start, end) = (clock.now, clock.now + .seconds(20))
    let center = try #require(try session.process(of: "dev.suzu.Center"))
    let before = Self.delay(of: center)
    var last = Duration.zero
    while true {
      // The answer is made after this moment.
      let asked = clock.now - start
      if try alarms() == expected { return last - (Self.delay(of: center) - before) }
      last = asked
      guard clock.now < end else {
        throw TestFailure("\(maker): \(try alarms()), not \(expected); \(try session.suzu("doctor").output)")
      }
    }
  }

  /// How long a process has waited for a processor: the second number of its schedstat, in nanoseconds.
  private static func delay(of process: Int32) -> Duration {
    let text = try? String(contentsOfFile: "/proc/\(process)/schedstat", encoding: .utf8)
    return .nanoseconds(text?.split(separator: " ").dropFirst().first.flatMap { Int64($0) } ?? 0)
  }

  private func write(_ text: String, to name: String, _ manner: CalendarMaker.Manner) throws {
    switch manner {
    case .replaced: try session.folder.write(text, to: name)
    case .inPlace: try writeInPlace(text, to: name)
    case .linked: try synchronize(text, to: name)
    case .withoutName: try CalendarMaker.save(text, to: session.folder.path(name))
    }
  }

  @Test(arguments: CalendarMaker.all)
  func `The calendar of each program is followed, as that program writes it`(maker: CalendarMaker) throws {
    let place = maker.isFolder ? "calendars" : "calendars/calendar.ics"
    var files = try maker.files()
    try FileManager.default.createDirectory(
      atPath: session.folder.path("calendars"), withIntermediateDirectories: false)
    for (name, text) in files { try write(text, to: "calendars/\(name)", maker.manner) }
    let followed = try session.suzu("follow", session.folder.path(place))
    #expect(followed.status == 0, "\(followed.errors)")
    #expect(try alarms() == maker.alarms)
    // An event is moved.
    let moved = try #require(files.first { $0.value.contains(maker.change.from) })
    files[moved.key] = moved.value.replacing(maker.change.from, with: maker.change.to)
    try write(try #require(files[moved.key]), to: "calendars/\(moved.key)", maker.manner)
    #expect(try self.await(alarms: maker.moved, maker) < .seconds(1))
    // Another one is deleted.
    let shorter = try #require(files.first { $0.value.contains(maker.removed) })
    if maker.isFolder {
      try FileManager.default.removeItem(atPath: session.folder.path("calendars/\(shorter.key)"))
    } else {
      let text = try CalendarMaker.text(shorter.value, without: maker.removed)
      try write(text, to: "calendars/\(shorter.key)", maker.manner)
    }
    #expect(try self.await(alarms: maker.left, maker) < .seconds(1))
    #expect(try session.suzu("follow", "--stop", session.folder.path(place)).status == 0)
    #expect(try alarms() == [])
  }

  /// As Radicale takes a whole calendar: two folders exchange their names.
  private static let exchange = """
    import ctypes, os, sys
    code = ctypes.CDLL(None, use_errno=True).renameat2(-100, os.fsencode(sys.argv[1]), -100, os.fsencode(sys.argv[2]), 2)
    sys.exit(0 if code == 0 else os.strerror(ctypes.get_errno()))
    """

  @Test(arguments: ["ada", "ada/home"])
  func `A whole calendar that is exchanged is read, and what it no longer has goes`(place: String) throws {
    try session.folder.write(Self.calendar(Self.event("a")), to: "ada/home/a.ics")
    try session.folder.write(Self.calendar(Self.event("b")), to: "ada/home/b.ics")
    try follow(session.folder.path(place))
    #expect(try pending() == ["a 08:45", "b 08:45"])
    for round in 0..<2 {
      try session.folder.write(
        Self.calendar(Self.event("b", hour: 10 + round)), to: "ada/.Radicale.tmp-\(round)/collection/b.ics")
      try session.folder.write(Self.calendar(Self.event("c")), to: "ada/.Radicale.tmp-\(round)/collection/c.ics")
      let exchanged = try RunningProgram.run(
        "/usr/bin/python3",
        [
          "-c", Self.exchange, session.folder.path("ada/.Radicale.tmp-\(round)/collection"),
          session.folder.path("ada/home"),
        ], environment: [:])
      #expect(exchanged.status == 0, "\(exchanged.errors)")
      try self.await(["b \(round == 0 ? "09:45" : "10:45")", "c 08:45"])
    }
  }
}
