// SPDX-License-Identifier: Apache-2.0
import DBus
import Foundation
import Glibc
import Suzu
import TestSupport
import Testing

@testable import CenterClient

/// Tests apps whose center, bus or own program ends and starts again.
@Suite(.onOwnThread, .timeLimit(.minutes(5))) struct AppRestartTests {
  @Test func `The app attaches to the next center by itself`() async throws {
    try await AppStand.run { stand in
      var responses = try await stand.app.responses().makeAsyncIterator()
      let asked = Inbox<RequestID>()
      try await stand.app.whenPresenting { request in
        asked.put(request.id)
        return [.alert, .sound, .badge]
      }
      for round in 0..<3 {
        try await stand.endCenter(round == 0 ? SIGTERM : SIGKILL)
        // The next one is started by this call.
        try await stand.watch()
        try await stand.server.press(stand.show(), "more")
        await responses.next()?.complete()
        #expect(try await stand.outcome() == .done)
        // The app has attached by now, and is in front again.
        while !asked.waiting.isEmpty { _ = try await asked.next() }
        try await stand.show("in front")
        #expect(try await asked.next() == "in front")
      }
    }
  }

  @Test func `A response that waits for its end survives the center, and the app may still tell`() async throws {
    try await AppStand.run { stand in
      var responses = try await stand.app.responses().makeAsyncIterator()
      try await stand.server.press(stand.show(), "more")
      let response = try #require(await responses.next())
      try await stand.endCenter()
      await response.complete()
      try await stand.watch()
      // What the center has recorded, it does not repeat.
      #expect(try await stand.last()?.outcome == .failed("interrupted"))
      try await stand.server.press(stand.show("next"), "more")
      #expect(await responses.next()?.id == "next")
    }
  }

  @Test func `The app finds a bus that has restarted`() async throws {
    let folder = try TemporaryFolder()
    let services = ["dev.suzu.Center": folder.path("suzud")]
    try await AppStand.run(in: folder) { stand in
      var responses = try await stand.app.responses().makeAsyncIterator()
      try await stand.app.takeName()
      let center = try #require(try stand.session.process(of: "dev.suzu.Center"))
      let news = try await stand.center.connection.use { connection throws(CallError) in await connection.events() }
      stand.session.bus.kill()
      // The first center would come back, too; with the second one, the order is known.
      kill(center, SIGKILL)
      let bus = try PrivateBus(services: services, environment: stand.session.environment, in: folder)
      #expect(bus.address.prefix { $0 != "," } == stand.session.bus.address.prefix { $0 != "," })
      let server = try await ScriptedServer.start(on: bus, stand.loop)
      for await event in news { if case .reconnected = event { break } }
      try await stand.watch()
      try await stand.app.notify("Tea", id: "tea", actions: AppStand.buttons)
      try await server.press(try await server.posted.next().number, "more")
      let response = try #require(await responses.next())
      #expect(response.id == "tea")
      await response.complete()
      #expect(try await stand.outcome() == .done)
      let probe = try await bus.connect(on: stand.loop)
      #expect(try await probe.owner(of: "org.example.Tea") != nil)
      await probe.close()
      await server.die()
    }
  }

  @Test(arguments: [("more", Outcome.done), ("fail", .failed("no water"))])
  func `A click starts a program that has ended, and hands it the response`(
    _ action: String, _ outcome: Outcome
  ) async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("", to: "tea")
    try await AppStand.run(
      services: ["org.example.Tea": Session.programs + "/tea-app"], variables: ["TEA_FILE": file], in: folder
    ) { stand in
      // At once again, while the program is about to end.
      for round in 1...10 {
        let number = try await stand.show()
        try await stand.server.emit(ScriptedServer.activationToken(number, "raise-me"))
        try await stand.server.press(number, action)
        let seen = try await stand.outcome()
        #expect(seen == outcome, "round \(round)")
        let line = "tea \(action) - raise-me\n"
        #expect(folder.read("tea") == String(repeating: line, count: round))
      }
      #expect(try await stand.last()?.outcome == outcome)
    }
  }
}
