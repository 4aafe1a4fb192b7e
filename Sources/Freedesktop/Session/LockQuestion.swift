// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop

/// One round of queries to all sources on a bus, with one common time limit.
struct LockQuestion: Sendable {
  let connection: Connection
  /// The deadline, on the monotonic clock.
  let end: Duration
  /// Called when a source answers after its query has timed out.
  let whenLate: (@Sendable () -> Void)?

  /// Returns the owner of the name; nil if it has none.
  func owner(of name: BusName) async throws(CallError) -> BusName? {
    do throws(CallError) {
      return try await ask(BusMethods.getNameOwner, of: .bus, name)
    } catch {
      if case .refused(let refusal) = error, refusal.name == .nameHasNoOwner { return nil }
      throw error
    }
  }

  func ask<each Argument: BusType, Output>(
    _ method: MethodDescription<(repeat each Argument), Output>, of object: RemoteObject,
    _ arguments: repeat each Argument
  ) async throws(CallError) -> Output {
    let limit = max(end - EventLoop.Clock.monotonic.now, .zero)
    guard let whenLate else {
      return try await connection.call(method, of: object, repeat each arguments, limit: limit)
    }
    return try await connection.call(method, of: object, repeat each arguments, limit: limit) { _ in whenLate() }
  }
}
