// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Synchronization

/// The signals that match a rule, in order of arrival; for one reader.
///
/// The stream has a limited buffer. A slow reader loses the oldest signals, and ``Signal/lostBefore`` of the next one
/// tells how many. The stream ends with an error when the connection does.
public struct SignalStream: AsyncSequence, Sendable {
  let buffer: SignalBuffer

  /// Reads the stream.
  public struct Iterator: AsyncIteratorProtocol {
    let buffer: SignalBuffer

    /// Returns the next signal, or nil if the task is cancelled.
    public mutating func next() async throws(BusError) -> Signal? {
      try await next(isolation: nil)
    }

    /// Returns the next signal, or nil if the task is cancelled.
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

  /// Starts reading, beginning with buffered signals.
  public func makeAsyncIterator() -> Iterator { Iterator(buffer: buffer) }
}

/// The buffer between the connection, which adds signals on its loop, and a reader on any thread.
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

    /// The consumed front is removed once it is as long as the rest, so that each signal is moved once.
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
    onEnd()  // the reader is gone
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
