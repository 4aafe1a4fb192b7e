// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import EventLoop
internal import Glibc
internal import NotificationModel

/// Waits until a request is answered or has ended, or until a signal or a limit ends the wait.
///
/// Confined to the loop's thread.
final class AnswerWait {
  enum End {
    case response(Response)
    /// An action was chosen that asks for a text, and there is none, with this outcome; or the list of actions could
    /// not be shown.
    case dialogMissing(Response, Outcome)
    /// An action was chosen that waits for its outcome, and this is not that it was done.
    case notDone(Response, Outcome)
    /// The request ended without an answer.
    case ended(RequestEnd)
    case centerEnded
    /// A signal interrupted the wait.
    case interrupted(Int32)
    /// The time limit is over.
    case timeLimit
    /// The answer has no reader any more.
    case askerGone
  }

  /// What an action needs before its response is the answer.
  enum Need {
    case nothing
    /// A line of text.
    case text
    /// That the center has carried it out, because it waits for the session to be unlocked.
    case outcome
  }

  private enum News {
    case event(CenterEvent)
    case end(End)
    /// The grace period after an end is over, so no answer will follow.
    case graceIsOver(RequestEnd)
  }

  private let news: AsyncStream<News>
  private let continuation: AsyncStream<News>.Continuation
  private var reading: Task<Void, Never>?
  private let loop: EventLoop
  private var progress = RequestProgress()

  /// How long after the end a click may still come: some servers report the close first.
  private static let graceAfterClose: Duration = .milliseconds(500)
  /// The time limit for cancelling the request before the process ends anyway.
  static let cancelLimit: Duration = .seconds(1)

  /// Starts listening.
  init(for center: Center, on loop: EventLoop) async throws {
    self.loop = loop
    let (news, continuation) = AsyncStream<News>.makeStream()
    (self.news, self.continuation) = (news, continuation)
    // From here on there is a request to cancel.
    for signal in [SIGINT, SIGTERM, SIGHUP] where !Process.ignores(signal) {
      try loop.onSignal(signal) { [unowned loop] in
        continuation.yield(.end(.interrupted(signal)))
        _ = loop.schedule(after: Self.cancelLimit) { Process.end(by: signal) }
      }
    }
    try await listen(to: center)
  }

  /// Waits by these events, without regard to signals.
  init(to events: AsyncStream<CenterEvent>, on loop: EventLoop) {
    self.loop = loop
    (news, continuation) = AsyncStream<News>.makeStream()
    follow(events)
  }

  deinit { reading?.cancel() }

  /// Listens to the center that runs now, which the bus starts if none does: also again, after ``End/centerEnded``.
  func listen(to center: Center) async throws {
    follow(try await center.events())
  }

  private func follow(_ events: AsyncStream<CenterEvent>) {
    reading = Task(executorPreference: loop) { [continuation] in
      for await event in events { continuation.yield(.event(event)) }
      continuation.yield(.end(.centerEnded))
    }
  }

  /// Continues with a request that another center has taken over.
  func resume(isDelivered: Bool) { progress = RequestProgress(isDelivered: isDelivered) }

  /// Waits until some response has its outcome, and returns nil; or returns how the wait ended before that.
  func anyOutcome() async -> End? {
    for await item in news {
      switch item {
      case .end(let end): return end
      case .event(.outcome): return nil
      case .event, .graceIsOver: break
      }
    }
    return .centerEnded
  }

  /// Makes the wait end like this, unless it has ended.
  func end(with end: End) { continuation.yield(.end(end)) }

  /// The same as a closure for other threads.
  func ending(with end: End) -> @Sendable () -> Void {
    { [continuation] in continuation.yield(.end(end)) }
  }

  /// - Parameter need: what the action with this id needs. One that is none of the request's, but the click that opens
  ///   the list, needs a text.
  func answer(
    to id: String, of app: String, need: @escaping @Sendable (_ action: String) async -> Need = { _ in .nothing }
  ) async -> End {
    // The outcome of a response whose text is missing says why, and follows at once.
    var textless: Response?
    // The notification has left the screen, but the session may have to be unlocked first.
    var waiting: Response?
    for await item in news {
      switch item {
      case .end(let end): return end
      case .graceIsOver(let end): if waiting == nil, progress.stands(end) { return .ended(end) }
      case .event(.responded(let response)):
        guard isMeant(response.app, response.id) else { break }
        switch await need(response.action) {
        case .nothing: return .response(response)
        case .text:
          if response.reply != nil { return .response(response) }
          textless = response
        case .outcome: waiting = response
        }
      case .event(.outcome(let number, let outcome)):
        if let textless, textless.number == number { return .dialogMissing(textless, outcome) }
        if let waiting, waiting.number == number, let end = Self.end(of: waiting, outcome) { return end }
      case .event(.delivered(let itsApp, let itsID, _, _, let replaces)) where isMeant(itsApp, itsID):
        if let end = progress.delivered(replacing: replaces) { endSoon(end) }
      case .event(.closed(let itsApp, let itsID, let reason)) where isMeant(itsApp, itsID):
        if let end = progress.closed(reason) { endSoon(end) }
      case .event: break
      }
    }
    return .centerEnded

    // Another app may use the same id.
    func isMeant(_ itsApp: String, _ itsID: String) -> Bool { itsID.isIdentical(to: id) && itsApp.isIdentical(to: app) }

    func endSoon(_ end: RequestEnd) {
      _ = loop.schedule(after: Self.graceAfterClose) { [continuation] in continuation.yield(.graceIsOver(end)) }
    }
  }

  /// The end that an outcome means; nil if another one follows.
  private static func end(of response: Response, _ outcome: Outcome) -> End? {
    switch outcome {
    case .waiting: nil
    case .done, .unhandled: .response(response)
    default: .notDone(response, outcome)
    }
  }
}

extension Outcome {
  /// The status, and the explanation for the user, of an answer without its text.
  var missingText: (status: Int32, why: String) {
    switch self {
    case .lapsed("cancelled"): (1, "its text dialog was cancelled")
    case .lapsed("dismissed"): (1, "the notification was dismissed before there was a text")
    case .lapsed("replaced"): (1, "a newer request with its id replaced it before there was a text")
    case .lapsed("busy"): (EX_UNAVAILABLE, "too many dialogs of this app are open")
    case .lapsed(let why): (EX_UNAVAILABLE, "\(why) before there was a text")
    case .failed(let why): (EX_UNAVAILABLE, "its text could not be asked for: \(why)")
    default: (EX_UNAVAILABLE, "without its text: \(self)")
    }
  }
}
