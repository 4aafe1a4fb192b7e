// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import NotificationModel
import TestSupport
import Testing

@testable import suzud

/// A center with one sandboxed caller: every connection is the box's, except the stand's own client.
struct BoxStand: Sendable {
  static let app = "org.example.Boxed"

  let stand: CenterStand
  let boxed: Connection

  /// - Parameter files: files of categories, by name.
  /// - Parameter isAllowed: whether the user has allowed the app to notify.
  static func run(
    files: TemporaryFolder? = nil, home: TemporaryFolder? = nil, isAllowed: Bool = true, burst: Int = 0,
    timeouts: Timeouts = .usual, desktop: Desktop = .unlocked, _ body: @Sendable (BoxStand) async throws -> Void
  ) async throws {
    let users = UserNames()
    var desktop = desktop
    desktop.identify = { name in users.contains(name.name) ? .all : .of(app: app) }
    try await CenterStand.run(
      timeouts: timeouts, burst: burst, home: home, categories: files.map { [$0.path("categories.d")] } ?? [],
      desktop: desktop, whenConnected: { users.add($0) }
    ) { stand in
      if isAllowed { try await stand.call("Allow", [.string(app), .strings(["alert", "badge", "sound"])]) }
      try await body(BoxStand(stand: stand, boxed: try await stand.bus.connect(on: stand.loop)))
    }
  }

  @discardableResult
  func call(_ member: MemberName, _ arguments: [Value]) async throws -> [Value] {
    try await stand.call(member, arguments, as: boxed)
  }

  @discardableResult
  func notify(_ id: String, _ more: [String: Value] = [:]) async throws -> String {
    try await call("Notify", [.properties(["id": .string(id), "title": .string(id)].merging(more) { $1 })])
      .first?.string ?? ""
  }

  /// Replaces all categories of the sandboxed app.
  func setCategories(_ categories: [String: Value]...) async throws {
    try await call("SetCategories", [.string(Self.app), .array(of: .properties, categories.map { .properties($0) })])
  }

  /// A listing for the sandboxed app.
  func list(_ member: MemberName) async throws -> [[String: Value]] {
    let arguments: [Value] = member == "Categories" ? [""] : ["", .properties([:])]
    guard case .array(_, let list)? = try await call(member, arguments).first else { return [] }
    return list.compactMap(\.properties)
  }

  /// The error name of a call of the sandboxed app, or 'taken' if it is accepted.
  func refusal(_ member: MemberName, _ arguments: [Value]) async -> String {
    await refusalName { try await call(member, arguments) }
  }

  func refusal(of request: [String: Value]) async -> String {
    await refusal("Notify", [.properties(["title": "t"].merging(request) { $1 })])
  }
}

/// The unique names of the callers that count as the user.
final class UserNames: Sendable {
  private let names = Inbox<BusName>()
  func add(_ name: BusName) { names.put(name) }
  func contains(_ name: BusName) -> Bool { names.waiting.contains(name) }
}
