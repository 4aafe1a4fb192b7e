// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Synchronization

/// The responses that an app has received, so that one that comes twice is handled once: by a signal and by D-Bus
/// activation, or again from a center that has restarted.
final class KnownResponses: Sendable {
  /// Answers the call that has brought a response: nil if it was handled, else why not.
  typealias Answer = @Sendable (_ problem: String?) -> Void

  /// What is to be done with a response that comes in.
  enum Arrival {
    /// Hand it to the app.
    case new
    /// The app has it.
    case inHand
    /// The app has handled it; tell so again.
    case ended(problem: String?)
  }

  /// Who waits for the end of a response.
  struct Waiting {
    var center = false
    var answers: [Answer] = []
  }

  private struct Known {
    let response: Response
    var waiting: Waiting
    var end: String??
  }

  private struct State {
    var known: [UInt64: Known] = [:]
    var ended: [UInt64] = []
  }

  private let state = Mutex(State())

  /// How many responses that have ended are remembered.
  private static let mostEnded = 256

  /// Notes a response. Without an answer, the center has sent it, and waits for its end.
  func arrive(_ response: Response, _ answer: Answer?) -> Arrival {
    // The token differs if it has come by another way.
    var response = response
    response.activationToken = nil
    return state.withLock { state in
      // A center that lost its store counts from the beginning again.
      guard var known = state.known[response.number], known.response == response else {
        var known = Known(response: response, waiting: Waiting())
        known.waiting.add(answer)
        state.ended.removeAll { $0 == response.number }
        state.known[response.number] = known
        return .new
      }
      if let end = known.end { return .ended(problem: end) }
      known.waiting.add(answer)
      state.known[response.number] = known
      return .inHand
    }
  }

  /// Notes that a response was handled or failed; returns who waits for that.
  func end(_ number: UInt64, _ problem: String?) -> Waiting {
    state.withLock { state in
      guard var known = state.known[number], known.end == nil else { return Waiting() }
      let waiting = known.waiting
      known.end = .some(problem)
      known.waiting = Waiting()
      state.known[number] = known
      state.ended.append(number)
      if state.ended.count > Self.mostEnded { state.known[state.ended.removeFirst()] = nil }
      return waiting
    }
  }
}

extension KnownResponses.Waiting {
  fileprivate mutating func add(_ answer: KnownResponses.Answer?) {
    if let answer { answers.append(answer) } else { center = true }
  }
}
