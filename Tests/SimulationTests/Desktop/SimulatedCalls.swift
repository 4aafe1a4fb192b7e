// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Freedesktop
import NotificationModel
import Scheduling

@testable import suzud

/// The calls to the simulated server.
final class SimulatedCalls: ServerCalls {
  private let reach: SimulatedCenter.Reach

  init(_ reach: SimulatedCenter.Reach) { self.reach = reach }

  func start() async throws(PostFailure) { throw .gone }

  func post(
    _ notification: ServerNotification, replacing number: UInt32,
    answered: @escaping @Sendable (Result<PostedNumber, PostFailure>) -> Void,
    whenLate: @escaping @Sendable (PostedNumber) -> Void
  ) throws(PostFailure) {
    guard let center = reach.center, let outside = reach.outside, let server = center.server?.owner else {
      throw .gone
    }
    let entry = center.beginPost(of: notification)
    let answer = SimulatedAnswer()
    let call = outside.post(
      notification, to: server, of: entry?.due.request.id?.text ?? "", date: entry?.due.date.milliseconds,
      replacing: number
    ) {
      answer.fill($0)
    }
    answer.pass(on: reach.loop, limit: NotificationServerClient.Limits().posting) { [reach] result in
      if case .failure(.timedOut) = result { reach.outside?.timedOut(call) }
      // Until the center handles the answer, in the loop's next turn, it is still being posted.
      if let entry { reach.loop.performNext { reach.center?.endPost(of: entry) } }
      answered(result.map { PostedNumber(server: server, number: $0) })
    } whenLate: {
      whenLate(PostedNumber(server: server, number: $0))
    }
  }

  func close(_ number: PostedNumber) async throws {
    guard let outside = reach.outside, reach.center?.server?.owner == number.server else { return }
    outside.close(number)
  }

  func answers() async -> Bool {
    guard let outside = reach.outside, let server = reach.center?.server?.owner else { return false }
    let answer = SimulatedAnswer()
    outside.ask(server) { answer.fill($0 ? .success(0) : .failure(.gone)) }
    let result = await reach.loop.withContinuation { continuation in
      answer.pass(on: reach.loop, limit: NotificationServerClient.Limits().asking) {
        continuation.resume(returning: $0)
      }
    }
    return (try? result.get()) != nil
  }
}

/// The simulated server's answer to a call. It may come within the call, or after the time limit.
private final class SimulatedAnswer: @unchecked Sendable {
  // @unchecked: all of it is used on the thread of the simulation.
  private var result: Result<UInt32, PostFailure>?
  private var waiting: ((Result<UInt32, PostFailure>) -> Void)?

  func fill(_ result: Result<UInt32, PostFailure>) {
    self.result = result
    waiting?(result)
  }

  /// Calls `answered` once.
  ///
  /// - Parameter whenLate: called with an answer that comes after the limit.
  func pass(
    on loop: EventLoop, limit: Duration, answered: @escaping (Result<UInt32, PostFailure>) -> Void,
    whenLate: @escaping (UInt32) -> Void = { _ in }
  ) {
    if let result { return answered(result) }
    let end = loop.schedule(after: limit) { [self] in
      waiting = { if case .success(let number) = $0 { whenLate(number) } }
      answered(.failure(.timedOut))
    }
    waiting = {
      end.cancel()
      answered($0)
    }
  }
}
