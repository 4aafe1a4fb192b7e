internal import CenterClient
// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Glibc
internal import NotificationModel

/// Waits until a request is answered or has ended, or until a signal ends the wait.
struct AnswerWait {
  enum End {
    case response(Response)
    /// An action was chosen that asks for a text, and there is none, with this outcome; or the list of actions could not
    /// be shown.
    case dialogMissing(Response, Outcome)
    /// The request ended without an answer.
    case ended(RequestEnd)
    case centerEnded
    /// A signal interrupted the wait.
    case interrupted(Int32)
  }

  private enum News {
    case event(CenterEvent)
    case end(End)
    /// The grace period after an end is over, so no answer will follow.
    case graceIsOver(RequestEnd)
  }

  private let news: AsyncStream<News>
  private let continuation: AsyncStream<News>.Continuation
  private let reading: Task<Void, Never>
  private let loop: EventLoop

  /// How long after the end a click may still come: some servers report the close first.
  private static let graceAfterClose: Duration = .milliseconds(500)
  /// The time limit for cancelling the request before the process ends anyway.
  private static let cancelLimit: Duration = .seconds(1)

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
    let events = try await center.events()
    reading = Task(executorPreference: loop) {
      for await event in events { continuation.yield(.event(event)) }
      continuation.yield(.end(.centerEnded))
    }
  }

  /// - Parameter needsDialog: whether the action with this id asks for a text, or is the click that opens the list.
  func answer(
    to id: String, of app: String, needsDialog: @escaping @Sendable (_ action: String) async -> Bool = { _ in false }
  ) async -> End {
    defer { reading.cancel() }
    var progress = RequestProgress()
    // The outcome of a response whose text is missing says why, and follows at once.
    var textless: Response?
    for await item in news {
      switch item {
      case .end(let end): return end
      case .graceIsOver(let end): if progress.stands(end) { return .ended(end) }
      case .event(.responded(let response)):
        guard isMeant(response.app, response.id) else { break }
        guard response.reply == nil, await needsDialog(response.action) else { return .response(response) }
        textless = response
      case .event(.outcome(let number, let outcome)):
        if let textless, textless.number == number { return .dialogMissing(textless, outcome) }
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
}
