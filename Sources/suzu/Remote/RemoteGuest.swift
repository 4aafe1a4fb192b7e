// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import EventLoop
internal import NotificationModel

/// A connection from the other machine, which carries one call: its line, and the lines of the answer. Its end
/// withdraws a question.
///
/// Confined to the loop's thread.
final class RemoteGuest {
  private let socket: LineSocket
  private let requests: RemoteRequests
  private let loop: EventLoop
  private let whenGone: (RemoteGuest) -> Void
  private var deadline: EventLoop.Deadline?
  private var wait: AnswerWait?
  private var isCalled = false
  private(set) var isGone = false

  /// How long a connection may take to say what it wants.
  private static let requestLimit: Duration = .seconds(10)

  init(
    _ socket: LineSocket, _ requests: RemoteRequests, on loop: EventLoop, whenGone: @escaping (RemoteGuest) -> Void
  ) {
    self.socket = socket
    self.requests = requests
    self.loop = loop
    self.whenGone = whenGone
  }

  func start() throws(EventLoopError) {
    socket.whenRead = { [weak self] in self?.called($0) }
    socket.whenEnded = { [weak self] in self?.end() }
    try socket.start()
    deadline = loop.schedule(after: Self.requestLimit) { [weak self] in self?.end() }
    answer(.greeting(app: requests.host.app))
  }

  /// Ends the connection, and with it the question.
  func end() {
    guard !isGone else { return }
    isGone = true
    deadline?.cancel()
    socket.close()
    wait?.end(with: .askerGone)
    whenGone(self)
  }

  private func answer(_ answer: RemoteAnswer) { socket.send(answer.words) }

  private func called(_ words: [String: PlainValue]) {
    // One call for each connection.
    if isCalled { return end() }
    isCalled = true
    deadline?.cancel()
    // The calls of the center are no actor's, so that without the preference they would continue in the pool.
    loop.start { [loop] in await withTaskExecutorPreference(loop) { await self.carryOut(words) } }
  }

  private func carryOut(_ words: [String: PlainValue]) async {
    do throws(SuzuError) { try await serve(words) } catch {
      answer(.failed(code: error.code.rawValue, message: error.message))
    }
    socket.finish { [weak self] in self?.end() }
  }

  private func serve(_ words: [String: PlainValue]) async throws(SuzuError) {
    guard case .text(let call)? = words["call"] else { throw SuzuError(.invalidRequest, "'call' is missing") }
    switch call {
    case "notify": answer(.id(try await requests.notify(try Self.request(words))))
    case "ask": try await ask(try Self.request(words))
    case "cancel": answer(.count(try await requests.cancel(try Self.ids(words))))
    case "dismiss": answer(.count(try await requests.dismiss(try Self.ids(words))))
    case "list":
      var cursor: ListingCursor?
      if case .text(let after)? = words["after"] { cursor = ListingCursor(after) }
      let limit = Self.number(words, "limit")
      let page =
        words["delivered"] == .flag(true)
        ? try await requests.delivered(after: cursor, limit: limit)
        : try await requests.pending(after: cursor, limit: limit)
      answer(.rows(page.rows.map(\.words), next: page.next?.text))
    default:
      throw SuzuError(.invalidRequest, "'\(PrintableText.line(call, atMost: 60))' is no call that may be passed on")
    }
  }

  private static func request(_ words: [String: PlainValue]) throws(SuzuError) -> [String: PlainValue] {
    guard case .dictionary(let request)? = words["request"] else {
      throw SuzuError(.invalidRequest, "'request' is missing")
    }
    return request
  }

  /// No ids mean all.
  private static func ids(_ words: [String: PlainValue]) throws(SuzuError) -> [String] {
    guard case .list(let values)? = words["ids"] else { throw SuzuError(.invalidRequest, "'ids' is missing") }
    let ids = values.compactMap { if case .text(let id) = $0 { id } else { nil } }
    guard ids.count == values.count else { throw SuzuError(.invalidRequest, "'ids' must be a list of strings") }
    return ids
  }

  private static func number(_ words: [String: PlainValue], _ key: String) -> Int {
    if case .integer(let number)? = words[key] { Int(clamping: max(number, 0)) } else { 0 }
  }

  // MARK: Questions

  private func ask(_ request: [String: PlainValue]) async throws(SuzuError) {
    // Listen first: the answer may come before the id.
    let wait = AnswerWait(to: try await requests.events(), on: loop)
    self.wait = wait
    let id = try await requests.ask(request)
    answer(.id(id))
    if isGone { wait.end(with: .askerGone) }
    let needs = Self.needs(of: request)
    let end = await wait.answer(to: id, of: requests.host.app) { action in
      needs[action] ?? (action == Action.listID ? .text : .nothing)
    }
    if let answer = RemoteAnswer(end) { self.answer(answer) }
    switch end {
    case .askerGone, .interrupted, .timeLimit, .centerEnded:
      _ = try? await requests.cancel([id])
      _ = try? await requests.dismiss([id])
    case .response, .dialogMissing, .notDone, .ended: break
    }
  }

  /// What each action needs before it is the answer.
  private static func needs(of request: [String: PlainValue]) -> [String: AnswerWait.Need] {
    guard let actions = try? NotificationRequest(request).content.actions else { return [:] }
    return Dictionary(
      actions.map { ($0.id, $0.input != nil ? .text : $0.authenticationRequired ? .outcome : .nothing) },
      uniquingKeysWith: { first, _ in first })
  }
}
