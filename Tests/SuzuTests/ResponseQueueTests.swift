// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import Testing

@testable import Suzu

/// Tests the wait for the next response of an app.
@Suite(.timeLimit(.minutes(1))) struct ResponseQueueTests {
  private static func response(_ number: UInt64) -> AppResponse {
    AppResponse(Response(number: number, app: "a", id: "\(number)", action: "b")) { _ in }
  }

  // Under load, the limit was over before the wait had begun, so the wait did not end, and neither did the program.
  @Test func `A limit that is over at once ends the wait`() async {
    let queue = ResponseQueue()
    #expect(await queue.next { end in end() } == nil)
    // A response that has come already is not lost by it.
    queue.put(Self.response(1))
    #expect(await queue.next { end in end() }?.response.number == 1)
    queue.put(Self.response(2))
    #expect(queue.take()?.response.number == 2 && queue.take() == nil)
  }

  @Test func `A wait ends with the queue, and with its task`() async {
    let queue = ResponseQueue()
    let cancelled = Task { await queue.next() == nil }
    cancelled.cancel()
    #expect(await cancelled.value)
    queue.end()
    #expect(await queue.next() == nil)
  }
}
