// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
internal import EventLoop

/// The center, if it runs: a question starts none and waits only briefly, because the command can do without the answer.
struct RunningCenter {
  let loop: EventLoop
  private static let limit: Duration = .milliseconds(500)

  /// The answer of a method; nil if there is none.
  func ask<each Argument: BusType, Output>(
    _ method: MethodDescription<(repeat each Argument), Output>, _ arguments: repeat each Argument
  ) async -> Output? {
    guard let address = try? BusAddress.session(), let connection = try? await Connection.open(address, on: loop)
    else { return nil }
    var center = CenterBus.center
    center.startsService = false
    let reply = try? await connection.call(method, of: center, repeat each arguments, limit: Self.limit)
    await connection.close()
    return reply
  }
}
