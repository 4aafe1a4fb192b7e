// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Synchronization

/// The signals that fit a match rule, in the order in which they came; for one reader.
///
/// The stream holds as many as it was made for. A reader that is slower loses the oldest, and ``Signal/lostBefore`` of the
/// next one says how many. It ends with an error when the connection does.
public struct SignalStream: AsyncSequence, Sendable {
  let buffer: SignalBuffer

  /// Reads the stream.
  public struct Iterator: AsyncIteratorProtocol {
    let buffer: SignalBuffer

    /// The next signal; waits for it, and returns nil where the task is cancelled.
    public mutating func next() async throws(BusError) -> Signal? {
      try await next(isolation: nil)
    }

    /// The next signal; waits for it, and returns nil where the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(BusError) -> Signal? {
      let buffer = buffer
      let result = await withTaskCancellationHandler {
        await withCheckedContinuation { buffer.wait($0) }
      } onCancel: {
        buffer.cancelWait()
      }
      return try result.get()
    }
  }

  /// Starts reading; signals that came meanwhile are there.
  public func makeAsyncIterator() -> Iterator { Iterator(buffer: buffer) }
}

/// What stands between the connection, which puts signals in on its loop, and a reader anywhere.
final class SignalBuffer: Sendable {
  typealias Next = Result<Signal?, BusError>

  private struct State {
    var signals: [Signal] = []
    var start = 0
    var lost = 0
    var end: BusError?
    var reader: CheckedContinuation<Next, Never>?

    mutating func takeNext() -> Next? {
      guard start < signals.count else { return end.map { .failure($0) } }
      var signal = signals[start]
      signal.lostBefore = lost
      lost = 0
      dropFirst()
      return .success(signal)
    }

    /// The taken front is given back in one go, once it is as long as what is left: one move for each signal.
    mutating func dropFirst() {
      start += 1
      if 2 * start >= signals.count {
        signals.removeFirst(start)
        start = 0
      }
    }
  }

  private let limit: Int
  private let state = Mutex(State())
  private let onEnd: @Sendable () -> Void

  init(limit: Int, onEnd: @escaping @Sendable () -> Void) {
    self.limit = max(limit, 1)
    self.onEnd = onEnd
  }

  deinit {
    onEnd()  // nobody reads any more
  }

  func put(_ signal: Signal) {
    let reader = state.withLock { state -> CheckedContinuation<Next, Never>? in
      if let reader = state.reader {
        state.reader = nil
        return reader
      }
      if state.signals.count - state.start == limit {
        state.dropFirst()
        state.lost += 1
      }
      state.signals.append(signal)
      return nil
    }
    reader?.resume(returning: .success(signal))
  }

  func end(_ error: BusError) {
    let reader = state.withLock { state -> CheckedContinuation<Next, Never>? in
      state.end = error
      defer { state.reader = nil }
      return state.reader
    }
    reader?.resume(returning: .failure(error))
  }

  func wait(_ reader: CheckedContinuation<Next, Never>) {
    let next: Next? = state.withLock { state in
      if let next = state.takeNext() { return next }
      if Task.isCancelled { return .success(nil) }
      precondition(state.reader == nil, "a signal stream has one reader")
      state.reader = reader
      return nil
    }
    if let next { reader.resume(returning: next) }
  }

  func cancelWait() {
    let reader = state.withLock { state -> CheckedContinuation<Next, Never>? in
      defer { state.reader = nil }
      return state.reader
    }
    reader?.resume(returning: .success(nil))
  }
}
