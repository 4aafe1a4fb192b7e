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
    let ownID = question.request["id"] == nil ? Self.newID() : nil
    let request = question.request.merging(ownID.map { ["id": .text($0)] } ?? [:]) { $1 }
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
      async let obstacles = Obstacles(center, environment: ChildProcess.inheritedEnvironment)
        .lines(for: request, waits: true, isFromFile: false, isQuestion: true)
      let accepted = try await submit(request, ownID, to: center)
      id = accepted
      for line in await obstacles { Console.warn("ask", line) }
      return Result(answer: await answer(to: accepted, wait, center), id: accepted)
    } catch let error as SuzuError where ![.invalidRequest, .limitExceeded].contains(error.code) {
      return Result(answer: .silence(CommandError(error)), id: id)
    }
  }

  /// The command names the question: the center may end after it has stored it and before it tells its id.
  private static func newID() -> String {
    var ids = NewIDs()
    return ids.next(at: EventLoop.Clock.monotonic.now).text
  }

  /// Returns the id of the question once a center has it.
  ///
  /// - Parameter ownID: the id if it is new, so that no other request can have it.
  private func submit(_ request: [String: PlainValue], _ ownID: String?, to center: Center) async throws(SuzuError)
    -> String
  {
    do throws(SuzuError) {
      return try await center.ask(request).text
    } catch {
      guard error.code == .interrupted else { throw error }
      if let ownID, try await StoredRequestSearch(center: center).find(ownID, app: app).first != nil { return ownID }
      // It was not stored, or a request with that id may be an earlier one, which the question replaces.
      return try await center.ask(request).text
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
      while let row = try await search.find(id, app: app).first {
        if let end = end(row) { return end }
        if row.action == nil {
          wait.resume(isDelivered: row.state == .delivered)
          return await wait.answer(to: id, of: app, need: question.need)
        }
        if let end = await wait.anyOutcome() { return end }
      }
      return nil
    } catch {
      return nil
    }
  }

  /// How a question ended while no center ran, or none was listened to; nil if that is still to come.
  private func end(_ row: ListedRequest) -> AnswerWait.End? {
    guard let action = row.action else {
      if [.pending, .due, .delivered].contains(row.state) { return nil }
      return .ended(row.reason.flatMap(RequestEnd.init) ?? .unknown)
    }
    let response = Response(number: 0, app: row.app, id: row.id, action: action, reply: row.reply)
    let need = question.need(action)
    if need == .nothing || need == .text && row.reply != nil { return .response(response) }
    guard let outcome = row.outcome, outcome.isFinal else { return nil }
    if need == .text { return .dialogMissing(response, outcome) }
    return [.done, .unhandled].contains(outcome) ? .response(response) : .notDone(response, outcome)
  }
}

extension Outcome {
  /// Whether no other one follows.
  fileprivate var isFinal: Bool {
    switch self {
    case .waiting, .other: false
    case .done, .failed, .refused, .lapsed, .unhandled: true
    }
  }
}
