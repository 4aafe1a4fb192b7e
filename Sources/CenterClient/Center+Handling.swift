// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus

extension Center {
  /// Makes this program the app's handler until it detaches or ends: the user's choices arrive as
  /// ``CenterEvent/responded(_:)``, and each must be completed. Listen to ``events()`` first.
  public func attach(app: String) async throws(SuzuError) { try await call(CenterMethods.attach, app) }

  /// Stops handling the app's responses.
  public func detach(app: String) async throws(SuzuError) { try await call(CenterMethods.detach, app) }

  /// Reports a response as handled; `problem` says why handling failed.
  public func complete(_ response: UInt64, problem: String? = nil) async throws(SuzuError) {
    try await call(CenterMethods.complete, response, problem.map { ["error": .string($0)] } ?? [:])
  }
}
