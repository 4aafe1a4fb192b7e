// SPDX-License-Identifier: Apache-2.0
internal import DBus

/// Reports that the lock state may have changed: signals, and names that appear or vanish. The contents of the signals
/// are ignored, because only the direct answer to a query counts.
enum LockNews {
  case savers
  case logind

  /// Reads one subscription to its end.
  private typealias Reading = @Sendable () async -> Void

  /// Reports once when all subscriptions are active, and then every change; returns when the connection is closed, or
  /// the task is cancelled. The subscriptions end with it.
  static func follow(_ news: LockNews, on connection: Connection, _ tell: @escaping @Sendable () -> Void) async {
    var events = await connection.events().makeAsyncIterator()
    while !Task.isCancelled {
      let readings = try? await news.subscribe(on: connection, tell)
      tell()
      if let readings {
        return await withTaskGroup { group in
          for reading in readings { group.addTask { await reading() } }
        }
      }
      // The bus is disconnected: subscribing must wait until it is back.
      var event = await events.next(isolation: #isolation)
      while case .disconnected = event { event = await events.next(isolation: #isolation) }
      if event == nil { return }
    }
  }

  private func subscribe(
    on connection: Connection, _ tell: @escaping @Sendable () -> Void
  ) async throws(CallError) -> [Reading] {
    var readings: [Reading] = []
    switch self {
    case .savers:
      for saver in ScreenSaver.all {
        for path in saver.paths {
          readings.append(Self.reading(try await connection.follow(saver.name, path, saver.interface), tell))
        }
      }
    case .logind:
      // The manager reports new and removed sessions.
      readings.append(Self.reading(try await connection.follow(Logind.name, Logind.path, Logind.manager), tell))
      let hints = MatchRule(
        sender: Logind.name, pathNamespace: Logind.path, interface: StandardInterfaces.properties,
        member: StandardInterfaces.propertiesChanged.name)
      readings.append(Self.reading(try await connection.signals(matching: hints, buffering: 1), tell))
    }
    return readings
  }

  private static func reading(_ events: AsyncStream<PeerEvent>, _ tell: @escaping @Sendable () -> Void) -> Reading {
    { for await _ in events { tell() } }
  }

  private static func reading(_ signals: SignalStream, _ tell: @escaping @Sendable () -> Void) -> Reading {
    {
      do {
        for try await _ in signals { tell() }
      } catch {
        // The connection was closed.
      }
    }
  }
}
