// SPDX-License-Identifier: Apache-2.0
import DBus
import Foundation
import Freedesktop
import Synchronization
import TestSupport
import Testing

@testable import suzud

/// Tests servers that send contradictory answers and signals.
extension ServerFaultTests {
  // MARK: Lying

  @Test func `Signals that come before the answer wait for it`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server { _ in
        .say { posted in
          [
            ScriptedServer.activationToken(posted.number, "token"),
            ScriptedServer.actionInvoked(posted.number, "default"),
            ScriptedServer.notificationClosed(posted.number, reason: 2),
          ]
        }
      }
      try await stand.notify("a", clickable)
      #expect(try await stand.next(4) == ["Delivered a", "Responded a default", "Closed a withdrawn", "Outcome done"])
      _ = server
    }
  }

  @Test func `An action that comes after the close counts, and only the first close does`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await stand.notify("a", ["actions": actions(action("yes"))])
      #expect(try await stand.next(1) == ["Delivered a"])
      for reason: UInt32 in [1, 2, 3] { try await server.tellClosed(1, reason: reason) }
      try await server.press(1, "yes")
      try await server.tellClosed(1, reason: 2)
      #expect(try await stand.next(3) == ["Closed a expired", "Responded a yes", "Outcome done"])
      try await stand.notify("b")
      #expect(try await stand.next(1) == ["Delivered b"])
    }
  }

  @Test(arguments: [(UInt32(1), "expired"), (2, "dismissed"), (3, "withdrawn"), (4, "unknown"), (99, "unknown")])
  func `A close is announced with its reason, unicast or broadcast`(reason: UInt32, word: String) async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      for id in ["a", "b"] { try await stand.notify(id) }
      _ = try await stand.next(2)
      try await server.tellClosed(1, reason: reason)
      try await server.tellClosed(2, reason: reason, to: stand.centerName)
      #expect(try await stand.next(2) == ["Closed a \(word)", "Closed b \(word)"])
    }
  }

  @Test func `A server that gives every notification the number 0, or 7, can be used`() async throws {
    for number: UInt32 in [0, 7] {
      try await CenterStand.run { stand in
        let server = try await stand.server { _ in .exactly(number) }
        try await stand.notify("a")
        #expect(try await stand.next(1) == ["Delivered a"])
        try await stand.notify("b", clickable)
        #expect(try await stand.next(2) == ["Closed a unknown", "Delivered b"])
        try await server.press(number, "default")
        #expect(try await stand.next(3) == ["Responded b default", "Closed b withdrawn", "Outcome done"])
      }
    }
  }

  @Test func `A new number on replacement leaves no popup behind`() async throws {
    try await CenterStand.run { stand in
      let count = Atomic<UInt32>(40)
      let server = try await stand.server { _ in .exactly(count.wrappingAdd(1, ordering: .relaxed).newValue) }
      try await stand.notify("a")
      #expect(try await stand.next(1) == ["Delivered a"])
      try await stand.notify("a")
      #expect(try await server.closed.next() == 41)
      #expect(try await stand.next(2) == ["Closed a replaced", "Delivered a"])
      try await server.tellClosed(41, reason: 3)
      try await server.tellClosed(42, reason: 2)
      #expect(try await stand.next(1) == ["Closed a dismissed"])
    }
  }

  @Test func `Signals with other types than specified have no effect`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await stand.notify("a", clickable)
      _ = try await stand.next(1)
      let odd: [(MemberName, [Value])] = [
        ("ActionInvoked", []), ("ActionInvoked", [.uint32(1)]), ("ActionInvoked", ["1", "default"]),
        ("ActionInvoked", [.int32(1), "default"]), ("ActionInvoked", [.uint32(1), .uint32(1)]),
        ("ActionInvoked", [.uint32(1), "default", "more"]), ("NotificationClosed", [.uint32(1)]),
        ("NotificationClosed", [.uint32(1), "2"]), ("ActivationToken", [.uint32(1), .uint32(2)]),
        ("NotificationReplied", [.uint32(1), "hello"]), ("SomethingElse", [.uint32(1), "default"]),
      ]
      for (member, arguments) in odd {
        try await server.emit(
          Signal("/org/freedesktop/Notifications", "org.freedesktop.Notifications", member, arguments))
      }
      try await server.press(1, "default")
      #expect(try await stand.next(2) == ["Responded a default", "Closed a withdrawn"])
    }
  }
}
