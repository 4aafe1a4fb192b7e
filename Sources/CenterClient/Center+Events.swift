// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
public import NotificationModel

extension Center {
  /// All events from now on. The sequence ends with the center, or with ``close()``.
  public func events() async throws(SuzuError) -> AsyncStream<CenterEvent> {
    try await events { () throws(SuzuError) in try await call(CenterMethods.watch, true) }
  }

  /// - Parameter watch: asks the center for the events.
  func events(_ watch: () async throws(SuzuError) -> Void) async throws(SuzuError) -> AsyncStream<CenterEvent> {
    try connection.enter()
    let news: AsyncStream<PeerEvent>
    do throws(SuzuError) {
      // Subscribe first: the call starts the center, and events after its answer must not be missed.
      news = try await connection.use { connection throws(CallError) in
        try await connection.follow(CenterBus.name, CenterBus.path, CenterBus.interface)
      }
      try await watch()
    } catch {
      connection.leave()
      throw error
    }
    let (events, continuation) = AsyncStream<CenterEvent>.makeStream()
    let reading = Task(executorPreference: connection.loop) { [connection] in
      await Self.read(news, into: continuation)
      continuation.finish()
      connection.leave()
    }
    continuation.onTermination = { _ in reading.cancel() }
    return events
  }

  /// Ends the events when the center's current process ends: a new one does not know this watcher.
  private static func read(
    _ news: AsyncStream<PeerEvent>, into events: AsyncStream<CenterEvent>.Continuation
  ) async {
    var center: BusName?
    for await item in news {
      switch item {
      case .owner(let owner):
        guard center == nil else { return }
        center = owner
      case .signal(let signal):
        if let event = CenterEvent(signal) { events.yield(event) }
      }
    }
  }
}
