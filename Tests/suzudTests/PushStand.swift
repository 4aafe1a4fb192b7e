// SPDX-License-Identifier: Apache-2.0
import CenterContract
import DBus
import NotificationModel
import Scheduling
import TestSupport

@testable import suzud

extension CenterStand {
  /// Pushes a payload, whose `aps` has these keys, to the app `test`; returns the id of the request.
  @discardableResult
  func push(
    _ aps: [String: Value], _ own: [String: Value] = [:], options: [String: Value] = [:], as caller: Connection? = nil
  ) async throws -> String {
    let payload = own.merging(["aps": .properties(aps)]) { $1 }
    let answer = try await call(
      "Push", ["test", .properties(payload), .properties(options)], as: caller)
    return answer.first?.string ?? ""
  }

  /// The error of a call of `Push`.
  func refusedPush(_ arguments: [Value]) async throws -> String {
    do {
      try await call("Push", arguments)
      throw TestFailure("it was taken")
    } catch CallError.refused(let error) {
      return error.name.text.replacing("dev.suzu.Error.", with: "") + ": " + error.message
    }
  }

  /// The errors of the center about categories of pushes.
  func pushProblems() async throws -> [String] {
    try await property("Health")?.properties?["pushProblems"]?.strings ?? []
  }
}

/// An app on the bus whose handler completes nothing by itself.
struct PushedApp {
  struct Arrival: Sendable {
    let number: UInt64
    let id: String
    let action: String
    let details: [String: Value]
  }

  let connection: Connection
  let arrivals = Inbox<Arrival>()

  static func attached(to app: String = "test", _ stand: CenterStand) async throws -> PushedApp {
    let pushed = PushedApp(connection: try await stand.bus.connect(on: stand.loop))
    let signals = try await pushed.connection.signals(
      matching: MatchRule(sender: CenterBus.name, interface: CenterBus.interface, member: "Responded"))
    let arrivals = pushed.arrivals
    _ = Task {
      for try await signal in signals {
        guard case .responded(let response)? = CenterEvent(signal) else { continue }
        arrivals.put(
          Arrival(
            number: response.number, id: response.id, action: response.action,
            details: response.userInfo.mapValues { Value($0) }))
      }
    }
    try await stand.call("Attach", [.string(app)], as: pushed.connection)
    return pushed
  }

  func complete(_ number: UInt64, _ stand: CenterStand, _ details: [String: Value] = [:]) async throws {
    try await stand.call("Complete", [.uint64(number), .properties(details)], as: connection)
  }
}
