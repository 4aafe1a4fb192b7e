// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import EventLoop
internal import Glibc
internal import NotificationModel

/// Puts a question to the user at the desktop at home, over a link that SSH carries.
struct HomeAsking {
  let question: Question
  let loop: EventLoop

  /// The answer; nil if there is no link. Throws only for mistakes in the question.
  func result(since start: Duration) async throws -> Asking.Result? {
    guard let home = await HomeCall.begin(on: loop) else { return nil }
    let left = question.limit.map { max($0 - (EventLoop.Clock.monotonic.now - start), .zero) }
    try home.watchAsker(limit: left)
    AskerWatch.begin(on: loop, whenGone: home.askerHasGone)
    let request = HomeRequest(question.request)
    if let warning = request.warning { Console.warn("ask", warning) }
    var id: String?
    do throws(SuzuError) {
      guard let end = try await home.wait(for: request.words, accepted: { id = $0 }) else {
        return Asking.Result(
          answer: .silence("the link to the desktop at home has ended", EX_UNAVAILABLE), id: id)
      }
      return Asking.Result(answer: Answer(end, of: question, app: home.app), id: id)
    } catch {
      if [.invalidRequest, .limitExceeded].contains(error.code) { throw error }
      return Asking.Result(answer: .silence(CommandError(error)), id: id)
    }
  }
}
