// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import EventLoop
internal import Glibc
internal import NotificationModel
internal import SystemFiles

/// A call of the center at home, over a connection of its own.
///
/// Confined to the loop's thread.
final class HomeCall {
  enum News {
    case answer(RemoteAnswer)
    /// The link has ended.
    case ended
    case timeLimit
    case interrupted(Int32)
    case askerGone
  }

  /// The app that this machine is at home.
  let app: String
  let news: AsyncStream<News>
  private let continuation: AsyncStream<News>.Continuation
  private let socket: LineSocket
  private let loop: EventLoop

  /// How long the desktop at home may take to greet: SSH accepts the connection even if nothing listens there.
  private static let greetingLimit: Duration = .seconds(5)
  /// How long it may take to answer.
  private static let answerLimit: Duration = .seconds(30)

  private init(
    _ app: String, _ news: AsyncStream<News>, _ continuation: AsyncStream<News>.Continuation, _ socket: LineSocket,
    on loop: EventLoop
  ) {
    (self.app, self.news, self.continuation, self.socket, self.loop) = (app, news, continuation, socket, loop)
  }

  deinit { socket.close() }

  /// Connects; nil if no desktop at home can be reached.
  static func begin(on loop: EventLoop) async -> HomeCall? {
    guard let path = HomeSocket.path() else { return nil }
    return await begin(at: path, on: loop)
  }

  // Not inlined: the types of a stream would be looked up before it is known that there is no socket.
  @inline(never) private static func begin(at path: String, on loop: EventLoop) async -> HomeCall? {
    guard let file = try? SocketPath.connect(path) else { return nil }
    let socket = LineSocket(file, longest: LineSocket.longestAnswer, on: loop)
    let (news, continuation) = AsyncStream<News>.makeStream()
    socket.whenRead = { continuation.yield(RemoteAnswer($0).map { .answer($0) } ?? .ended) }
    socket.whenEnded = { continuation.yield(.ended) }
    guard (try? socket.start()) != nil else { return nil }
    let limit = loop.schedule(after: greetingLimit) { continuation.yield(.timeLimit) }
    defer { limit.cancel() }
    for await item in news {
      if case .answer(.greeting(let app)) = item { return HomeCall(app, news, continuation, socket, on: loop) }
      break
    }
    socket.close()
    return nil
  }

  func end() { socket.close() }

  // MARK: Short calls

  /// Calls, and returns the answer.
  func ask(_ call: String, _ words: [String: PlainValue]) async throws(SuzuError) -> RemoteAnswer {
    send(call, words)
    let limit = loop.schedule(after: Self.answerLimit) { [continuation] in continuation.yield(.timeLimit) }
    defer {
      limit.cancel()
      end()
    }
    return try await next()
  }

  func send(_ call: String, _ words: [String: PlainValue]) {
    socket.send(words.merging(["call": .text(call)]) { $1 })
  }

  /// The next answer; an error of the center at home is thrown.
  private func next() async throws(SuzuError) -> RemoteAnswer {
    for await item in news {
      switch item {
      case .answer(.failed(let code, let message)): throw SuzuError(SuzuError.Code(rawValue: code), message)
      case .answer(let answer): return answer
      case .timeLimit: throw SuzuError(.unavailable, "the desktop at home does not answer")
      case .ended, .interrupted, .askerGone: throw SuzuError(.interrupted, "the link to the desktop at home has ended")
      }
    }
    throw SuzuError(.interrupted, "the link to the desktop at home has ended")
  }

  // MARK: Questions

  /// Begins to report signals, the end of a limit and that of the asker.
  func watchAsker(limit: Duration?) throws(EventLoopError) {
    for signal in [SIGINT, SIGTERM, SIGHUP] where !Process.ignores(signal) {
      try loop.onSignal(signal) { [continuation] in continuation.yield(.interrupted(signal)) }
    }
    if let limit { _ = loop.schedule(after: limit) { [continuation] in continuation.yield(.timeLimit) } }
  }

  /// The end of the asker, as a closure for the one that watches it.
  var askerHasGone: @Sendable () -> Void {
    { [continuation] in continuation.yield(.askerGone) }
  }

  /// Sends a request and waits for its answer; returns its id as soon as that is known. Ending the connection withdraws
  /// it.
  func wait(for request: [String: PlainValue], accepted: (String) -> Void) async throws(SuzuError) -> AnswerWait.End? {
    send("ask", ["request": .dictionary(request)])
    var id = ""
    defer { end() }
    for await item in news {
      switch item {
      case .answer(.failed(let code, let message)): throw SuzuError(SuzuError.Code(rawValue: code), message)
      case .answer(.id(let given)):
        id = given
        accepted(given)
      case .answer(let answer): if let end = answer.end(of: id, app) { return end }
      case .interrupted(let signal): return .interrupted(signal)
      case .timeLimit: return .timeLimit
      case .askerGone: return .askerGone
      case .ended: return nil
      }
    }
    return nil
  }
}
