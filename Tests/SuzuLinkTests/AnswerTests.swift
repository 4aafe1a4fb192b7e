// SPDX-License-Identifier: Apache-2.0
import EventLoop
import TestSupport
import Testing

/// Tests answers that go back: desktops, each with its bus, its center and its suzu-link, and a real server.
@Suite(.onOwnThread, .timeLimit(.minutes(3)))
struct AnswerTests {
  private static let wait = Duration.seconds(20)

  @Test(arguments: AnswerServerKind.possible)
  func `An answer on one desktop takes the notification down on the other, which records where`(
    kind: AnswerServerKind
  ) async throws {
    let server = try kind.make()
    let running = try server.start()
    try await withLoop { loop in
      let one = try await AnswerDesk(server.address, on: loop)
      let two = try await AnswerDesk(server.address, on: loop)
      try server.send("Bell", id: "b1")
      let first = try await one.screen.posted.next(within: Self.wait)
      let second = try await two.screen.posted.next(within: Self.wait)
      try await one.press(first)
      #expect(try await two.screen.closed.next(within: Self.wait) == second.number)
      let name = try one.stand.session.run("hostname").output.dropLast()
      try await offPool {
        try two.stand.session.wait(for: #""reason":"answered on \#(name)""#, in: "history", "--json")
        try one.stand.session.wait(for: #""action":"go""#, in: "history", "--json")
      }
      try server.send("Last", id: "l1")
      // No answer came second, and the own one tells nothing.
      for desk in [one, two] { #expect(try await desk.screen.posted.next(within: Self.wait).summary == "Last") }
      for desk in [one, two] { desk.stop() }
    }
    running.kill()
  }

  @Test(arguments: AnswerServerKind.possible)
  func `Of two answers the first that the server has wins, and the other desktop is told`(
    kind: AnswerServerKind
  ) async throws {
    let server = try kind.make()
    let running = try server.start()
    try await withLoop { loop in
      let one = try await AnswerDesk(server.address, on: loop)
      let two = try await AnswerDesk(server.address, on: loop)
      let three = try await AnswerDesk(server.address, on: loop)
      try server.send("Bell", id: "b1")
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
      try server.send("Last", id: "l1")
      for desk in [one, three] { #expect(try await desk.screen.posted.next(within: Self.wait).summary == "Last") }
      #expect(LinkStand.stop(back) == 0, "\(back.errors)")
      for desk in [one, three] { desk.stop() }
    }
    running.kill()
  }

  @Test func `With MQTT, a new desktop does not show the state of a topic that was answered`() async throws {
    let mosquitto = try RealMosquitto()
    let server = try mosquitto.start()
    try await withLoop { loop in
      let one = try await AnswerDesk(mosquitto.address, on: loop)
      let two = try await AnswerDesk(mosquitto.address, on: loop)
      try mosquitto.publish("The door", "-r", words: [("title", "Door"), ("id", "d1")])
      _ = try await one.screen.posted.next(within: Self.wait)
      try await two.press(try await two.screen.posted.next(within: Self.wait))
      _ = try await one.screen.closed.next(within: Self.wait)
      let late = try await AnswerDesk(mosquitto.address, on: loop)
      try mosquitto.send("Last", id: "l1")
      #expect(try await late.screen.posted.next(within: Self.wait).summary == "Last")
      for desk in [one, two, late] { desk.stop() }
    }
    server.kill()
  }

  @Test(.enabled(if: RealNtfy.isPossible, "no real server of ntfy"))
  func `With ntfy, a desktop that was off does not show what was answered meanwhile`() async throws {
    let ntfy = try RealNtfy()
    let server = try ntfy.start()
    try await withLoop { loop in
      let one = try await AnswerDesk(ntfy.address, on: loop)
      let late = try await AnswerDesk(ntfy.address, on: loop)
      late.stop()
      try ntfy.send("Bell", id: "")
      try await one.press(try await one.screen.posted.next(within: Self.wait))
      try await offPool { try one.stand.session.wait(for: #""sent":1"#, in: "link", "list", "--json") }
      try ntfy.send("Last", id: "")
      let back = try late.stand.startConnected()
      #expect(try await late.screen.posted.next(within: Self.wait).summary == "Last")
      #expect(LinkStand.stop(back) == 0, "\(back.errors)")
      one.stop()
    }
    server.kill()
  }

  @Test func `The answers of a category that keeps them stay here`() async throws {
    let mosquitto = try RealMosquitto()
    let server = try mosquitto.start()
    try await withLoop { loop in
      let one = try await AnswerDesk(mosquitto.address, on: loop, category: ["--local-answers"])
      let two = try await AnswerDesk(mosquitto.address, on: loop)
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
