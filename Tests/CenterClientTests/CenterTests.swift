// SPDX-License-Identifier: Apache-2.0
import CenterClient
import DBus
import EventLoop
import Foundation
import NotificationModel
import TestSupport
import Testing

/// Tests the calls of the client library, their errors and the end of its connection.
@Suite(.timeLimit(.minutes(1))) struct CenterTests {
  static func tea() throws -> NotificationRequest {
    try NotificationRequest(app: "org.example.Tea", title: "Tea", schedule: .in(.seconds(90))) {
      $0.actions = [Action(id: "more", title: "More", effect: .run(["echo", "a"]))]
      $0.userInfo = ["list": .list([.integer(1), .text("a")])]
    }
  }

  // MARK: Asking

  @Test func `A request arrives with the keys of the vocabulary`() async throws {
    try await withCenter { _, fake, center in
      #expect(try await center.notify(Self.tea()) == "made-up")
      let request = try #require(fake.asked.first)
      #expect(request[0] == "Notify")
      #expect(request[1].properties?["in"] == "1m30s")
      #expect(try ValueDecoder().decode(NotificationRequest.self, from: request[1]) == Self.tea())
      // What no request could be is for the center to refuse.
      #expect(try await center.notify(["titel": .text("Tea"), "n": .list([])]) == "made-up")
      #expect(fake.asked.last?[1] == .properties(["titel": "Tea", "n": .array(of: .variant, [])]))
    }
  }

  @Test func `Cancel, dismiss and respond arrive with their arguments`() async throws {
    try await withCenter { _, fake, center in
      #expect(try await center.cancel(app: "a") == 2)
      #expect(try await center.cancel(app: "a", ids: ["1", "2"]) == 2)
      #expect(try await center.dismiss(app: "a", ids: ["1"]) == 3)
      try await center.respond(app: "a", id: "1", action: "more")
      try await center.respond(app: "a", id: "1", action: "answer", reply: "with milk")
      #expect(
        fake.asked == [
          ["Cancel", "a", .strings([])], ["Cancel", "a", .strings(["1", "2"])], ["Dismiss", "a", .strings(["1"])],
          ["Respond", "a", "1", "more", .properties([:])],
          ["Respond", "a", "1", "answer", .properties(["reply": "with milk"])],
        ])
    }
  }

  @Test func `Several requests are sent in one call`() async throws {
    try await withCenter { _, fake, center in
      let other = try NotificationRequest(title: "b")
      #expect(try await center.notify([Self.tea(), other]) == ["made-up-0", "made-up-1"])
      #expect(try await center.notify([["title": .text("a")], ["titel": .text("b")]]) == ["made-up-0", "made-up-1"])
      let many = try #require(fake.asked.first)
      #expect(many[0] == "NotifyMany")
      #expect(try ValueDecoder().decode([NotificationRequest].self, from: many[1]) == [Self.tea(), other])
      #expect(
        fake.asked.last?[1] == .array(of: .properties, [.properties(["title": "a"]), .properties(["titel": "b"])]))
      #expect(try await center.notify([] as [NotificationRequest]) == [])
      let deep = (0..<100).reduce(PlainValue.integer(1)) { value, _ in .list([value]) }
      let error = await #expect(throws: SuzuError.self) { try await center.notify([[:], ["title": deep]]) }
      #expect(error?.code == .invalidRequest && error?.message.hasPrefix("[1]: ") == true)
      #expect(fake.asked.count == 2)
    }
  }

  @Test func `A hundred concurrent calls are all answered`() async throws {
    try await withCenter { _, fake, center in
      let count = await withTaskGroup { group in
        for _ in 0..<100 { group.addTask { try? await center.notify(Self.tea()) } }
        return await group.reduce(0) { $0 + ($1 == "made-up" ? 1 : 0) }
      }
      #expect(count == 100)
      #expect(fake.asked.count == 100)
    }
  }

  // MARK: Errors

  @Test(
    arguments: [
      ("dev.suzu.Error.InvalidRequest", .invalidRequest), ("dev.suzu.Error.InThePast", .invalidRequest),
      ("dev.suzu.Error.UnknownCategory", .invalidRequest), ("dev.suzu.Error.NotFound", .notFound),
      ("dev.suzu.Error.LimitExceeded", .limitExceeded), ("dev.suzu.Error.AccessDenied", .accessDenied),
      ("org.freedesktop.DBus.Error.AccessDenied", .accessDenied),
      ("org.freedesktop.DBus.Error.LimitsExceeded", .limitExceeded),
    ] as [(ErrorName, SuzuError.Code)])
  func `A refusal keeps its text`(_ name: ErrorName, _ code: SuzuError.Code) async throws {
    try await withCenter { _, fake, center in
      fake.refuse(RemoteError(name, "'title' is missing"))
      let error = await #expect(throws: SuzuError.self) { try await center.notify(Self.tea()) }
      #expect(error?.code == code)
      #expect(error?.message == "'title' is missing")
      let other = await #expect(throws: SuzuError.self) { try await center.events() }
      #expect(other?.code == code)
    }
  }

  @Test func `An unknown refusal also keeps its name`() async throws {
    try await withCenter { _, fake, center in
      fake.refuse(RemoteError("dev.suzu.Error.Unavailable", "the disk is full"))
      let error = await #expect(throws: SuzuError.self) { try await center.cancel(app: "a") }
      #expect(error?.code == .unavailable)
      #expect(error?.message == "the disk is full")
    }
  }

  @Test func `A request that cannot be sent is invalid`() async throws {
    try await withCenter { _, fake, center in
      let nul = await #expect(throws: SuzuError.self) { try await center.notify(["title": .text("a\0")]) }
      #expect(nul?.code == .invalidRequest)
      let deep = (0..<100).reduce(PlainValue.integer(1)) { value, _ in .list([value]) }
      let tooDeep = await #expect(throws: SuzuError.self) { try await center.notify(["title": deep]) }
      #expect(tooDeep?.code == .invalidRequest)
      #expect(fake.asked.isEmpty)
    }
  }

  @Test(arguments: [
    ([:], "the center is not running and the bus cannot start it"),
    (["dev.suzu.Center": "/nowhere/suzud"], "the bus could not start the center: "),
    (["dev.suzu.Center": "/bin/false"], "the bus could not start the center: "),
  ])
  func `The error without a center says why it is not running`(_ services: [String: String], _ message: String)
    async throws
  {
    try await withBus(PrivateBus(services: services)) { loop, bus in
      let center = try await Center.connect(toBus: bus.address, on: loop)
      let error = await #expect(throws: SuzuError.self) { try await center.notify(Self.tea()) }
      #expect(error?.code == .noCenter)
      #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
      let other = await #expect(throws: SuzuError.self) { try await center.events() }
      #expect(other?.code == .noCenter, "\(other?.message ?? "")")
      await center.close()
    }
  }

  @Test func `A center with another interface is reported as unavailable`() async throws {
    try await withBus(PrivateBus()) { loop, bus in
      let connection = try await bus.connect(on: loop)
      let table = Interface(FakeCenter.interface, methods: [Method("Notify", in: ["a": "a{sv}"]) { _ in [] }])
      try await connection.export(table, at: FakeCenter.path)
      _ = try await connection.requestName(FakeCenter.name)
      let center = try await Center.connect(toBus: bus.address, on: loop)
      let error = await #expect(throws: SuzuError.self) { try await center.notify(Self.tea()) }
      #expect(error == SuzuError(.unavailable, "the answer to 'Notify' has the types '', not 's'"))
      let other = await #expect(throws: SuzuError.self) { try await center.cancel(app: "a") }
      #expect(other?.code == .unavailable)
      #expect(other?.message.contains("UnknownMethod") == true)
      // An older one.
      let list = await #expect(throws: SuzuError.self) { try await center.pending() }
      #expect(list?.code == .unavailable)
      await center.close()
      await connection.close()
    }
  }

  @Test func `Connecting without a bus reports that there is no bus`() async throws {
    for loop in [nil, try EventLoop.onOwnThread(named: "test")] {
      let error = await #expect(throws: SuzuError.self) {
        try await Center.connect(toBus: "unix:path=/nowhere/bus", on: loop)
      }
      #expect(error?.code == .noBus)
      let nonsense = await #expect(throws: SuzuError.self) { try await Center.connect(toBus: "nonsense", on: loop) }
      #expect(nonsense?.message.isEmpty == false)
      loop?.stopAndWait()
    }
  }

  @Test func `The environment determines the session bus`() async throws {
    await #expect(processExitsWith: .success) {
      let bus = try PrivateBus()
      setenv("DBUS_SESSION_BUS_ADDRESS", bus.address, 1)
      let loop = try EventLoop.onOwnThread(named: "fake")
      let fake = try await FakeCenter.start(on: bus, loop)
      let center = try await Center.connect()
      #expect(try await center.notify(try NotificationRequest(title: "Tea")) == "made-up")
      await center.close()
      await fake.connection.close()
      loop.stopAndWait()
      unsetenv("DBUS_SESSION_BUS_ADDRESS")
      setenv("XDG_RUNTIME_DIR", bus.folder.path("nowhere"), 1)
      let error = await #expect(throws: SuzuError.self) { try await Center.connect() }
      #expect(error?.code == .noBus)
    }
  }

  // MARK: The end

  @Test func `Calls after closing fail at once`() async throws {
    let bus = try PrivateBus()
    for loop in [nil, try EventLoop.onOwnThread(named: "test")] {
      let center = try await Center.connect(toBus: bus.address, on: loop)
      await center.close()
      await center.close()
      let error = await #expect(throws: SuzuError.self) { try await center.notify(Self.tea()) }
      #expect(error == SuzuError(.unavailable, "the connection to the center was closed"))
      await #expect(throws: SuzuError.self) { try await center.events() }
      loop?.stopAndWait()
    }
  }

  @Test func `Calls under way fail when the connection is closed`() async throws {
    try await withBus(PrivateBus()) { loop, bus in
      // It takes the call, and never answers.
      let asked = Inbox<Void>()
      let connection = try await bus.connect(on: loop)
      let notify = Method("Notify", in: ["request": "a{sv}"], out: ["id": "s"]) { _ in
        asked.put(())
        try await neverAnswer()
        return []
      }
      try await connection.export(Interface(FakeCenter.interface, methods: [notify]), at: FakeCenter.path)
      _ = try await connection.requestName(FakeCenter.name)
      let center = try await Center.connect(toBus: bus.address)
      let calls = (0..<20).map { _ in Task { try await center.notify(Self.tea()) } }
      for _ in calls { try await asked.next() }
      await center.close()
      for call in calls { await #expect(throws: SuzuError.self) { try await call.value } }
      await connection.close()
    }
  }

  @Test func `Calls fail when the bus is gone`() async throws {
    let bus = try PrivateBus()
    let center = try await Center.connect(toBus: bus.address)
    bus.kill()
    let error = await #expect(throws: SuzuError.self) { try await center.notify(Self.tea()) }
    #expect(error?.code == .unavailable)
    await center.close()
  }

  /// In a process of its own, so that no other threads and descriptors are counted.
  @Test func `A center with its own loop leaks neither threads nor descriptors`() async throws {
    await #expect(processExitsWith: .success) {
      func descriptors() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
      func threads() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count {
          try String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8) == "suzu\n"
        }
      }
      func useOnce(_ bus: PrivateBus) async throws {
        let center = try await Center.connect(toBus: bus.address)
        #expect(try threads() > 0)
        try await center.notify(Self.tea())
        let events = try await center.events()
        let reading = Task {
          for await _ in events {}
          return true
        }
        await center.close()
        #expect(await reading.value)
      }
      let bus = try PrivateBus()
      let loop = try EventLoop.onOwnThread(named: "fake")
      let fake = try await FakeCenter.start(on: bus, loop)
      try await useOnce(bus)
      let before = try descriptors()
      for _ in 0..<30 { try await useOnce(bus) }
      _ = try? await Center.connect(toBus: "unix:path=/nowhere/bus")
      // The kernel lists a thread for a moment after it was joined; thirty would be ours.
      #expect(abs(try descriptors() - before) < 10)
      #expect(try threads() < 10)
      await fake.connection.close()
      loop.stopAndWait()
    }
  }
}
