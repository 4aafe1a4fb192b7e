// SPDX-License-Identifier: Apache-2.0
import DBus
import TestSupport
import Testing

/// The calls of the tests of quiet hours.
enum QuietCalls {
  static let always: Value = .strings(["00:00..24:00"])

  static func set(_ stand: CenterStand, _ changes: [String: Value], app: String = "") async throws {
    try await stand.call("SetQuiet", [.string(app), .properties(changes)])
  }

  static func quiet(_ stand: CenterStand, app: String = "") async throws -> [String: Value] {
    try #require(try await stand.call("Quiet", [.string(app)]).first?.properties)
  }

  static func row(_ stand: CenterStand, _ id: String, app: String = "test") async throws -> [String: Value] {
    try #require(try await stand.all("History", app: app).first { $0["id"]?.string == id })
  }

  static func refusal(_ stand: CenterStand, _ changes: [String: Value], app: String = "") async throws -> String {
    do {
      try await set(stand, changes, app: app)
      throw TestFailure("it was taken")
    } catch CallError.refused(let error) {
      return "\(error.name): \(error.message)"
    }
  }
}
