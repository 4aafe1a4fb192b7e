// SPDX-License-Identifier: Apache-2.0
public import CenterClient

/// What a program can ask for that also handles what the user chooses. ``NotifyingApp`` does it; a test may put
/// something else in its place.
///
///     func run(_ app: some Handling) async throws {
///       for await response in try await app.responses() {
///         print(response.action)
///         await response.complete()
///       }
///     }
public protocol Handling<Responses>: Notifying {
  /// A sequence of responses that does not fail.
  associatedtype Responses: AsyncSequence<AppResponse, Never> & Sendable

  /// The responses of the app, from those on that have waited for it.
  func responses() async throws(SuzuError) -> Responses
}

extension NotifyingApp: Handling {}
