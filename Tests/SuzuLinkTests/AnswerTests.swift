// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Foundation
import TestSupport
import Testing

/// Tests answers that go back: two desktops, each with its bus, its center and its suzu-link, and a real mosquitto.
@Suite(.onOwnThread, .timeLimit(.minutes(3)))
struct AnswerTests {
  /// A desktop whose link is connected.
  private struct Desk {
    let stand: LinkStand
    let screen: ScriptedServer
    let link: RunningProgram

    init(_ mosquitto: RealMosquitto, on loop: EventLoop, category more: [String] = []) async throws {
      stand = try LinkStand(hasCenter: true)
      screen = try await ScriptedServer.start(on: stand.bus, loop)
      let words = ["category", "set", "bell", "--app", "org.example.Tea", "--action", "go=Go"]
      let category = try stand.session.suzu(words + more)
      guard category.status == 0 else { throw TestFailure("no category: \(category)") }
      try stand.write(server: mosquitto.address, #""category": "bell", "answers": true"#)
      link = try stand.startConnected()
    }

    func press(_ posted: ScriptedServer.Posted) async throws {
      let key = try #require(zip(posted.actions, posted.actions.dropFirst()).first { $1 == "Go" }?.0)
      try await screen.press(posted.number, key)
    }

    func stop() { #expect(LinkStand.stop(link) == 0, "\(link.errors)") }
  }

  private static let wait = Duration.seconds(20)

  @Test func `An answer on one desktop takes the notification down on the other, which records where`() async throws {
    let mosquitto = try RealMosquitto()
    let server = try mosquitto.start()
    try await withLoop { loop in
      let (one, two) = (try await Desk(mosquitto, on: loop), try await Desk(mosquitto, on: loop))
      try mosquitto.publish("The bell", words: [("title", "Bell"), ("id", "b1")])
      let first = try await one.screen.posted.next(within: Self.wait)
      let second = try await two.screen.posted.next(within: Self.wait)
      try await one.press(first)
      #expect(try await two.screen.closed.next(within: Self.wait) == second.number)
      let name = try one.stand.session.run("hostname").output.dropLast()
      try await offPool {
        try two.stand.session.wait(for: #""reason":"answered on \#(name)""#, in: "history", "--json")
        try one.stand.session.wait(for: #""action":"go""#, in: "history", "--json")
      }
      // What the server keeps: a desktop that connects later does not show the message.
      try mosquitto.publish("The door", "-r", words: [("title", "Door"), ("id", "d1")])
      let door = try await two.screen.posted.next(within: Self.wait)
      _ = try await one.screen.posted.next(within: Self.wait)
      try await two.press(door)
      _ = try await one.screen.closed.next(within: Self.wait) { $0 != first.number }
      let late = try await Desk(mosquitto, on: loop)
      try mosquitto.publish("Last", words: [("title", "Last"), ("id", "l1")])
      #expect(try await late.screen.posted.next(within: Self.wait).summary == "Last")
      // No answer came second.
      for desk in [one, two] { #expect(desk.screen.posted.waiting.allSatisfy { $0.summary == "Last" }) }
      for desk in [one, two, late] { desk.stop() }
    }
    server.kill()
  }

  @Test func `Of two answers the first that the server has wins, and the other desktop is told`() async throws {
    let mosquitto = try RealMosquitto()
    let server = try mosquitto.start()
    try await withLoop { loop in
      let one = try await Desk(mosquitto, on: loop)
      let two = try await Desk(mosquitto, on: loop)
      let three = try await Desk(mosquitto, on: loop)
      try mosquitto.publish("The bell", words: [("title", "Bell"), ("id", "b1")])
      let first = try await one.screen.posted.next(within: Self.wait)
      let second = try await two.screen.posted.next(within: Self.wait)
      let third = try await three.screen.posted.next(within: Self.wait)
      // The second desktop has no network, and its center ends: its answer is on the disk.
      two.stop()
      try await two.press(second)
      try await offPool { try two.stand.session.wait(for: #""action":"go""#, in: "history", "--json") }
      try await offPool { try two.stand.session.endCenter() }
      try await one.press(first)
      // Now the server has the first answer.
      #expect(try await three.screen.closed.next(within: Self.wait) == third.number)
      let back = try two.stand.startConnected()
      let told = try await two.screen.posted.next(within: Self.wait)
      #expect(told.summary == "Bell" && told.body.contains("already answered on "), "\(told)")
      // The others have the second answer before this message, and are told nothing of it.
      try await offPool { try two.stand.session.wait(for: #""sent":1"#, in: "link", "list", "--json") }
      try mosquitto.publish("Last", words: [("title", "Last"), ("id", "l1")])
      for desk in [one, three] { #expect(try await desk.screen.posted.next(within: Self.wait).summary == "Last") }
      #expect(LinkStand.stop(back) == 0, "\(back.errors)")
      for desk in [one, three] { desk.stop() }
    }
    server.kill()
  }

  @Test func `The answers of a category that keeps them stay here`() async throws {
    let mosquitto = try RealMosquitto()
    let server = try mosquitto.start()
    try await withLoop { loop in
      let one = try await Desk(mosquitto, on: loop, category: ["--local-answers"])
      let two = try await Desk(mosquitto, on: loop)
      for id in ["b1", "b2"] { try mosquitto.publish("The bell", words: [("title", id), ("id", id)]) }
      let mine = try await one.screen.posted.next(2, within: Self.wait)
      let theirs = try await two.screen.posted.next(2, within: Self.wait)
      try await one.press(mine[0])
      try await offPool { try one.stand.session.wait(for: #""action":"go""#, in: "history", "--json") }
      // The answers of the other one come, and the first of what is closed there is none of ours.
      try await two.press(theirs[1])
      #expect(try await one.screen.closed.next(within: Self.wait) { $0 == mine[1].number } == mine[1].number)
      #expect(!two.screen.closed.waiting.contains(theirs[0].number))
      for desk in [one, two] { desk.stop() }
    }
    server.kill()
  }
}
