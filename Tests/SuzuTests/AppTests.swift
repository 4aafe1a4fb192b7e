// SPDX-License-Identifier: Apache-2.0
import DBus
import Foundation
import Suzu
import Synchronization
import TestSupport
import Testing

@testable import CenterClient

/// Tests apps that handle what the user chooses, with the real center.
@Suite(.onOwnThread, .timeLimit(.minutes(5))) struct AppTests {
  // MARK: Responses

  @Test func `A click reaches the app, and its end the history`() async throws {
    try await AppStand.run { stand in
      var responses = try await stand.app.responses().makeAsyncIterator()
      let number = try await stand.show {
        $0.userInfo = ["kind": .text("green"), "cups": .integer(2)]
      }
      try await stand.server.emit(ScriptedServer.activationToken(number, "raise-me"))
      try await stand.server.press(number, "more")
      let response = try #require(await responses.next())
      #expect(response.id == "tea" && response.action == "more" && response.reply == nil)
      #expect(response.userInfo == ["kind": .text("green"), "cups": .integer(2)])
      #expect(response.activationToken == "raise-me")
      #expect(!response.isClickOnItself && !response.isDismissal)
      await response.complete()
      // The first end counts.
      await response.complete()
      await response.fail("late")
      #expect(try await stand.outcome() == .done)
      let last = try await stand.last()
      #expect(last?.outcome == .done && last?.action == "more")
    }
  }

  @Test func `A failure is told, and so is a response that was not ended`() async throws {
    try await AppStand.run { stand in
      var responses = try await stand.app.responses().makeAsyncIterator()
      try await stand.server.press(stand.show(), "fail")
      await responses.next()?.fail("no water")
      #expect(try await stand.outcome() == .failed("no water"))
      try await stand.server.press(stand.show(), "more")
      _ = await responses.next()
      #expect(try await stand.outcome() == .failed("the app did not say that it was done"))
    }
  }

  @Test func `Several tasks read different responses`() async throws {
    try await AppStand.run { stand in
      let responses = try await stand.app.responses()
      let seen = Inbox<String>()
      let readers = (0..<4).map { _ in
        Task {
          for await response in responses {
            seen.put(response.response.id)
            await response.complete()
          }
        }
      }
      var numbers: [UInt32] = []
      for index in 0..<16 { numbers.append(try await stand.show(RequestID(trusted: "tea \(index)"))) }
      for number in numbers { try await stand.server.press(number, "more") }
      let ids = try await seen.next(16)
      #expect(Set(ids).count == 16)
      for _ in ids { #expect(try await stand.outcome() == .done) }
      for reader in readers { reader.cancel() }
      for reader in readers { await reader.value }
      #expect(seen.waiting.isEmpty)
    }
  }

  @Test func `Two objects of the same app share its responses`() async throws {
    try await AppStand.run { stand in
      var first = try await stand.app.responses().makeAsyncIterator()
      let second = try await stand.center.app("org.example.Tea").responses()
      try await stand.server.press(stand.show(), "more")
      await first.next()?.complete()
      #expect(try await stand.outcome() == .done)
      // Nothing is left for the other one.
      let reading = Task {
        for await _ in second { return true }
        return false
      }
      reading.cancel()
      #expect(await reading.value == false)
    }
  }

  @Test func `Many tasks begin at once, and each response comes once`() async throws {
    try await AppStand.run { stand in
      let seen = Inbox<String>()
      let readers = (0..<20).map { index in
        Task {
          let app = stand.center.app("org.example.Tea")
          if index % 2 == 0 { try await app.takeName() }
          if index % 3 == 0 { try await app.whenPresenting { _ in [.alert] } }
          for await response in try await app.responses() {
            seen.put(response.response.id)
            await response.complete()
          }
        }
      }
      for index in 0..<10 {
        try await stand.server.press(stand.show(RequestID(trusted: "tea \(index)")), "more")
      }
      #expect(try await Set(seen.next(10)).count == 10)
      for reader in readers { reader.cancel() }
      for reader in readers { try await reader.value }
      #expect(seen.waiting.isEmpty)
    }
  }

  @Test func `A response waits for an app that does not read, and comes when it does`() async throws {
    try await AppStand.run { stand in
      do {
        _ = try await stand.app.responses()
      }
      // The sequence was released, which detaches the app: calls of one connection are handled in order.
      let number = try await stand.show()
      try await stand.server.press(number, "more")
      #expect(try await stand.outcome() == .waiting("app"))
      for await response in try await stand.app.responses() {
        #expect(response.action == "more")
        await response.complete()
        break
      }
      #expect(try await stand.outcome() == .done)
    }
  }

  @Test func `Closing the center ends the sequence, and later calls fail`() async throws {
    try await AppStand.run { stand in
      let responses = try await stand.app.responses()
      let reading = Task {
        for await _ in responses {}
        return true
      }
      await stand.center.close()
      #expect(await reading.value)
      let error = await #expect(throws: SuzuError.self) { try await stand.app.responses() }
      #expect(error?.code == .unavailable)
      await #expect(throws: SuzuError.self) { try await stand.app.takeName() }
      await #expect(throws: SuzuError.self) { try await stand.app.notify("Tea") }
    }
  }

  @MainActor @Test func `The main actor handles responses, on the program's own loop`() async throws {
    try await AppStand.run { stand in
      let center = try await Center.connect(toBus: stand.session.bus.address, on: stand.loop)
      let app = center.app("org.example.Tea")
      let handled = Task { @MainActor in
        for await response in try await app.responses() {
          MainActor.preconditionIsolated()
          await response.complete()
          return response.action
        }
        return ""
      }
      try await stand.server.press(stand.show(), "more")
      // The response waits until the app has attached.
      while try await stand.outcome() != .done {}
      #expect(try await handled.value == "more")
      await center.close()
    }
  }

  // MARK: In front

  @Test func `An app in front decides how its requests are shown`() async throws {
    try await AppStand.run { stand in
      let asked = Inbox<PresentedRequest>()
      try await stand.app.whenPresenting { request in
        asked.put(request)
        return request.id == "shown" ? [.alert] : []
      }
      try await stand.app.notify("Shown", id: "shown") { $0.sound = "bell" }
      #expect(try await asked.next().request.content.title == "Shown")
      #expect(try await stand.server.posted.next().summary == "Shown")
      try await stand.app.notify("Kept", id: "kept")
      #expect(try await asked.next().id == "kept")
      _ = try await stand.events.next { $0 == .closed(app: "org.example.Tea", id: "kept", reason: .presented) }
      try await stand.app.whenPresenting(nil)
      try await stand.app.notify("Behind", id: "behind")
      #expect(try await stand.server.posted.next().summary == "Behind")
      #expect(asked.waiting.isEmpty)
    }
  }

  // MARK: Pushes

  private static func push(_ stand: AppStand, _ body: String) async throws {
    try await stand.center.push(
      PushPayload([
        "aps": .dictionary([
          "alert": .dictionary(["title": .text("Tea"), "body": .text(body)]), "mutable-content": .integer(1),
        ])
      ]), to: stand.app.id)
  }

  @Test func `An app changes a push before it is shown, also at the next center`() async throws {
    try await AppStand.run { stand in
      let pushes = Inbox<PushedRequest>()
      try await stand.app.whenPushed { pushed in
        pushes.put(pushed)
        guard pushed.request.content.body == "secret" else { return }
        _ = try? await stand.app.notify("Tea", body: "decrypted", id: pushed.id)
      }
      try await Self.push(stand, "secret")
      let pushed = try await pushes.next()
      #expect(pushed.request.content.userInfo["aps"] != nil && pushed.limit > .seconds(29))
      #expect(try await stand.server.posted.next().body == "decrypted")
      try await Self.push(stand, "plain")
      #expect(try await pushes.next().request.content.body == "plain")
      #expect(try await stand.server.posted.next().body == "plain")
      try await stand.endCenter()
      try await stand.watch()
      // When this returns, the app is attached to the next center.
      let responses = try await stand.app.responses()
      try await Self.push(stand, "secret")
      _ = try await pushes.next()
      #expect(try await stand.server.posted.next { $0.body == "decrypted" }.summary == "Tea")
      try await stand.app.whenPushed(nil)
      try await Self.push(stand, "unchanged")
      #expect(try await stand.server.posted.next { $0.body == "unchanged" }.summary == "Tea")
      #expect(pushes.waiting.isEmpty)
      withExtendedLifetime(responses) {}
    }
  }

  // MARK: Names

  @Test func `The name of an app belongs to one program`() async throws {
    try await AppStand.run { stand in
      try await stand.app.takeName()
      try await stand.app.takeName()
      let other = try await Center.connect(toBus: stand.session.bus.address)
      let error = await #expect(throws: SuzuError.self) { try await other.app("org.example.Tea").takeName() }
      #expect(error?.code == .nameTaken)
      let wrong = await #expect(throws: SuzuError.self) { try await other.app("tea").takeName() }
      #expect(wrong?.code == .invalidRequest && wrong?.message.contains("'tea'") == true)
      await other.close()
    }
  }

  @Test func `An app that only owns its name gets responses and activations`() async throws {
    try await AppStand.run { stand in
      try await stand.app.takeName()
      try await stand.server.press(stand.show(), "more")
      // It came before anyone read.
      var responses = try await stand.app.responses().makeAsyncIterator()
      await responses.next()?.complete()
      #expect(try await stand.outcome() == .done)
      let tea = ["gdbus", "call", "--session", "-d", "org.example.Tea", "-o", "/org/example/Tea", "-m"]
      let calls = [
        ["Activate", "{'activation-token': <'t'>}"], ["Open", "['file:///a']", "{}"],
        ["ActivateAction", "brew", "[]", "{}"],
        // A response that does not come from the center is none.
        [
          "ActivateAction", "more",
          "[<{'response': <uint64 1>, 'app': <'org.example.Tea'>, 'id': <'tea'>, 'action': <'more'>}>]", "{}",
        ],
      ]
      for call in calls {
        let words = tea + ["org.freedesktop.Application." + call[0]] + call.dropFirst()
        let answer = try RunningProgram.run(words[0], Array(words.dropFirst()), environment: stand.session.environment)
        #expect(answer.status == 0, "\(answer.errors)")
      }
      let activated = Inbox<Activation>()
      stand.app.whenActivated { activated.put($0) }
      #expect(
        try await activated.next(4)
          == [
            Activation(.show, activationToken: "t"), Activation(.open(["file:///a"])), Activation(.action("brew")),
            Activation(.action("more")),
          ])
    }
  }

  // MARK: Errors

  @Test func `Without a bus or a center, one error says so`() async throws {
    let nowhere = await #expect(throws: SuzuError.self) { try await Center.connect(toBus: "unix:path=/nowhere/bus") }
    #expect(nowhere?.code == .noBus)
    let bus = try PrivateBus()
    let center = try await Center.connect(toBus: bus.address)
    let app = center.app("org.example.Tea")
    for error in [
      await #expect(throws: SuzuError.self) { try await app.notify("Tea") },
      await #expect(throws: SuzuError.self) { try await app.responses() },
      await #expect(throws: SuzuError.self) { try await app.whenPresenting { _ in [] } },
      await #expect(throws: SuzuError.self) { for try await _ in app.pendingRequests() {} },
    ] {
      #expect(error?.code == .noCenter, "\(error?.message ?? "")")
    }
    // This one needs no center.
    try await app.takeName()
    await center.close()
  }

  @Test func `A cancelled task submits nothing, and other calls go on`() async throws {
    try await AppStand.run { stand in
      let error = await Task { () -> SuzuError? in
        withUnsafeCurrentTask { $0?.cancel() }
        do throws(SuzuError) { try await stand.app.notify("Tea", at: .after(.hours(1)), id: "cancelled") } catch {
          return error
        }
        return nil
      }.value
      #expect(error?.code == .cancelled)
      try await stand.app.notify("Tea", at: .after(.hours(1)), id: "later")
      var ids: [String] = []
      for try await row in stand.app.pendingRequests() { ids.append(row.id) }
      #expect(ids == ["later"])
    }
  }

  @Test func `Values that no request can have are refused`() async throws {
    try await AppStand.run { stand in
      for schedule in [
        Schedule.after(.seconds(-5)), .after(.days(40_000)), .every(.minutes(-15)), .every(.minutes(1), count: 0),
        .weekly(on: [], at: "07:30"), .at(Date(timeIntervalSince1970: .infinity)), .at(.now - 120), .at(.distantPast),
      ] {
        let error = await #expect(throws: SuzuError.self) { try await stand.app.notify("Tea", at: schedule) }
        #expect(error?.code == .invalidRequest, "\(error?.message ?? "")")
      }
      let error = await #expect(throws: SuzuError.self) { try await stand.app.notify("") }
      #expect(error?.code == .invalidRequest)
    }
  }
}
