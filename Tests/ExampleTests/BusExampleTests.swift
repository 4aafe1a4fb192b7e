// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Runs `Examples/dbus-call` and `Examples/dbus-serve`.
@Suite(.onOwnThread, .timeLimit(.minutes(2))) struct BusExampleTests {
  @Test func `A notification is shown, and its end reported`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    #expect(try session.awaitOwner(of: "org.freedesktop.Notifications"))
    let calling = try RunningProgram(Session.programs + "/dbus-call", environment: session.environment)
    #expect(popups.readLines(until: "from")?.first == "#1 Hello")
    popups.say("dismiss")
    #expect(calling.waitForExit() == 0, "\(calling.errors)")
    let lines = calling.readLines(until: "closed")
    #expect(lines?.first?.hasSuffix(" shows it") == true && lines?.last == "closed, reason 2", "\(lines ?? [])")
  }

  @Test func `The counter counts for other programs`() throws {
    let session = try Session()
    let serving = try RunningProgram(Session.programs + "/dbus-serve", environment: session.environment)
    // The standard output of a program is buffered, if it is no terminal.
    #expect(try session.awaitOwner(of: "org.example.Counter"))
    let counter = ["call", "--session", "-d", "org.example.Counter", "-o", "/org/example/Counter", "-m"]
    func call(_ words: String...) throws -> (status: Int32, output: String, errors: String) {
      try RunningProgram.run("gdbus", counter + words, environment: session.environment)
    }
    #expect(try call("org.example.Counter1.Add", "5").output == "(int64 5,)\n")
    #expect(try call("org.example.Counter1.Add", "@x -7").output == "(int64 -2,)\n")
    #expect(
      try call("org.freedesktop.DBus.Properties.Get", "org.example.Counter1", "Total").output == "(<int64 -2>,)\n")
    #expect(try call("org.example.Counter1.Add", "@x -9223372036854775808").errors.contains("is too much"))
    #expect(try call("org.example.Counter1.Add", "five").status != 0)
    session.bus.kill()
    #expect(serving.waitForExit() == 0)
  }
}
