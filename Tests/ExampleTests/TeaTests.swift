// SPDX-License-Identifier: Apache-2.0
import DBus
import Foundation
import Suzu
import TestSupport
import Testing

/// Runs `Examples/tea`, a program that has ended when its buttons are pressed.
@Suite(.onOwnThread, .timeLimit(.minutes(2))) struct TeaTests {
  @Test func `A click starts the program that has ended, again and again`() async throws {
    try await ExampleStage.run("tea", starting: "tea") { stage in
      try await withLoop { loop in
        let bus = try await stage.session.bus.connect(on: loop)
        var owners = try await bus.owners(of: "org.example.Tea").makeAsyncIterator()
        // No minutes, so that it is shown at once.
        #expect(try stage.run("tea", "0") == "")
        #expect(await owners.next() == .some(nil))
        let first = try await stage.server.popup(titled: "Tea is ready")
        #expect(first.buttons == ["Another cup", "Stronger"])
        try await stage.choose("Another cup", on: first)
        #expect(try await stage.outcome() == .done)
        // It is brewed for as long as before: not at all.
        let second = try await stage.server.popup(titled: "Tea is ready")
        #expect(await owners.next() != .some(nil))
        #expect(await owners.next() == .some(nil))
        try await stage.server.reply("3", to: second)
        #expect(try await stage.outcome() == .done)
        let next = try #require(try await stage.pending("org.example.Tea")["tea"])
        #expect(175...180 ~= next.timeIntervalSinceNow)
        await bus.close()
      }
    }
  }
}
