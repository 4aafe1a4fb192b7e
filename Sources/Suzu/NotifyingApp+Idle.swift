// SPDX-License-Identifier: Apache-2.0
public import CenterClient
internal import DBus
internal import EventLoop
internal import Freedesktop

extension NotifyingApp {
  /// Handles responses until none has come for some time: for a program that a click starts, and that ends when this
  /// returns.
  ///
  ///     try await app.takeName()
  ///     try await app.handleResponses(untilIdle: .seconds(5)) { response in
  ///       print(response.action)
  ///       await response.complete()
  ///     }
  ///
  /// The app is detached from the center then, and has given up its name, so that the next click starts the program
  /// again: a response that comes meanwhile is handled before this returns, or by the next run.
  public func handleResponses(
    untilIdle limit: Duration, _ handle: (AppResponse) async -> Void
  ) async throws(SuzuError) {
    try await link.handle(untilIdle: limit, handle)
  }
}

extension AppLink {
  func handle(untilIdle limit: Duration, _ handle: (AppResponse) async -> Void) async throws(SuzuError) {
    let responses = try await read()
    let loop = connection.loop
    while !Task.isCancelled {
      let response = await queue.next { end in
        loop.perform { _ = loop.schedule(after: limit, end) }
      }
      guard let response else { break }
      await handle(response)
    }
    await leave()
    while let response = queue.take() { await handle(response) }
    // The last reader that is released takes the responses in the queue with it.
    withExtendedLifetime(responses) {}
  }

  /// Detaches the app and gives up its name, while responses are still taken. What was sent before the answers has
  /// arrived by then.
  private func leave() async {
    await detach()
    guard let application = BusApplication(app.text) else { return }
    _ = try? await connection.use { connection throws(CallError) in try await connection.releaseName(application.name) }
    // A call that has come just before is handled in the next turn of the loop.
    await reachBus()
  }
}
