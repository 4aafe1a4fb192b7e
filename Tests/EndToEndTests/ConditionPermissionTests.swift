// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests that the user is asked once before a sandboxed app may wait for a network, with the real programs.
@Suite(
  .onOwnThread, .timeLimit(.minutes(2)),
  .enabled(if: Bubblewrap.isPossible, "no bwrap here, or it may not make namespaces"))
struct ConditionPermissionTests {
  private static let app = "org.example.Boxed"

  private let session: Session
  private let popups: RunningProgram
  private let manager: MockNetworkManager

  init() throws {
    let folder = try TemporaryFolder()
    session = try Session(variables: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=" + folder.path("bus")], in: folder)
    popups = try session.start("popups")
    #expect(try session.awaitOwner(of: "org.freedesktop.Notifications"))
    manager = try MockNetworkManager(in: session)
    #expect(try session.suzu("apps", "allow", Self.app, "alert").status == 0)
  }

  private func ask(_ member: String, _ arguments: String...) throws -> (status: Int32, output: String, errors: String) {
    let info = try session.folder.write("[Application]\nname=\(Self.app)\n", to: "info")
    let words =
      Bubblewrap.words(session.folder, info: info)
      + ["gdbus", "call", "--session", "-d", "dev.suzu.Center", "-o", "/dev/suzu/Center", "-m"]
      + ["dev.suzu.Center1." + member] + arguments
    return try RunningProgram.run(words[0], Array(words.dropFirst()), environment: session.environment)
  }

  private func notify(_ id: String) throws -> (status: Int32, output: String, errors: String) {
    try ask("Notify", "{'title': <'\(id)'>, 'id': <'\(id)'>, 'on': <'wifi Work'>, 'repeat': <true>}")
  }

  @Test(arguments: [true, false])
  func `The user is asked once, and until then the app learns nothing`(_ isAllowed: Bool) throws {
    #expect(try notify("a").status == 0)
    let question = try #require(popups.readLines(until: "Don't Allow"))
    #expect(question.first?.hasSuffix("know when you use a network?") == true, "\(question)")
    try session.wait(for: "now:         false", in: "next", "a", "--app", Self.app)
    let row = try ask("Pending", Self.app, "{}").output
    #expect(row.contains("wifi Work") && !row.contains("holds"), "\(row)")
    try manager.set(true)
    try session.wait(for: #""state":"due""#, in: "list", "--app", Self.app, "--json")
    // The history told it that the network was connected, and when.
    #expect(try ask("History", Self.app, "{}").output == "(@aa{sv} [], '')\n")
    #expect(!(try ask("Why", Self.app, "a", "0").output.contains("has come")))
    popups.say(isAllowed ? "1" : "2")
    if isAllowed {
      #expect(popups.readLines(until: " a") != nil)
      #expect(try ask("Pending", Self.app, "{}").output.contains("'holds': <true>"))
      #expect(try ask("History", Self.app, "{}").output.contains("'ssid': <'Work'>"))
      // No second question.
      #expect(try notify("b").status == 0)
      try manager.set(false)
      try session.wait(for: "now:         false", in: "next", "b", "--app", Self.app)
      try manager.set(true)
      #expect(popups.readLines(until: " b") != nil)
    } else {
      try session.wait(for: "you do not allow its app", in: "why", "a", "--app", Self.app)
      let refused = try notify("b")
      #expect(refused.status != 0 && refused.errors.contains("AccessDenied"), "\(refused)")
      #expect(refused.errors.contains("the user does not let this app know about networks"), "\(refused)")
      #expect(try session.suzu("apps", "allow", Self.app, "networks").status == 0)
      #expect(try notify("b").status == 0)
    }
  }

  @Test(arguments: [true, false])
  func `For places the user is asked apart`(_ isAllowed: Bool) throws {
    func notify(_ id: String, _ condition: String) throws -> (status: Int32, output: String, errors: String) {
      try ask("Notify", "{'title': <'\(id)'>, 'id': <'\(id)'>, 'on': <'\(condition)'>}")
    }
    // That a network may be known says nothing about places.
    #expect(try session.suzu("apps", "allow", Self.app, "networks").status == 0)
    #expect(try notify("a", "place 52.52,13.405 200m").status == 0)
    let question = try #require(popups.readLines(until: "Don't Allow"))
    #expect(question.first?.hasSuffix("know when you are at a place?") == true, "\(question)")
    popups.say(isAllowed ? "1" : "2")
    if isAllowed {
      while try !session.suzu("apps", "--json").output.contains(#/"allowed":\[[^\]]*"places"/#) {}
      #expect(try notify("b", "place 52.52,13.405 200m").status == 0)
      // A beacon is a place, too.
      #expect(try notify("c", "beacon F7826DA6-4FA2-4E98-8024-BC5B71E0893E").status == 0)
    } else {
      while try notify("early", "place 52.52,13.405 200m").status == 0 {}
      for condition in ["place 52.52,13.405 200m", "beacon F7826DA6-4FA2-4E98-8024-BC5B71E0893E"] {
        let refused = try notify("b", condition)
        #expect(refused.status != 0 && refused.errors.contains("AccessDenied"), "\(refused)")
        #expect(refused.errors.contains("the user does not let this app know about places"), "\(refused)")
      }
      #expect(try notify("n", "wifi Work").status == 0)
    }
  }

  @Test func `What the user denies in advance is refused without a question`() throws {
    #expect(try session.suzu("apps", "deny", Self.app, "networks").status == 0)
    let refused = try notify("a")
    #expect(refused.status != 0 && refused.errors.contains("AccessDenied"), "\(refused)")
    let named = try ask("Notify", "{'title': <'x'>, 'on': <'place office'>}")
    #expect(named.errors.contains("the names of places are not for sandboxed programs"), "\(named)")
    for member in ["Places", "Position"] { #expect(try ask(member).errors.contains("AccessDenied")) }
    #expect(try ask("SetPlaces", "[]").errors.contains("AccessDenied"))
    #expect(try ask("Mute", "test", "x", "0").errors.contains("AccessDenied"))
    #expect(try ask("Mutes").errors.contains("AccessDenied"))
    #expect(try ask("Calendars").errors.contains("AccessDenied"))
    #expect(try ask("Follow", "/etc", "{}").errors.contains("following a calendar is not for sandboxed programs"))
    #expect(try ask("Unfollow", "/etc").errors.contains("AccessDenied"))
  }
}
