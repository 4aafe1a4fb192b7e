// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Tests `suzu` without a bus or a center: status 69, and a remedy.
@Suite(.onOwnThread, .timeLimit(.minutes(5)))
struct MissingCenterTests {
  @Test(arguments: [
    ["notify", "x"], ["notify", "x", "--wait"], ["watch"], ["popups"], ["list"], ["history", "--json"],
    ["cancel", "x"], ["dismiss", "--all"], ["respond", "x", "y"],
  ])
  func `A missing bus gives status 69 and is named`(arguments: [String]) throws {
    let unset = try BareCommand.suzu(arguments)
    #expect(unset.status == 69)
    #expect(
      unset.errors.hasPrefix("suzu: \(arguments[0]): no session bus: DBUS_SESSION_BUS_ADDRESS is not set"),
      "\(unset.errors)")
    for address in ["unix:path=/nowhere/bus", "nonsense", "autolaunch:", "unixexec:path=/bin/false", "tcp:host=;"] {
      let wrong = try BareCommand.suzu(arguments, environment: ["DBUS_SESSION_BUS_ADDRESS": address])
      #expect(wrong.status == 69)
      #expect(wrong.errors.contains(address), "\(wrong.errors)")
    }
  }

  @Test(arguments: [
    ["notify", "x"], ["notify", "x", "--wait"], ["watch"], ["list", "--json"], ["history"], ["cancel", "--all"],
    ["dismiss", "x"], ["respond", "x", "y"],
  ])
  func `A missing center gives status 69 and a remedy`(arguments: [String]) throws {
    let session = try Session(hasCenter: false)
    let ended = try BareCommand.suzu(arguments, environment: session.environment)
    #expect(ended.status == 69)
    #expect(
      ended.errors.hasPrefix(
        "suzu: \(arguments[0]): the center is not running and the bus cannot start it; start 'suzud'"))
  }

  @Test func `A center that cannot be started gives status 69`() throws {
    let session = try Session(hasCenter: false, services: ["dev.suzu.Center": "/bin/false"])
    let ended = try BareCommand.suzu(["notify", "x"], environment: session.environment)
    #expect(ended.status == 69)
    #expect(ended.errors.hasPrefix("suzu: notify: the bus could not start the center"), "\(ended.errors)")
  }
}
