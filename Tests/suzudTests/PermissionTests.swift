// SPDX-License-Identifier: Apache-2.0
import DBus
import NotificationModel
import TestSupport
import Testing

@testable import suzud

/// Tests that the user is asked about a sandboxed app that never registers.
@Suite(.timeLimit(.minutes(2)))
struct PermissionTests {
  private static func reason(_ box: BoxStand, _ id: String) async throws -> String? {
    try await box.list("History").first { $0["id"]?.string == id }?["reason"]?.string
  }

  @Test func `The first request of a sandboxed app asks the user and waits for the answer`() async throws {
    var desktop = Desktop.unlocked
    desktop.apps.name = { $0 == BoxStand.app ? "Boxes" : nil }
    try await BoxStand.run(isAllowed: false, desktop: desktop) { box in
      let server = try await box.stand.server()
      for id in ["a", "b"] { try await box.notify(id) }
      let question = try await server.posted.next()
      #expect(question.summary == "Let 'Boxes (org.example.Boxed)' notify you?")
      _ = try await box.stand.next(1)
      // A request that is cancelled in the meantime ends.
      try await box.notify("c")
      #expect(try await box.call("Cancel", [.string(BoxStand.app), .strings(["c"])]).first == .uint32(1))
      #expect(try await box.list("History").map { $0["state"] } == ["closed", "due", "due"])
      #expect(server.posted.waiting.isEmpty)
      try await server.press(question.number, "0")
      #expect(try await server.posted.next().summary == "a")
      #expect(try await server.posted.next().summary == "b")
      try await box.notify("d")
      #expect(try await server.posted.next().summary == "d")
    }
  }

  @Test(arguments: [true, false])
  func `Waiting requests end if the user refuses or does not answer`(saysNo: Bool) async throws {
    try await BoxStand.run(isAllowed: false) { box in
      let server = try await box.stand.server()
      // The question is asked when the request arrives, not only when it is due.
      try await box.notify("later", ["in": "1h"])
      let question = try await server.posted.next()
      _ = try await box.stand.next(1)
      try await box.notify("a")
      if saysNo {
        try await server.press(question.number, "1")
      } else {
        try await server.tellClosed(question.number, reason: 2)
      }
      _ = try await box.stand.next(1)
      try await box.stand.settle()
      #expect(try await Self.reason(box, "a") == "not allowed")
      // There is no second question on the same day, and the user's own programs need no permission.
      try await box.notify("b")
      #expect(try await Self.reason(box, "b") == "not allowed")
      #expect(try await box.call("Register", [.string(BoxStand.app), .strings(["alert"])]).first == .strings([]))
      #expect(server.posted.waiting.isEmpty)
      let settings = try await box.stand.call("Settings", [.string(BoxStand.app)]).first?.properties
      #expect(settings?["decided"] == .boolean(saysNo))
      try await box.stand.call("Allow", [.string(BoxStand.app), .strings(["alert"])])
      try await box.notify("c")
      #expect(try await server.posted.next().summary == "c")
    }
  }

  @Test func `A request that waits for permission is stored, and the user is asked again after a restart`() async throws
  {
    let home = try TemporaryFolder()
    try await BoxStand.run(home: home, isAllowed: false) { box in
      try await box.notify("a")
      #expect(try await box.list("History").map { $0["state"] } == ["due"])
    }
    try await BoxStand.run(home: home, isAllowed: false) { box in
      let server = try await box.stand.server()
      let question = try await server.posted.next()
      #expect(question.summary.hasPrefix("Let "))
      _ = try await box.stand.next(1)
      try await server.press(question.number, "0")
      #expect(try await server.posted.next().summary == "a")
    }
  }

  // `Register` answered that they may not know places, although their requests that wait for one were carried out.
  @Test func `The user's own programs may know what the user has not denied`() async throws {
    try await CenterStand.run { stand in
      let kinds = ["alert", "places", "networks"]
      #expect(try await stand.call("Register", [.string("a.b"), .strings(kinds)]).first == .strings(kinds))
      try await stand.call("Allow", [.string("a.b"), .strings(["alert", "networks"])])
      let allowed = try await stand.call("Register", [.string("a.b"), .strings(kinds)]).first
      #expect(allowed == .strings(["alert", "networks"]))
    }
  }

  @Test func `Requests beyond the limit of waiting ones are refused`() async throws {
    try await BoxStand.run(isAllowed: false) { box in
      for number in 0..<Undecided.mostWaiting + 5 { try await box.notify("\(number)") }
      let rows = try await box.list("History")
      #expect(rows.count { $0["reason"] == "not allowed" } == 5)
      #expect(rows.count { $0["state"] == "due" } == Undecided.mostWaiting)
      let server = try await box.stand.server()
      _ = try await server.posted.next()
      _ = try await box.stand.next(1)
      // A decision by `Allow` ends the wait as well.
      try await box.stand.call("Allow", [.string(BoxStand.app), .strings(["alert"])])
      for number in 0..<Undecided.mostWaiting {
        #expect(try await server.posted.next().summary == "\(number)")
      }
    }
  }
}
