// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Glibc
internal import NotificationModel
internal import Suzu

/// Waits for what the user answers, and for whoever does not want to wait any longer.
struct AnswerWait {
  enum End {
    case response(Response)
    /// It left the screen, and nobody answered.
    case closed
    case centerEnded
    /// By a signal.
    case interrupted(Int32)
  }

  private enum News {
    case event(CenterEvent)
    case end(End)
  }

  private let news: AsyncStream<News>
  private let continuation: AsyncStream<News>.Continuation
  private let reading: Task<Void, Never>
  private let loop: EventLoop

  /// How long after the close a click may still come: some servers tell of the close first.
  private static let graceAfterClose: Duration = .milliseconds(500)
  /// How long a center may take to take it back, before the process ends all the same.
  private static let patience: Duration = .seconds(1)

  /// Begins to listen.
  init(for center: Center, on loop: EventLoop) async throws {
    self.loop = loop
    let (news, continuation) = AsyncStream<News>.makeStream()
    (self.news, self.continuation) = (news, continuation)
    // From here on there is something to take back.
    for signal in [SIGINT, SIGTERM, SIGHUP] where !Process.ignores(signal) {
      try loop.onSignal(signal) { [unowned loop] in
        continuation.yield(.end(.interrupted(signal)))
        _ = loop.schedule(after: Self.patience) { Process.end(by: signal) }
      }
    }
    let events = try await center.events()
    reading = Task(executorPreference: loop) {
      for await event in events { continuation.yield(.event(event)) }
      continuation.yield(.end(.centerEnded))
    }
  }

  func answer(to id: String, of app: String) async -> End {
    defer { reading.cancel() }
    for await item in news {
      switch item {
      case .end(let end): return end
      // Another app may use the same id.
      case .event(.responded(let response)) where response.id == id && response.app == app: return .response(response)
      case .event(.closed(app, id, _)):
        _ = loop.schedule(after: Self.graceAfterClose) { [continuation] in continuation.yield(.end(.closed)) }
      case .event: break
      }
    }
    return .centerEnded
  }
}
