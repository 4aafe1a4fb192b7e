// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Synchronization
import TestSupport

/// A distributor of UnifiedPush, written from its specification of D-Bus, that does what a test says.
final class ScriptedDistributor: Sendable {
  struct Registration: Sendable {
    let version: Int
    let service: String
    let token: String
    let description: String?
    let vapid: String?
  }

  /// What follows a registration.
  enum Answer: Sendable {
    case endpoint(String)
    /// Success, with nothing behind it.
    case silence
    case refusal(String)
  }

  static let usual = "org.unifiedpush.Distributor.test"
  static let endpoint = "https://push.example.com/up/1"

  let registrations = Inbox<Registration>()
  let unregistrations = Inbox<(version: Int, token: String)>()
  private let answer: @Sendable (Registration) -> Answer
  private let connection: Connection

  private typealias Words = [String: Value]
  private static let words: (KeyValuePairs<String, Signature>, KeyValuePairs<String, Signature>) = (
    ["args": "a{sv}"], ["res": "a{sv}"]
  )

  private init(_ connection: Connection, _ answer: @escaping @Sendable (Registration) -> Answer) {
    (self.connection, self.answer) = (connection, answer)
  }

  /// - Parameter versions: those of the specification that it speaks.
  static func start(
    on bus: PrivateBus, _ loop: EventLoop, name: String = usual, versions: Set<Int> = [1, 2],
    answering answer: @escaping @Sendable (Registration) -> Answer = { _ in .endpoint(endpoint) }
  ) async throws -> ScriptedDistributor {
    let distributor = ScriptedDistributor(try await bus.connect(on: loop), answer)
    let path: ObjectPath = "/org/unifiedpush/Distributor"
    if versions.contains(1) { try await distributor.connection.export(distributor.first(), at: path) }
    if versions.contains(2) { try await distributor.connection.export(distributor.second(), at: path) }
    guard let name = BusName(name) else { throw TestFailure("no name: \(name)") }
    guard try await distributor.connection.requestName(name, .doNotQueue) == .owner else {
      throw TestFailure("no name")
    }
    return distributor
  }

  /// Leaves the bus.
  func stop() async { await connection.close() }

  // MARK: Calls of the connector

  /// Delivers what a push server has; returns the id that is acknowledged.
  func deliver(_ message: [UInt8], to registration: Registration, id: String? = nil) async throws -> String? {
    var words: Words = ["token": .string(registration.token), "message": .bytes(message)]
    words["id"] = id.map { .string($0) }
    return try await call("Message", of: registration, words)["id"]?.string
  }

  /// The same in version 1, which has no answer.
  func deliverFirst(_ message: [UInt8], to registration: Registration) async throws {
    try await connection.post(
      MethodDescription("Message", in: ("token", String.self), ("message", [UInt8].self), ("id", String.self)),
      of: try Self.connector(registration, 1), registration.token, message, "")
  }

  func give(_ endpoint: String, to registration: Registration) async throws {
    if registration.version == 1 {
      try await connection.post(
        MethodDescription("NewEndpoint", in: ("token", String.self), ("endpoint", String.self)),
        of: try Self.connector(registration, 1), registration.token, endpoint)
    } else {
      _ = try await call(
        "NewEndpoint", of: registration, ["token": .string(registration.token), "endpoint": .string(endpoint)])
    }
  }

  func end(_ registration: Registration) async throws {
    _ = try await call("Unregistered", of: registration, ["token": .string(registration.token)])
  }

  private func call(_ member: MemberName, of registration: Registration, _ words: Words) async throws -> Words {
    let method = MethodDescription(member, in: ("args", [String: Value].self), out: ("res", [String: Value].self))
    return try await connection.call(
      method, of: try Self.connector(registration, 2), words, limit: .seconds(60))
  }

  private static func connector(_ registration: Registration, _ version: Int) throws -> RemoteObject {
    guard let name = BusName(registration.service) else { throw TestFailure("no name: \(registration.service)") }
    return RemoteObject(
      name, "/org/unifiedpush/Connector",
      version == 1 ? "org.unifiedpush.Connector1" : "org.unifiedpush.Connector2")
  }

  // MARK: Its own methods

  private func second() -> Interface {
    Interface(
      "org.unifiedpush.Distributor2",
      methods: [
        Method("Register", in: Self.words.0, out: Self.words.1) { call in
          let words = call.arguments[0].properties ?? [:]
          return [
            .properties(
              self.register(
                Registration(
                  version: 2, service: words["service"]?.string ?? "", token: words["token"]?.string ?? "",
                  description: words["description"]?.string, vapid: words["vapid"]?.string)))
          ]
        },
        Method("Unregister", in: Self.words.0, out: Self.words.1) { call in
          self.unregistrations.put((2, call.arguments[0].properties?["token"]?.string ?? ""))
          return [.properties([:])]
        },
      ])
  }

  private func first() -> Interface {
    Interface(
      "org.unifiedpush.Distributor1",
      methods: [
        Method(
          "Register", in: ["serviceName": "s", "token": "s", "description": "s"],
          out: ["registrationResult": "s", "registrationResultReason": "s"]
        ) { call in
          let texts = call.arguments.map { $0.string ?? "" }
          let answer = self.register(
            Registration(version: 1, service: texts[0], token: texts[1], description: texts[2], vapid: nil))
          let result = answer["success"]?.string == "REGISTRATION_SUCCEEDED" ? "NEW_ENDPOINT" : "REGISTRATION_FAILED"
          return [.string(result), answer["reason"] ?? .string("")]
        },
        Method("Unregister", in: ["token": "s"], out: [:]) { call in
          self.unregistrations.put((1, call.arguments[0].string ?? ""))
          return []
        },
      ])
  }

  private func register(_ registration: Registration) -> Words {
    defer { registrations.put(registration) }
    switch answer(registration) {
    case .refusal(let reason): return ["success": .string("REGISTRATION_FAILED"), "reason": .string(reason)]
    case .silence: return ["success": .string("REGISTRATION_SUCCEEDED")]
    case .endpoint(let endpoint):
      // It does not wait for the answer, and neither side may rely on the order.
      Task { try await give(endpoint, to: registration) }
      return ["success": .string("REGISTRATION_SUCCEEDED")]
    }
  }
}
