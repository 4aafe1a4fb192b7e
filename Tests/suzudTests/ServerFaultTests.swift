// SPDX-License-Identifier: Apache-2.0
import CenterContract
import DBus
import EventLoop
import Foundation
import Freedesktop
import Synchronization
import TestSupport
import Testing

@testable import suzud

/// Tests the center with a notification server that is absent, refuses, hangs or dies.
@Suite(.timeLimit(.minutes(2)))
struct ServerFaultTests {
  /// Short limits for tests. A test that must not reach them uses the default ones.
  static var brief: Timeouts {
    var timeouts = Timeouts()
    timeouts.server.posting = .milliseconds(1500)
    timeouts.server.asking = .milliseconds(500)
    timeouts.server.askingAgain = .milliseconds(50)
    timeouts.pauses.probe = .milliseconds(50)
    timeouts.pauses.first = .milliseconds(5)
    timeouts.pauses.longest = .milliseconds(20)
    return timeouts
  }

  /// Several at once: none is answered before all have been sent.
  private static func notify(_ ids: [String], on stand: CenterStand) async throws {
    for id in ids {
      let request: [String: Value] = ["app": "test", "id": .string(id), "title": .string(id)]
      try await stand.client.post(
        MethodCall(
          to: CenterBus.name, CenterBus.path, CenterBus.interface, "Notify", [.properties(request)]))
    }
  }

  // MARK: Absent

  @Test func `Requests wait without a server, and are shown in order when one appears`() async throws {
    try await CenterStand.run { stand in
      let ids = (0..<200).map { "\($0)" }
      for id in ids { try await stand.notify(id) }
      #expect(try await stand.property("PendingCount") == .uint32(200))
      let server = try await stand.server()
      #expect(try await server.posted.next(200).map(\.summary) == ids)
      #expect(try await stand.next(200) == ids.map { "Delivered \($0)" })
      #expect(try await stand.property("PendingCount") == .uint32(0))
    }
  }

  @Test func `The bus is asked to start a server only when there is a request to show`() async throws {
    let folder = try TemporaryFolder()
    let pipe = folder.path("started")
    mkfifo(pipe, 0o600)
    let script = try folder.write("#!/bin/sh\necho started >\(pipe)\n", to: "server", executable: true)
    try await CenterStand.run(services: ["org.freedesktop.Notifications": script], in: folder) { stand in
      let reader = try RunningProgram("cat", [pipe], environment: [:])
      #expect(try await stand.property("Server") == "")
      try await stand.notify("a")
      #expect(reader.readLine() == "started")
      let server = try await stand.server()
      #expect(try await server.posted.next().summary == "a")
      #expect(try await stand.next(1) == ["Delivered a"])
    }
  }

  // MARK: Refusing

  @Test(
    arguments: [
      (
        "Notification Daemon", "3.20.0", "org.freedesktop.Notifications.MaxNotificationsExceeded",
        "Exceeded maximum number of notifications"
      ),
      (
        "Notification Daemon", "1.26.0",
        "org.gtk.GDBus.UnmappedGError.Quark._notification_2ddaemon_2derror_2dquark.Code1", "Exceeded maximum number"
      ),
      (
        "Plasma", "5.27.5", "org.freedesktop.Notifications.Error.ExcessNotificationGeneration",
        "Created too many similar notifications"
      ),
    ] as [(String, String, ErrorName, String)])
  func `Requests refused for the moment are tried again, in order`(
    server: String, version: String, name: ErrorName, text: String
  ) async throws {
    try await CenterStand.run(timeouts: Self.brief) { stand in
      let rounds = Atomic<Int>(0)
      let server = try await stand.server(name: server, version: version) { posted in
        // The first one leads each round. A refused notification gets fewer than eight rounds.
        if posted.summary == "0" { rounds.wrappingAdd(1, ordering: .relaxed) }
        return rounds.load(ordering: .relaxed) <= 8 ? .refuse(name, text) : .number
      }
      let ids = (0..<100).map { "\($0)" }
      try await Self.notify(ids, on: stand)
      #expect(try await stand.next(100) == ids.map { "Delivered \($0)" })
      #expect(server.posted.waiting.suffix(100).map(\.summary) == ids)
    }
  }

  // An answer without a number was once followed by another call from within it, for ever.
  @Test(arguments: [
    ScriptedServer.Answer.refuse(.failed, "no"), .refuse("System.Error.ENXIO", "Odd number of actions"),
    .values([]), .values(["1"]), .values([.int32(1)]), .values([.variant(.uint32(1))]),
  ])
  func `A request that the server never accepts ends with an event, and the rest is shown`(
    answer: ScriptedServer.Answer
  ) async throws {
    try await CenterStand.run(timeouts: Self.brief) { stand in
      let server = try await stand.server { $0.summary == "bad" ? answer : .number }
      try await Self.notify(["bad", "good"], on: stand)
      #expect(try await stand.next(2) == ["Delivered good", "Closed bad failed"])
      #expect(try await server.posted.next(6).count { $0.summary == "bad" } == 5)
      #expect(try await stand.property("PendingCount") == .uint32(0))
    }
  }

  // MARK: Hanging

  @Test func `Other requests wait while a server hangs, and its late answer counts`() async throws {
    try await CenterStand.run(timeouts: Self.brief) { stand in
      let server = try await stand.server { _ in .hold }
      _ = try await server.questions.next(2)  // what it is asked at first
      await server.setAnswers(questions: false)
      try await stand.notify("a")
      #expect(try await server.posted.next().summary == "a")
      // The probe proves that its time limit has passed.
      _ = try await server.questions.next()
      try await stand.notify("b")
      _ = try await server.questions.next()
      #expect(server.posted.waiting.isEmpty)
      #expect(try await stand.property("PendingCount") == .uint32(2))

      await server.releaseFirst()
      #expect(try await stand.next(1) == ["Delivered a"])
      await server.follow { _ in .number }
      await server.setAnswers()
      await server.release()
      #expect(try await server.posted.next().summary == "b")
      #expect(try await stand.next(1) == ["Delivered b"])
      try await server.press(1, "default")
      #expect(try await stand.next(1) == ["Responded a default"])
    }
  }

  // Once, the first late answer released the next post, whose own late answer was still to come.
  @Test func `A server that answers late is sent no request twice`() async throws {
    try await CenterStand.run(timeouts: Self.brief) { stand in
      let server = try await stand.server { _ in .hold }
      _ = try await server.questions.next(2)
      await server.setAnswers(questions: false)
      try await Self.notify(["a", "b", "c"], on: stand)
      #expect(try await server.posted.next(3).map(\.summary) == ["a", "b", "c"])
      _ = try await server.questions.next()
      for id in ["a", "b", "c"] {
        await server.releaseFirst()
        #expect(try await stand.next(1) == ["Delivered \(id)"])
        #expect(server.posted.waiting.isEmpty)
      }
      await server.follow { _ in .number }
      await server.setAnswers()
      await server.release()
      try await stand.notify("d")
      #expect(try await server.posted.next().summary == "d")
    }
  }

  // The loop read the answers in the turn in which the time limit passed, before it resumed the failed calls.
  @Test func `An answer that comes with the time limit counts`() async throws {
    try await CenterStand.run(timeouts: Self.brief) { stand in
      try await withLoop { own in
        let server = try await stand.server(on: own) { _ in .hold }
        try await Self.notify(["a", "b"], on: stand)
        #expect(try await server.posted.next(2).map(\.summary) == ["a", "b"])
        await server.follow { _ in .number }
        // The turn lasts until the limit has passed and the answers are there.
        try await stand.whileBusy {
          // A sleep is meant: the time limit, on a real clock. The loop that would report its end is held.
          try await own.sleep(for: Self.brief.server.posting)
          await server.release()
          // The bus has passed on the answers once it answers a later call of the same peer.
          try await server.reach(.bus)
        }
        #expect(try await stand.next(2) == ["Delivered a", "Delivered b"])
        try await stand.notify("c")
        #expect(try await stand.next(1) == ["Delivered c"])
        #expect(try await server.posted.next().summary == "c")
        #expect(server.posted.waiting.isEmpty)
      }
    }
  }

  // Each post had a task of its own. One that was about to wait found its answer before those that waited were resumed.
  @Test func `Answers that are read together count in their order`() async throws {
    try await CenterStand.run { stand in
      try await withLoop { own in
        let server = try await stand.server(on: own)
        let ids = (1...6).map { "\($0)" }
        let isOver = DispatchSemaphore(value: 0)
        defer { isOver.signal() }
        own.perform { isOver.wait() }
        for id in ids.prefix(3) { try await stand.notify(id) }
        await stand.center.holdPosts()
        for id in ids.suffix(3) { try await stand.notify(id) }
        try await stand.settle()
        // The center posts the rest, and reads all answers before it does anything else.
        try await stand.whileBusy {
          $0.screenSide.poster.release()
          $0.screenSide.poster.post()
        } _: {
          isOver.signal()
          #expect(try await server.posted.next(6).map(\.summary) == ids)
          // A loop that was busy for so long reads next. Meanwhile, the bus passes on the answers.
          let end = ContinuousClock.now + .milliseconds(25)
          repeat { try await server.reach(.bus) } while ContinuousClock.now < end
        }
        #expect(try await stand.next(6) == ids.map { "Delivered \($0)" })
      }
    }
  }

  @Test func `A request that a hung server never answers is shown by the next server`() async throws {
    try await CenterStand.run(timeouts: Self.brief) { stand in
      let first = try await stand.server { _ in .hold }
      _ = try await first.questions.next(2)
      await first.setAnswers(questions: false)
      try await Self.notify(["a", "b"], on: stand)
      _ = try await first.questions.next()
      await first.die()
      let second = try await stand.server()
      #expect(try await second.posted.next(2).map(\.summary) == ["a", "b"])
      #expect(try await stand.next(2) == ["Delivered a", "Delivered b"])
    }
  }

  // Once, each click waited for the close of the one before, and could be repeated meanwhile.
  @Test func `A server that hangs in CloseNotification delays no click, and none counts twice`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      for id in ["a", "b"] { try await stand.notify(id, ["actions": actions(action("yes"))]) }
      _ = try await stand.next(2)
      await server.setAnswers(closes: false)
      try await server.press(1, "yes")
      try await server.press(2, "yes")
      let lines = try await stand.next(6)
      #expect(
        lines.filter { !$0.hasPrefix("Outcome") } == [
          "Responded a yes", "Closed a withdrawn", "Responded b yes", "Closed b withdrawn",
        ])
      await #expect(throws: CallError.self) { try await stand.respond("a", "yes") }
      await server.release()
    }
  }

  @Test func `A new server is asked for its capabilities until it answers`() async throws {
    try await CenterStand.run(timeouts: Self.brief) { stand in
      let server = try await ScriptedServer.start(on: stand.bus, stand.loop, answersQuestions: false)
      try await stand.notify("a")
      _ = try await server.questions.next(3)
      #expect(server.posted.waiting.isEmpty)
      await server.setAnswers()
      await server.release()
      #expect(try await server.posted.next().summary == "a")
    }
  }

  // It once went unnoticed.
  @Test func `A server that knows only Notify can be used`() async throws {
    var timeouts = Self.brief
    timeouts.server.refusing = .milliseconds(100)
    try await CenterStand.run(timeouts: timeouts) { stand in
      let server = try await ScriptedServer.start(on: stand.bus, stand.loop, describesItself: false)
      try await stand.notify("a", ["actions": actions(action("yes"))])
      let posted = try await server.posted.next()
      #expect(posted.summary == "a" && posted.actions == [])
    }
  }

  // GNOME Shell owns its name before it answers queries; it once counted as a server without buttons until it ended.
  @Test func `A new server that refuses its first query is asked again before a request is shown`() async throws {
    try await CenterStand.run(timeouts: Self.brief) { stand in
      let server = try await ScriptedServer.start(on: stand.bus, stand.loop, refusedQuestions: 4)
      try await stand.notify("a", ["actions": actions(action("yes"))])
      #expect(try await server.posted.next().keys == ["default", "yes"])
    }
  }

  // MARK: Dying

  // Open calls were once posted to the dead server again and again, from within their own failure.
  @Test func `Requests on their way to a server that died go to the next one, in order`() async throws {
    try await CenterStand.run { stand in
      let first = try await stand.server { $0.summary == "99" ? .die : .hold }
      let ids = (0..<200).map { "\($0)" }
      try await Self.notify(Array(ids.prefix(50)), on: stand)
      _ = try await first.posted.next(50)
      try await Self.notify(Array(ids.dropFirst(50)), on: stand)
      _ = try await first.posted.next(14)
      await first.die()
      let second = try await stand.server()
      #expect(try await second.posted.next(200).map(\.summary) == ids)
      #expect(try await stand.next(200) == ids.map { "Delivered \($0)" })
    }
  }

  @Test func `A server that ends in the middle of a call is followed by the next`() async throws {
    try await CenterStand.run { stand in
      _ = try await stand.server { _ in .die }
      try await stand.notify("a")
      let owner = try await stand.client.owners(of: ScriptedServer.busName)
      for await name in owner where name == nil { break }
      let second = try await stand.server()
      #expect(try await second.posted.next().summary == "a")
      #expect(try await stand.next(1) == ["Delivered a"])
    }
  }

  @Test func `After a server restart alerts are shown again silently, banners are closed, and old numbers are void`()
    async throws
  {
    try await CenterStand.run { stand in
      let first = try await stand.server()
      try await stand.notify("alert", ["style": "alert", "actions": actions(action("yes"))])
      try await stand.notify("banner", ["actions": actions(action("yes"))])
      try await stand.notify("second alert", ["style": "alert"])
      let shown = try await first.posted.next(3)
      #expect(shown.allSatisfy { $0.hints["suppress-sound"] == nil })
      #expect(shown.map(\.timeout) == [0, -1, 0])
      _ = try await stand.next(3)
      await first.die()
      #expect(try await stand.next(1) == ["Closed banner vanished"])

      let second = try await stand.server()
      let again = try await second.posted.next(2)
      #expect(again.map(\.summary) == ["alert", "second alert"])
      #expect(again.map(\.number) == [1, 2])
      #expect(again.allSatisfy { $0.replaces == 0 && $0.hints["suppress-sound"] == true })
      #expect(try await stand.next(2) == ["Delivered alert", "Delivered second alert"])
      // 2 was the banner's number; only the dead server gave 3.
      try await second.press(2, "yes")
      try await second.press(3, "default")
      try await second.press(1, "yes")
      #expect(try await stand.next(2) == ["Responded alert yes", "Closed alert withdrawn"])
    }
  }

  @Test func `The last signals of a dying server count`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      let ids = (1...50).map { "\($0)" }
      for id in ids { try await stand.notify(id) }
      _ = try await stand.next(50)
      for number: UInt32 in 1...50 { try await server.press(number, "default") }
      await server.die()
      var responses: [String] = []
      while responses.count < 50 {
        let line = try await stand.next(1)[0]
        if line.hasPrefix("Responded") { responses.append(line) }
        #expect(!line.hasSuffix("vanished"), "\(line)")
      }
      #expect(responses == ids.map { "Responded \($0) default" })
    }
  }

  @Test func `An answer of the previous server has no effect once another owns the name`() async throws {
    try await CenterStand.run { stand in
      let first = try await stand.server { _ in .hold }
      let second = try await ScriptedServer.start(on: stand.bus, stand.loop, firstNumber: 100, ownsName: false)
      try await stand.notify("a", clickable)
      _ = try await first.posted.next()
      try await first.dropName()
      try await second.takeName()
      _ = try await second.questions.next(2)
      await first.release()
      #expect(try await second.posted.next().number == 100)
      #expect(try await stand.next(1) == ["Delivered a"])
      try await first.press(1, "default")
      try await second.press(100, "default")
      #expect(try await stand.next(2) == ["Responded a default", "Closed a withdrawn"])
    }
  }

  // MARK: Many

  @Test func `Ten thousand requests at once are posted in order, each once`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      let ids = (0..<10_000).map { "\($0)" }
      try await Self.notify(ids, on: stand)
      #expect(try await server.posted.next(10_000, within: .seconds(60)).map(\.summary) == ids)
      #expect(try await stand.events.next(10_000, within: .seconds(60)) == ids.map { "Delivered \($0)" })
      #expect(server.posted.waiting.isEmpty)
    }
  }
}

extension CenterService {
  fileprivate func holdPosts() { screenSide.poster.hold() }
}
