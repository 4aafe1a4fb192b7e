// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop

/// One round of asking everybody on a bus, with one time limit for all that it takes.
struct LockQuestion: Sendable {
  let connection: Connection
  /// On the monotonic clock.
  let end: Duration
  /// Hears that somebody who hung has answered after all.
  let whenLate: (@Sendable () -> Void)?

  /// The owner of the name; nil: it has none.
  func owner(of name: BusName) async throws(CallError) -> BusName? {
    do throws(CallError) {
      return try await ask(.toBus("GetNameOwner", [.string(name.text)])).first?.string.flatMap { BusName($0) }
    } catch {
      if case .refused(let refusal) = error, refusal.name == .nameHasNoOwner { return nil }
      throw error
    }
  }

  func ask(_ call: MethodCall) async throws(CallError) -> [Value] {
    let limit = max(end - EventLoop.Clock.monotonic.now, .zero)
    guard let whenLate else { return try await connection.call(call, limit: limit) }
    return try await connection.call(call, limit: limit) { _ in whenLate() }
  }
}
