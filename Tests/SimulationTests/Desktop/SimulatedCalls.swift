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
    _ notification: ServerNotification, replacing number: UInt32, whenLate: @escaping @Sendable (PostedNumber) -> Void
  ) throws(PostFailure) -> OpenPost {
    guard let center = reach.center, let outside = reach.outside, let server = outside.serverState?.owner else {
      throw .gone
    }
    let entry = center.beginPost(of: notification)
    let answer = SimulatedAnswer()
    outside.post(
      notification, of: entry?.due.request.id?.text ?? "", date: entry?.due.date.milliseconds, replacing: number
    ) {
      answer.fill($0)
    }
    let reach = reach
    return OpenPost { () async throws(PostFailure) in
      let number = await answer.wait(on: reach.loop, limit: NotificationServerClient.Limits().posting) {
        whenLate(PostedNumber(server: server, number: $0))
      }
      // Until now it was still being posted, for the center.
      if let entry { reach.center?.endPost(of: entry) }
      return PostedNumber(server: server, number: try number.get())
    }
  }

  func close(_ number: PostedNumber) async throws {
    guard let outside = reach.outside, outside.serverState?.owner == number.server else { return }
    outside.close(number.number)
  }

  func answers() async -> Bool {
    guard let outside = reach.outside, outside.serverState != nil else { return false }
    let answer = SimulatedAnswer()
    outside.ask { answer.fill(.success(0)) }
    let result = await answer.wait(on: reach.loop, limit: NotificationServerClient.Limits().asking) { _ in }
    return (try? result.get()) != nil
  }
}

/// The simulated server's answer to a call. It may come before the center waits for it, and after its time limit.
private final class SimulatedAnswer: @unchecked Sendable {
  // @unchecked: all of it is used on the thread of the simulation.
  private var result: Result<UInt32, PostFailure>?
  private var waiting: ((Result<UInt32, PostFailure>) -> Void)?

  func fill(_ result: Result<UInt32, PostFailure>) {
    self.result = result
    waiting?(result)
  }

  /// - Parameter whenLate: called with an answer that comes after the limit.
  func wait(on loop: EventLoop, limit: Duration, whenLate: @escaping (UInt32) -> Void) async
    -> Result<UInt32, PostFailure>
  {
    await loop.withContinuation { continuation in
      if let result { return continuation.resume(returning: result) }
      let end = loop.schedule(after: limit) { [self] in
        waiting = { if case .success(let number) = $0 { whenLate(number) } }
        continuation.resume(returning: .failure(.timedOut))
      }
      waiting = {
        end.cancel()
        continuation.resume(returning: $0)
      }
    }
  }
}
