// SPDX-License-Identifier: Apache-2.0
internal import DBus

extension Center {
  /// Makes this program the app's handler, until it detaches or ends: what users choose comes as
  /// ``CenterEvent/responded(_:)``, and each is to be completed. Listen to ``events()`` first.
  public func attach(app: String) async throws(SuzuError) { _ = try await call("Attach", [.string(app)]) }

  /// It is the app's handler no longer.
  public func detach(app: String) async throws(SuzuError) { _ = try await call("Detach", [.string(app)]) }

  /// A response has been acted upon; `problem` says why it could not be.
  public func complete(_ response: UInt64, problem: String? = nil) async throws(SuzuError) {
    let details: [String: Value] = problem.map { ["error": .string($0)] } ?? [:]
    _ = try await call("Complete", [.uint64(response), .properties(details)])
  }
}
