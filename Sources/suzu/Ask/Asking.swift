// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import EventLoop
internal import Glibc
internal import NotificationModel

/// Puts a question to the user, and waits for the answer.
struct Asking {
  let question: Question
  let loop: EventLoop
  private let app = NotificationRequest.defaultApp

  init(_ question: Question, on loop: EventLoop) {
    (self.question, self.loop) = (question, loop)
  }

  /// An answer, and the id of its request; nil if the center has not accepted one.
  struct Result {
    var answer: Answer
    var id: String?
  }

  /// How much longer than its limit a question may take to be withdrawn: the center may hang.
  private static let withdrawalLimit: Duration = .seconds(2)
  /// How long the response to a question may take that was answered just before its limit.
  private static let lateResponseLimit: Duration = .milliseconds(500)

  /// Throws only for mistakes in the question.
  func result() async throws -> Result {
    // Whatever hangs, a question with a limit ends.
    let (results, continuation) = AsyncStream<Swift.Result<Result, any Error>>.makeStream()
    if let limit = question.limit {
      _ = loop.schedule(after: limit + Self.withdrawalLimit) {
        continuation.yield(.success(Result(answer: Answer(.timeLimit, of: question, app: app))))
      }
    }
    let start = EventLoop.Clock.monotonic.now
    let work = Task(executorPreference: loop) { [self] in
      do { continuation.yield(.success(try await ask(since: start))) } catch { continuation.yield(.failure(error)) }
    }
    defer { work.cancel() }
    for await result in results { return try result.get() }
    return Result(answer: Answer(.centerEnded, of: question, app: app))
  }

  private func ask(since start: Duration) async throws -> Result {
    let request = question.request
    var id: String?
    if let result = try await HomeAsking(question: question, loop: loop).result(since: start) { return result }
    if let answer = try await TerminalAsking(question: question, loop: loop).answer(since: start) {
      return Result(answer: answer)
    }
    do {
      let center = try await Center.connect(on: loop)
      // Listen first: the answer may come before the id.
      let wait = try await AnswerWait(for: center, on: loop)
      AskerWatch.begin(on: loop, whenGone: wait.ending(with: .askerGone))
      if let limit = question.limit {
        _ = loop.schedule(at: start + limit, on: .monotonic) { wait.end(with: .timeLimit) }
      }
      async let obstacles = Obstacles(center, environment: ChildProcess.inheritedEnvironment())
        .lines(for: request, waits: true, isFromFile: false)
      let accepted = try await center.ask(request).text
      id = accepted
      for line in await obstacles { Console.warn("ask", line) }
      return Result(answer: await answer(to: accepted, wait, center), id: accepted)
    } catch let error as SuzuError where ![.invalidRequest, .limitExceeded].contains(error.code) {
      return Result(answer: .silence(CommandError(error)), id: id)
    }
  }

  private func answer(to id: String, _ wait: AnswerWait, _ center: Center) async -> Answer {
    var end = await wait.answer(to: id, of: app, need: question.need)
    while case .centerEnded = end {
      guard let next = await resumed(id, wait, center) else { break }
      end = next
    }
    if case .timeLimit = end, await withdraw(id, center) == 0 {
      // It was answered at the last moment, or could not be withdrawn.
      _ = loop.schedule(after: Self.lateResponseLimit) { wait.end(with: .timeLimit) }
      end = await wait.answer(to: id, of: app, need: question.need)
    }
    switch end {
    case .interrupted, .askerGone: _ = await withdraw(id, center)
    default: break
    }
    return Answer(end, of: question, app: app)
  }

  /// Without the caller, or after its limit, the question has no purpose. Returns whether there was anything to remove.
  private func withdraw(_ id: String, _ center: Center) async -> Int {
    let cancelled = (try? await center.cancel(app: app, ids: [id])) ?? 0
    return cancelled + ((try? await center.dismiss(app: app, ids: [id])) ?? 0)
  }

  /// The center has ended; the bus starts it again, and its store has the question. Returns nil if there is no center.
  private func resumed(_ id: String, _ wait: AnswerWait, _ center: Center) async -> AnswerWait.End? {
    do {
      try await wait.listen(to: center)
      let search = StoredRequestSearch(center: center)
      guard let row = try await search.find(id, app: app).first else { return nil }
      if [.pending, .due, .delivered].contains(row.state), row.action == nil {
        wait.resume(isDelivered: row.state == .delivered)
        return await wait.answer(to: id, of: app, need: question.need)
      }
      return Self.end(row)
    } catch {
      return nil
    }
  }

  /// How a question ended while no center ran, or none was listened to.
  private static func end(_ row: ListedRequest) -> AnswerWait.End {
    guard let action = row.action else {
      return .ended(row.reason.flatMap(RequestEnd.init) ?? .unknown)
    }
    let response = Response(number: 0, app: row.app, id: row.id, action: action, reply: row.reply)
    return switch row.outcome {
    case .done, .unhandled, nil: .response(response)
    case .some(let outcome): .notDone(response, outcome)
    }
  }
}
