// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
public import NotificationModel

extension Center {
  /// All events from now on. The sequence ends with the center, or with ``close()``.
  public func events() async throws(SuzuError) -> AsyncStream<CenterEvent> {
    try await events { () throws(SuzuError) in try await call(CenterMethods.watch, true) }
  }

  /// One element for each signal of the center, whatever it is about: a program that shows lists reads them again. Ends
  /// as ``events()`` do.
  package func signs() async throws(SuzuError) -> AsyncStream<CenterSign> {
    try await signals(CenterSign.init) { () throws(SuzuError) in
      try await call(CenterMethods.watch, true)
      try await call(CenterMethods.watchStored, true)
    }
  }

  /// - Parameter watch: asks the center for the events.
  func events(_ watch: () async throws(SuzuError) -> Void) async throws(SuzuError) -> AsyncStream<CenterEvent> {
    try await signals(CenterEvent.init, watch)
  }

  private func signals<Element: Sendable>(
    _ decode: @escaping @Sendable (Signal) -> Element?, _ watch: () async throws(SuzuError) -> Void
  ) async throws(SuzuError) -> AsyncStream<Element> {
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
    let (events, continuation) = AsyncStream<Element>.makeStream()
    let reading = Task(executorPreference: connection.loop) { [connection] in
      await Self.read(news, decode, into: continuation)
      continuation.finish()
      connection.leave()
    }
    continuation.onTermination = { _ in reading.cancel() }
    return events
  }

  /// Ends the events when the center's current process ends: a new one does not know this watcher.
  private static func read<Element>(
    _ news: AsyncStream<PeerEvent>, _ decode: (Signal) -> Element?, into events: AsyncStream<Element>.Continuation
  ) async {
    var center: BusName?
    for await item in news {
      switch item {
      case .owner(let owner):
        guard center == nil else { return }
        center = owner
      case .signal(let signal):
        if let event = decode(signal) { events.yield(event) }
      }
    }
  }
}
