// SPDX-License-Identifier: Apache-2.0
import CenterContract
import DBus
import EventLoop
import NotificationModel
import Synchronization
import TestSupport
import Testing

@testable import suzud

/// Tests pushes with `mutable-content`, which their app may change before they are shown.
@Suite(.timeLimit(.minutes(2)))
struct PushChangesTests {
  /// An app that is asked about its pushes, and returns when the test tells it to; `asked` receives their ids.
  private final class App: Sendable {
    let app: String
    let connection: Connection
    let asked = Inbox<String>()
    let limits = Inbox<UInt32>()
    let presented = Inbox<String>()
    private let held = Mutex<[String: CheckedContinuation<Bool, Never>]>([:])

    init(_ stand: CenterStand, app: String = "test", as connection: Connection? = nil) async throws {
      self.app = app
      self.connection =
        if let connection { connection } else { try await stand.bus.connect(on: stand.loop) }
      let methods = [
        Method(HandlerBus.changePush) { [self] _, _, id, words, limit, _ in
          limits.put(limit)
          if await hold(id, words["body"]?.string ?? "") { throw RemoteError(.failed, "it went wrong") }
        },
        Method(HandlerBus.willPresent) { [self] _, _, id, words, _ in
          presented.put("\(id) \(words["body"]?.string ?? "")")
          return ["alert"]
        },
      ]
      try await self.connection.export(Interface(HandlerBus.interface, methods: methods), at: HandlerBus.path)
      try await attach(stand)
    }

    func attach(_ stand: CenterStand) async throws {
      try await stand.call("Attach", [.string(app)], as: connection)
      try await stand.call("ChangesPushes", [.string(app), true], as: connection)
    }

    private func hold(_ id: String, _ body: String) async -> Bool {
      await withCheckedContinuation { continuation in
        held.withLock { $0[id + body] = continuation }
        asked.put("\(id) \(body)")
      }
    }

    func answer(_ id: String, body: String = "Original", fails: Bool = false) {
      held.withLock { $0.removeValue(forKey: id + body) }?.resume(returning: fails)
    }

    /// Submits a request in the place of the push.
    func change(_ id: String, _ stand: CenterStand) async throws {
      try await stand.call(
        "Notify",
        [
          .properties([
            "app": .string(app), "id": .string(id), "title": "Message", "body": "Changed",
            "userInfo": .properties(["aps": .properties(["mutable-content": .int64(1)])]),
          ])
        ], as: connection)
    }
  }

  private static func aps(_ body: String = "Original") -> [String: Value] {
    [
      "alert": .properties(["title": "Message", "body": .string(body)]),
      "mutable-content": .int64(1),
    ]
  }

  private static func limited(_ limit: Duration) -> Timeouts {
    var timeouts = Timeouts.usual
    timeouts.changing = limit
    return timeouts
  }

  // MARK: The answer of the app

  @Test func `The request of the app takes the place of a push`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      let app = try await App(stand)
      let id = try await stand.push(Self.aps())
      #expect(try await app.asked.next() == "\(id) Original")
      #expect(30_000...33_000 ~= (try await app.limits.next()))
      #expect(try await stand.property("PendingCount") == .uint32(1))
      try await app.change(id, stand)
      app.answer(id)
      #expect(try await server.posted.next().body == "Changed")
      #expect(try await stand.next(2) == ["Closed \(id) replaced", "Delivered \(id)"])
      #expect(try await stand.history(id).map { $0["reason"]?.string } == [nil, "replaced"])
      try await stand.settle()
      // Neither is the original shown, nor is the app asked about its own request.
      #expect(server.posted.waiting.isEmpty && app.asked.waiting.isEmpty)
    }
  }

  enum Ending: CaseIterable {
    case returns, fails, leaves, late
  }

  @Test(arguments: Ending.allCases)
  func `A push is shown as it came if its app does not change it`(ending: Ending) async throws {
    try await CenterStand.run(timeouts: Self.limited(ending == .late ? .milliseconds(300) : .seconds(60))) { stand in
      let server = try await stand.server()
      let app = try await App(stand)
      let id = try await stand.push(Self.aps())
      #expect(try await app.asked.next() == "\(id) Original")
      switch ending {
      case .returns: app.answer(id)
      case .fails: app.answer(id, fails: true)
      case .leaves: await app.connection.close()
      case .late: break
      }
      #expect(try await server.posted.next().body == "Original")
      #expect(try await stand.next(1) == ["Delivered \(id)"])
      app.answer(id)
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
    }
  }

  @Test func `Other requests and pushes do not wait for the app`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      let app = try await App(stand)
      try await stand.push(["alert": "plain"])
      try await stand.push(["alert": "zero", "mutable-content": .int64(0)])
      let aps = Value.properties(Self.aps())
      try await stand.notify("own", ["body": "own", "userInfo": .properties(["aps": aps])])
      #expect(try await server.posted.next(3).map(\.body) == ["plain", "zero", "own"])
      // Only the number is changed: there is nothing to show.
      try await stand.push(["badge": .int64(1), "mutable-content": .int64(1)])
      // Another app is not asked.
      let payload: Value = .properties(["aps": aps])
      try await stand.call("Push", ["other", payload, .properties([:])])
      #expect(try await server.posted.next().body == "Original")
      try await stand.call("ChangesPushes", ["test", false], as: app.connection)
      try await stand.push(Self.aps("after"))
      #expect(try await server.posted.next().body == "after")
      try await stand.call("ChangesPushes", ["test", true], as: app.connection)
      try await stand.call("Detach", ["test"], as: app.connection)
      try await stand.push(Self.aps("detached"))
      #expect(try await server.posted.next().body == "detached")
      #expect(app.asked.waiting.isEmpty)
    }
  }

  @Test func `Only the handler of an app may change its pushes`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      let other = try await stand.bus.connect(on: stand.loop)
      await #expect(throws: CallError.self) { try await stand.call("ChangesPushes", ["test", true], as: other) }
      let app = try await App(stand)
      await #expect(throws: CallError.self) { try await stand.call("ChangesPushes", ["test", true], as: other) }
      // It cannot take back what another one has said.
      try await stand.call("ChangesPushes", ["test", false], as: other)
      let id = try await stand.push(Self.aps())
      #expect(try await app.asked.next() == "\(id) Original")
      app.answer(id)
      #expect(try await server.posted.next().body == "Original")
    }
  }

  @Test(arguments: ["Cancel", "Dismiss"] as [MemberName])
  func `A push withdrawn while its app is asked is not shown`(member: MemberName) async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      let app = try await App(stand)
      let id = try await stand.push(Self.aps(), options: ["collapse": "a"])
      #expect(try await app.asked.next() == "a Original")
      #expect(try await stand.count(member, [id]) == 1)
      #expect(try await stand.next(1) == ["Closed a cancelled"])
      app.answer("a")
      try await stand.notify("b")
      #expect(try await server.posted.next().summary == "b")
    }
  }

  @Test func `The newer of two pushes with one id is shown, whichever is answered first`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      let app = try await App(stand)
      for body in ["old", "new"] {
        try await stand.push(Self.aps(body), options: ["collapse": "a"])
        #expect(try await app.asked.next() == "a \(body)")
      }
      app.answer("a", body: "new")
      #expect(try await server.posted.next().body == "new")
      app.answer("a", body: "old")
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
      #expect(try await stand.history("a").map { $0["reason"]?.string } == [nil, "replaced"])
    }
  }

  @Test func `An app in front is asked how to show what it has not changed`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      let app = try await App(stand)
      try await stand.call("InFront", ["test", true], as: app.connection)
      let id = try await stand.push(Self.aps())
      _ = try await app.asked.next()
      app.answer(id)
      #expect(try await app.presented.next() == "\(id) Original")
      #expect(try await server.posted.next().body == "Original")
      let other = try await stand.push(Self.aps())
      _ = try await app.asked.next()
      try await app.change(other, stand)
      #expect(try await app.presented.next() == "\(other) Changed")
      app.answer(other)
      #expect(try await server.posted.next().body == "Changed")
    }
  }

  // MARK: Limits

  @Test func `Only so many pushes wait for apps`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      let app = try await App(stand)
      var ids: [String] = []
      for _ in 0..<PushChanges.mostWaiting { ids.append(try await stand.push(Self.aps())) }
      _ = try await app.asked.next(ids.count)
      try await stand.push(Self.aps("too many"))
      #expect(try await server.posted.next().body == "too many")
      for id in ids { app.answer(id) }
      _ = try await server.posted.next(ids.count)
      let id = try await stand.push(Self.aps())
      #expect(try await app.asked.next() == "\(id) Original")
      app.answer(id)
      _ = try await server.posted.next()
    }
  }

  @Test func `A push is shown as it came if the center ends while the app is asked`() async throws {
    let home = try TemporaryFolder()
    let number = try await CenterStand.push(home)
    try await CenterStand.run(home: home) { stand in
      let server = try await stand.server()
      #expect(try await server.posted.next().body == "Original")
      #expect(try await stand.push(Self.aps(), options: ["id": "m"]) == number)
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
    }
  }

  @Test func `A sandboxed app is not asked about what others push to it`() async throws {
    try await BoxStand.run { box in
      let server = try await box.stand.server()
      let app = try await App(box.stand, app: BoxStand.app, as: box.boxed)
      let payload: Value = .properties(["aps": .properties(Self.aps())])
      try await box.stand.call("Push", [.string(BoxStand.app), payload, .properties([:])])
      #expect(try await server.posted.next().body == "Original")
      #expect(app.asked.waiting.isEmpty)
      let id = try await box.call("Push", [.string(BoxStand.app), payload, .properties([:])]).first?.string ?? ""
      #expect(try await app.asked.next() == "\(id) Original")
      try await app.change(id, box.stand)
      app.answer(id)
      #expect(try await server.posted.next().body == "Changed")
    }
  }

  // MARK: Starting the app

  private static func desktop(_ start: @escaping @Sendable (String) -> Desktop.Apps.Start) -> Desktop {
    var desktop = Desktop.unlocked
    desktop.apps.changesPushes = { $0 == "test" }
    desktop.apps.start = { start($0) }
    return desktop
  }

  @Test func `The bus starts an app whose desktop entry says that it changes pushes, once for several`() async throws {
    let started = Inbox<String>()
    let desktop = Self.desktop {
      started.put($0)
      return .started
    }
    try await CenterStand.run(desktop: desktop) { stand in
      let server = try await stand.server()
      let ids = [try await stand.push(Self.aps()), try await stand.push(Self.aps())]
      #expect(try await started.next() == "test")
      let app = try await App(stand)
      #expect(try await app.asked.next(2) == ids.map { "\($0) Original" })
      try await app.change(ids[1], stand)
      app.answer(ids[1])
      #expect(try await server.posted.next().body == "Changed")
      app.answer(ids[0])
      #expect(try await server.posted.next().body == "Original")
      #expect(started.waiting.isEmpty)
      // A program that runs and does not change pushes is not started.
      try await stand.call("ChangesPushes", ["test", false], as: app.connection)
      try await stand.push(Self.aps("running"))
      #expect(try await server.posted.next().body == "running")
      // One that has ended is started again.
      await app.connection.close()
      try await stand.push(Self.aps("again"))
      #expect(try await started.next() == "test")
    }
  }

  @Test(arguments: [.started, .failed, .runs] as [Desktop.Apps.Start])
  func `A push is shown as it came if the app cannot be started, or does not attach`(
    start: Desktop.Apps.Start
  ) async throws {
    var timeouts = Self.limited(start == .started ? .milliseconds(200) : .seconds(60))
    // A program that runs is about to attach, or to end.
    timeouts.presenting = .milliseconds(200)
    try await CenterStand.run(timeouts: timeouts, desktop: Self.desktop { _ in start }) { stand in
      let server = try await stand.server()
      for body in ["one", "two"] {
        try await stand.push(Self.aps(body))
        #expect(try await server.posted.next().body == body)
      }
    }
  }
}

extension CenterStand {
  /// Pushes to an app that never answers, and ends the center meanwhile; returns the id of the request.
  fileprivate static func push(_ home: TemporaryFolder) async throws -> String {
    let ids = Inbox<String>()
    let desktop = { () -> Desktop in
      var desktop = Desktop.unlocked
      desktop.apps.changesPushes = { _ in true }
      desktop.apps.start = { _ in .started }
      return desktop
    }()
    try await run(home: home, desktop: desktop) { stand in
      let server = try await stand.server()
      ids.put(
        try await stand.push(
          [
            "alert": .properties(["title": "Message", "body": "Original"]), "mutable-content": .int64(1),
          ], options: ["id": "m"]))
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
    }
    return try await ids.next()
  }
}
