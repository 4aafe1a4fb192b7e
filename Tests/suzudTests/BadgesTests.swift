// SPDX-License-Identifier: Apache-2.0
import DBus
import Foundation
import TestSupport
import Testing

@testable import suzud

/// Tests the badges of launchers.
@Suite(.timeLimit(.minutes(2))) struct BadgesTests {
  private static let launcher = "dev.suzu.Launcher"

  private static func notify(_ stand: CenterStand, _ id: String, _ app: String, badge: Int64? = nil) async throws {
    var words: [String: Value] = ["app": .string(app), "id": .string(id), "title": .string(id)].merging(clickable) {
      $1
    }
    if let badge { words["badge"] = .int64(badge) }
    _ = try await stand.call("Notify", [.properties(words)])
  }

  private static func click(_ stand: CenterStand, _ id: String, _ app: String) async throws {
    _ = try await stand.call("Respond", [.string(app), .string(id), "default", .properties([:])])
  }

  private static func desktop(_ signs: Inbox<String>) -> Desktop {
    var desktop = Desktop.unlocked
    desktop.signs.setBadge = { signs.put("\($0) \($1)") }
    return desktop
  }

  @Test func `The launcher's badge decreases by one with each answer, never below 0, and survives a restart`()
    async throws
  {
    let signs = Inbox<String>()
    let home = try TemporaryFolder()
    try await CenterStand.run(home: home, desktop: Self.desktop(signs)) { stand in
      let server = try await stand.server()
      try await Self.notify(stand, "a", Self.launcher, badge: 2)
      for id in ["b", "c", "d"] { try await Self.notify(stand, id, Self.launcher) }
      _ = try await server.posted.next(4)
      #expect(try await signs.next() == "dev.suzu.Launcher 2")
      try await Self.click(stand, "b", Self.launcher)
      #expect(try await signs.next() == "dev.suzu.Launcher 1")
      // A dismissal launches nothing, so the badge stays.
      _ = try await stand.call("Dismiss", [.string(Self.launcher), .strings(["d"])])
      try await stand.settle()
      #expect(signs.waiting.isEmpty)
    }
    try await CenterStand.run(home: home, desktop: Self.desktop(signs)) { stand in
      #expect(try await signs.next() == "dev.suzu.Launcher 1")
      let server = try await stand.server()
      for id in ["e", "f"] { try await Self.notify(stand, id, Self.launcher) }
      while try await server.posted.next().summary != "f" {}
      for id in ["e", "f"] { try await Self.click(stand, id, Self.launcher) }
      try await stand.settle()
      #expect(signs.waiting == ["dev.suzu.Launcher 0"])
      _ = try await signs.next()
    }
    try await CenterStand.run(home: home, desktop: Self.desktop(signs)) { stand in
      try await stand.settle()
      #expect(signs.waiting.isEmpty)
    }
  }

  /// Runs in its own process, whose files cannot grow for a while.
  @Test func `A badge that a click lowers while the disk fails is kept, too`() async throws {
    await #expect(processExitsWith: .success) {
      signal(SIGXFSZ, SIG_IGN)
      let signs = Inbox<String>()
      let home = try TemporaryFolder()
      try await CenterStand.run(home: home, desktop: Self.desktop(signs)) { stand in
        let server = try await stand.server()
        try await Self.notify(stand, "a", Self.launcher, badge: 2)
        _ = try await server.posted.next()
        var sign = try await signs.next()
        #expect(sign == "dev.suzu.Launcher 2")
        letFilesGrow(to: 0)
        try await server.press(1, "default")
        sign = try await signs.next()
        #expect(sign == "dev.suzu.Launcher 1")
        letFilesGrow(to: .max)
      }
      try await CenterStand.run(home: home, desktop: Self.desktop(signs)) { stand in
        let sign = try await signs.next()
        #expect(sign == "dev.suzu.Launcher 1")
      }
    }
  }

  @Test func `Only the app itself changes its badge, and a restart shows it again`() async throws {
    let signs = Inbox<String>()
    let home = try TemporaryFolder()
    try await CenterStand.run(home: home, desktop: Self.desktop(signs)) { stand in
      let server = try await stand.server()
      try await Self.notify(stand, "a", "org.example.Mail", badge: 3)
      _ = try await server.posted.next()
      #expect(try await signs.next() == "org.example.Mail 3")
      try await Self.click(stand, "a", "org.example.Mail")
      try await stand.settle()
      #expect(signs.waiting.isEmpty)
    }
    try await CenterStand.run(home: home, desktop: Self.desktop(signs)) { stand in
      #expect(try await signs.next() == "org.example.Mail 3")
      let server = try await stand.server()
      try await Self.notify(stand, "b", "org.example.Mail", badge: 0)
      _ = try await server.posted.next()
      #expect(try await signs.next() == "org.example.Mail 0")
      try await stand.settle()
    }
    try await CenterStand.run(home: home, desktop: Self.desktop(signs)) { stand in
      try await stand.settle()
      #expect(signs.waiting.isEmpty)
    }
  }
}
