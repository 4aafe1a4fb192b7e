// SPDX-License-Identifier: Apache-2.0
public import Suzu
internal import Synchronization

/// What a user of a ``SpyCenter`` chose, and how the program under test dealt with it.
public final class SpyResponse: Sendable {
  /// How a handler of the program reported that it was done.
  public enum Report: Hashable, Sendable {
    /// It is done.
    case completed
    /// It failed, for this reason.
    case failed(String)
  }

  /// The user's choice, as the program gets it.
  public let response: Response
  /// The effect of the action, which the spy does not carry out; nil if the program handles it.
  public let effect: Action.Effect?

  private struct State {
    var outcome: Outcome?
    var reports: [Report] = []
    var isGiven = false
    var waiting: [Int: CheckedContinuation<Outcome?, Never>] = [:]
    var lastWaiting = 0
  }

  private let state = Mutex(State())

  init(_ response: Response, _ effect: Action.Effect?) {
    self.response = response
    self.effect = effect
  }

  /// The outcome so far; nil while the program has not reported that it is done. `waiting` is no outcome: no handler of
  /// the app has attached yet.
  public var outcome: Outcome? { state.withLock { $0.outcome } }

  /// Everything that the program reported about this response, in order.
  public var reports: [Report] { state.withLock { $0.reports } }

  /// Whether a handler of the program received it.
  public var isReceived: Bool { state.withLock { $0.isGiven } }

  /// Whether the program reported more than once that it was done. The center refuses all reports but the first.
  public var isReportedTwice: Bool { reports.count > 1 }

  /// Waits for the outcome, up to a limit of real time; nil if the program has reported nothing by then.
  ///
  /// A handler that never reports is told by the center after 30 seconds, which a test lets pass on the clock:
  ///
  ///     let response = try spy.user.press("again", on: "tea")
  ///     spy.clock.advance(by: .seconds(30))
  ///     #expect(response.outcome == .failed("the app did not say within 30s that it was done"))
  public func outcome(within limit: Duration = .seconds(10)) async -> Outcome? {
    await withCheckedContinuation { continuation in
      let (outcome, number): (Outcome?, Int?) = state.withLock { state in
        if let outcome = state.outcome { return (outcome, nil) }
        state.lastWaiting += 1
        state.waiting[state.lastWaiting] = continuation
        return (nil, state.lastWaiting)
      }
      guard let number else { return continuation.resume(returning: outcome) }
      Task.detached { [self] in
        // A sleep is meant: the limit of the wait.
        try? await Task.sleep(for: limit)
        state.withLock { $0.waiting.removeValue(forKey: number) }?.resume(returning: nil)
      }
    }
  }

  // MARK: What happens to it

  func noteGiven() { state.withLock { $0.isGiven = true } }

  /// A handler has reported that it is done; `problem` says why it failed.
  func note(_ problem: String?) { state.withLock { $0.reports.append(problem.map { .failed($0) } ?? .completed) } }

  /// Sets the outcome; the first one stays.
  func end(_ outcome: Outcome) {
    let waiting = state.withLock { state -> [CheckedContinuation<Outcome?, Never>] in
      guard state.outcome == nil else { return [] }
      state.outcome = outcome
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for continuation in waiting { continuation.resume(returning: outcome) }
  }
}
