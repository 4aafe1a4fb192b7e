// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import CenterContract
internal import DBus
internal import NotificationModel

extension AppLink {
  /// Takes a response of the center.
  ///
  /// - Parameter answer: answers the call that has brought it; nil for one that came as a signal.
  func receive(_ response: Response, answer: KnownResponses.Answer? = nil) {
    switch responses.arrive(response, answer) {
    case .new: queue.put(AppResponse(response) { await self.end(response.number, $0) })
    case .inHand: break
    case .ended(let problem):
      if let answer { return answer(problem) }
      _ = Task { await report(response.number, problem) }
    }
  }

  private func end(_ number: UInt64, _ problem: String?) async {
    let waiting = responses.end(number, problem)
    for answer in waiting.answers { answer(problem) }
    if waiting.center { await report(number, problem) }
    if !waiting.answers.isEmpty { await reachBus() }
  }

  /// An error means that the center has restarted, or that it was too late: the history says so.
  private func report(_ number: UInt64, _ problem: String?) async {
    _ = try? await connection.use { connection throws(CallError) in
      try await connection.call(
        CenterMethods.complete, of: CenterBus.runningCenter, number, problem.map { ["error": .string($0)] } ?? [:])
    }
  }

  /// Returns when the bus has received the answers above: the program may end then. An answer is sent in the next turn
  /// of the loop, so after the first of these calls, and the bus keeps the order of what one sender sends.
  func reachBus() async {
    _ = try? await connection.use { connection throws(CallError) in
      for _ in 0..<2 { try await connection.call(BusMethods.getID, of: .bus) }
    }
  }
}
