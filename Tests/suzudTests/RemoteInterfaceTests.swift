// SPDX-License-Identifier: Apache-2.0
import CenterContract
import DBus
import NotificationModel
import TestSupport
import Testing

@testable import suzud

/// Tests that requests of another machine have the rights of that machine, not those of the program that passes them
/// on.
@Suite(.timeLimit(.minutes(2)))
struct RemoteInterfaceTests {
  private static let app = "dev.suzu.Remote.build"

  @discardableResult
  private static func call(
    _ stand: CenterStand, _ member: MemberName, _ arguments: [Value], host: String = "build", as own: Connection? = nil
  ) async throws -> [Value] {
    try await (own ?? stand.client).call(
      MethodCall(to: CenterBus.name, RemoteBus.path, RemoteBus.interface, member, [.string(host)] + arguments))
  }

  @Test func `A request of a machine belongs to its app and has no more rights than a sandboxed one`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await stand.call("Allow", [.string(Self.app), .strings(["alert"])])
      try await Self.call(stand, "Notify", [.properties(["title": "t", "id": "i"])])
      #expect(try await server.posted.next().hints["desktop-entry"] == .string(Self.app))
      let words: [[String: Value]] = [
        ["actions": actions(action("a", run: ["true"]))], ["actions": actions(action("a", url: "file:///etc/passwd"))],
        ["actions": actions(action("a", ["launch": "org.example.Other"]))], ["url": "file:///etc/passwd"],
        ["icon": "/etc/passwd"], ["appName": "Firefox"], ["app": "dev.suzu.Suzu"], ["app": "dev.suzu.Remote.other"],
        ["on": "unit ssh.service failed"], ["on": "place office"],
      ]
      for more in words {
        let request: [String: Value] = ["title": "t"]
        for member in ["Notify", "Ask"] as [MemberName] {
          let refused = await refusalName {
            try await Self.call(stand, member, [.properties(request.merging(more) { $1 })])
          }
          #expect(refused == "AccessDenied", "\(more)")
        }
      }
    }
  }

  @Test func `A machine sees, cancels and closes its own requests only`() async throws {
    try await CenterStand.run { stand in
      try await stand.notify("theirs", ["in": "1h"])
      try await Self.call(stand, "Notify", [.properties(["title": "t", "id": "own", "in": "1h"])])
      try await Self.call(stand, "Notify", [.properties(["title": "t", "id": "other", "in": "1h"])], host: "laptop")
      func ids() async throws -> [String] {
        guard case .array(_, let rows)? = try await Self.call(stand, "Pending", [.properties([:])]).first else {
          return []
        }
        return rows.compactMap { $0.properties?["id"]?.string }
      }
      #expect(try await ids() == ["own"])
      #expect(try await Self.call(stand, "Cancel", [.strings(["theirs", "other"])]).first == .uint32(0))
      #expect(try await Self.call(stand, "Cancel", [.strings([])]).first == .uint32(1))
      #expect(try await ids() == [])
      #expect(try await stand.listing("Pending").count == 1)
      #expect(
        await refusalName { try await Self.call(stand, "Cancel", [.strings(["dev.suzu.question"])]) } == "AccessDenied"
      )
    }
  }

  @Test func `Only the user may pass on requests`() async throws {
    let free = Inbox<BusName>()
    var desktop = Desktop.unlocked
    desktop.identify = { name in free.waiting.contains(name.name) ? .all : .of(app: "org.example.Boxed") }
    try await CenterStand.run(desktop: desktop, whenConnected: { free.put($0) }) { stand in
      let boxed = try await stand.bus.connect(on: stand.loop)
      let calls: [(MemberName, [Value])] = [
        ("Notify", [.properties(["title": "t"])]), ("Ask", [.properties(["title": "t"])]),
        ("Cancel", [.strings([])]), ("Dismiss", [.strings([])]), ("Pending", [.properties([:])]),
        ("Delivered", [.properties([:])]), ("Watch", []),
      ]
      for (member, arguments) in calls {
        #expect(
          await refusalName { try await Self.call(stand, member, arguments, as: boxed) } == "AccessDenied", "\(member)"
        )
      }
    }
  }

  @Test(arguments: ["", ".", "a b", "a/b", "ä", String(repeating: "x", count: 65)])
  func `A name that no machine can have is refused`(host: String) async throws {
    try await CenterStand.run { stand in
      #expect(
        await refusalName { try await Self.call(stand, "Notify", [.properties(["title": "t"])], host: host) }
          == "InvalidRequest")
    }
  }

  @Test func `A watcher of a machine hears its answers, and nothing of others`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await stand.call("Allow", [.string(Self.app), .strings(["alert"])])
      let listener = try await stand.bus.connect(on: stand.loop)
      let lines = Inbox<String>()
      let signals = try await listener.signals(
        matching: MatchRule(sender: CenterBus.name, interface: CenterBus.interface), buffering: 100)
      _ = Task { for try await signal in signals { lines.put(signal.member.text) } }
      try await Self.call(stand, "Watch", [], as: listener)
      try await stand.notify("other")
      _ = try await server.posted.next()
      try await Self.call(
        stand, "Ask", [.properties(["title": "t", "id": "i", "actions": actions(appAction("yes"))])], as: listener)
      let posted = try await server.posted.next()
      try await server.press(posted.number, "yes")
      // Without a program that handles it here, the answer is done when it was heard.
      #expect(try await lines.next(4).sorted() == ["Closed", "Delivered", "Outcome", "Responded"])
      #expect(try await stand.next(5).contains("Outcome done"))
    }
  }

  @Test func `A question goes when the program that passed it on has left`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await stand.call("Allow", [.string(Self.app), .strings(["alert"])])
      let asking = try await stand.bus.connect(on: stand.loop)
      try await Self.call(stand, "Ask", [.properties(["title": "t", "id": "i"])], as: asking)
      let posted = try await server.posted.next()
      await asking.close()
      #expect(try await server.closed.next() == posted.number)
    }
  }
}
