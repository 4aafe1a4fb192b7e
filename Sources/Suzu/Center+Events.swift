// SPDX-License-Identifier: Apache-2.0
internal import DBus
public import NotificationModel

extension Center {
  /// All events from now on. The sequence ends with the center, or with ``close()``.
  public func events() async throws(SuzuError) -> AsyncStream<CenterEvent> {
    try connection.enter()
    let news: AsyncStream<PeerEvent>
    do throws(SuzuError) {
      // Subscribe first: the call starts the center, and events after its answer must not be missed.
      news = try await connection.use { connection throws(CallError) in
        try await connection.follow(Self.busName, Self.path, Self.interface)
      }
      _ = try await call("Watch", [true])
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
        if let event = event(signal) { events.yield(event) }
      }
    }
  }

  private static func event(_ signal: Signal) -> CenterEvent? {
    let arguments = signal.arguments
    switch (signal.member.text, arguments.map(\.type.code).joined()) {
    case ("Delivered", "ssa{sv}"):
      let details = arguments[2].properties
      return .delivered(
        app: arguments[0].string ?? "", id: arguments[1].string ?? "", due: details?["due"]?.string,
        missed: missed(details), replaces: details?["replaces"] == .boolean(true))
    case ("Responded", "tsssa{sv}"):
      let details = arguments[4].properties
      return .responded(
        Response(
          number: number(arguments[0]), app: arguments[1].string ?? "", id: arguments[2].string ?? "",
          action: arguments[3].string ?? "", reply: details?["reply"]?.string, due: details?["due"]?.string,
          missed: missed(details), userInfo: userInfo(details)))
    case ("Closed", "sss"):
      let reason = RequestEnd(rawValue: arguments[2].string ?? "") ?? .unknown
      return .closed(app: arguments[0].string ?? "", id: arguments[1].string ?? "", reason: reason)
    case ("Outcome", "ts"):
      return .outcome(response: number(arguments[0]), Outcome(arguments[1].string ?? ""))
    default: return nil
    }
  }

  private static func userInfo(_ details: [String: Value]?) -> [String: PlainValue] {
    details?["userInfo"]?.properties?.compactMapValues(PlainValue.init) ?? [:]
  }

  private static func missed(_ details: [String: Value]?) -> Int {
    details?["missed"]?.integer.flatMap { Int(exactly: $0) } ?? 0
  }

  private static func number(_ value: Value) -> UInt64 {
    if case .uint64(let number) = value { number } else { 0 }
  }
}
