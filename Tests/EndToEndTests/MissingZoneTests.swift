// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Tests that a time with a zone of its own does not need the zone of the machine: that is missing here.
@Suite(.onOwnThread, .timeLimit(.minutes(2)))
struct MissingZoneTests {
  private static func session() throws -> Session {
    try Session(variables: ["TZ": ":/no/such/zone", "TZDIR": FixedZones.folder])
  }

  @Test(arguments: [
    ["--every", "Mon 07:30", "--zone", "Europe/Paris"], ["--at", "2035-06-14 07:30", "--zone", "Europe/Paris"],
    ["--at", "tomorrow 07:30", "--zone", "Europe/Paris"],
    ["--rule", "FREQ=DAILY;BYHOUR=7;BYMINUTE=30", "--zone", "Europe/Paris"],
    ["--match", #"{"hour": 7, "minute": 30}"#, "--repeat", "--zone", "Europe/Paris"],
    ["--every", "1d", "--from", "2035-06-14 07:30", "--zone", "Europe/Paris"],
  ])
  func `A request with a zone is accepted, listed, changed and explained`(time: [String]) throws {
    let session = try Self.session()
    let notified = try session.suzu(["notify", "T", "--id", "t"] + time)
    #expect(notified.status == 0 && notified.output == "t\n" && notified.errors == "", "\(notified.errors)")
    // A pause of a day has no wall time, so its date is in the zone of the machine: UTC, as long as that is missing.
    let listed = try session.suzu("list", "--json").output
    #expect(listed.contains(/"next":"[^"]*T(07:30:00\+0[12]:00|05:30:00(Z|\+00:00))"/), "\(listed)")
    for words in [
      ["list"], ["show", "t"], ["next", "t", "-n", "2"], ["why", "t"], ["edit", "t", "Other"], ["history"], ["export"],
    ] {
      let ended = try session.suzu(words)
      #expect(ended.status == 0 && ended.errors == "", "\(words): \(ended.errors)")
    }
  }

  @Test func `A schedule with a zone is previewed, and one without names what is missing`() throws {
    let session = try Self.session()
    for words in [
      ["Mon 07:30"], ["FREQ=WEEKLY;BYDAY=MO", "--from", "2035-06-14 07:30"], ["--match", #"{"hour": 7}"#],
      ["07:30", "--from", "2035-06-14"],
    ] {
      let zoned = try session.suzu(["next"] + words + ["--zone", "Europe/Paris", "-n", "2"])
      #expect(zoned.status == 0 && zoned.errors == "", "\(words): \(zoned.errors)")
      let floating = try session.suzu(["next"] + words)
      #expect(floating.status == 78 && floating.errors.contains("the machine's time zone"), "\(floating.errors)")
    }
  }
}
