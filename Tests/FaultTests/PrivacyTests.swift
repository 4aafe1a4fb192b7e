// SPDX-License-Identifier: Apache-2.0
import DBus
import Foundation
import TestSupport
import Testing

/// Tests that private texts stay out of the log and unreadable on the disk.
@Suite(.timeLimit(.minutes(2))) struct PrivacyTests {
  /// In every text that a request, a click or a handler can have.
  private static let canary = "CANARY-7f3a"

  private static func words(_ actions: [Value]) -> [String: Value] {
    let text = Value.string(canary)
    return [
      "subtitle": text, "body": text, "url": .string("https://example.org/\(canary)"), "thread": text,
      "userInfo": .properties(["secret": text]), "actions": .array(of: .properties, actions), "sound": text,
    ]
  }

  private static func action(_ id: String, _ more: [String: Value]) -> Value {
    .properties(["id": .string(id), "title": .string(canary)].merging(more) { $1 })
  }

  @Test func `No private text is logged, whatever goes wrong`() async throws {
    try await FaultStand.run { stand in
      let server = try await ScriptedServer.start(on: stand.bus, stand.loop)
      let (center, _) = try await stand.startReady(["--burst", "0"], ["PATH": "/usr/bin:/bin"])
      try await stand.watch()
      let actions = [
        Self.action("fails", ["run": .strings(["sh", "-c", "echo {body} {reply}; echo {title} >&2; exit 3"])]),
        Self.action("absent", ["run": .strings(["/no/such/program", "{userInfo.secret}"])]),
        Self.action("refused", ["url": .string("gopher:{userInfo.secret}")]),
        Self.action("gap", ["run": .strings(["true", "{userInfo.missing}"])]),
        Self.action("entry", ["launch": .string("org.example.\(Self.canary)")]),
      ]
      for (index, id) in ["fails", "absent", "refused", "gap", "entry"].enumerated() {
        try await stand.notify("\(Self.canary) \(id)", Self.words(actions))
        _ = try await server.posted.next()
        _ = try await stand.events.next { $0.hasPrefix("Delivered") }
        try await server.emit(ScriptedServer.activationToken(UInt32(index + 1), Self.canary))
        try await server.press(UInt32(index + 1), id)
        _ = try await stand.events.next(within: .seconds(20), "outcome") { $0.hasPrefix("Outcome") }
      }
      // Only the caller learns of a refusal.
      for more in [["level": .string(Self.canary)], ["category": .string(Self.canary)], [Self.canary: "x"]]
        as [[String: Value]]
      {
        _ = try await stand.refusal(Self.canary, more)
      }
      await server.die()
      try await stand.end(center)
      let log = center.errors
      #expect(log.contains("notification server"), "nothing is logged at all: \(log)")
      #expect(!log.contains(Self.canary), "\(log)")
    }
  }

  @Test func `Stored data is readable by its user only`() async throws {
    try await FaultStand.run { stand in
      let (center, _) = try await stand.startReady()
      try await stand.notify("a", ["in": "1h"])
      for path in try FileManager.default.subpathsOfDirectory(atPath: stand.store) {
        let attributes = try FileManager.default.attributesOfItem(atPath: stand.store + "/" + path)
        let mode = try #require((attributes[.posixPermissions] as? NSNumber)?.intValue)
        #expect(mode & 0o077 == 0, "\(path) has \(String(mode, radix: 8))")
      }
      let folder = try FileManager.default.attributesOfItem(atPath: stand.store)
      #expect((folder[.posixPermissions] as? NSNumber)?.intValue == 0o700)
      try await stand.end(center)
    }
  }
}
