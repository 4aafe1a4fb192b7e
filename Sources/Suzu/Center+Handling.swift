// SPDX-License-Identifier: Apache-2.0
internal import DBus

extension Center {
  /// Makes this program the app's handler until it detaches or ends: the user's choices arrive as
  /// ``CenterEvent/responded(_:)``, and each must be completed. Listen to ``events()`` first.
  public func attach(app: String) async throws(SuzuError) { _ = try await call("Attach", [.string(app)]) }

  /// Stops handling the app's responses.
  public func detach(app: String) async throws(SuzuError) { _ = try await call("Detach", [.string(app)]) }

  /// Reports a response as handled; `problem` says why handling failed.
  public func complete(_ response: UInt64, problem: String? = nil) async throws(SuzuError) {
    let details: [String: Value] = problem.map { ["error": .string($0)] } ?? [:]
    _ = try await call("Complete", [.uint64(response), .properties(details)])
  }
}
