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
      await withTaskCancellationHandler {
        await withCheckedContinuation { buffer.wait($0) }
      } onCancel: {
        buffer.wakeReader()
      }
      return try buffer.takeNext().get()
    }
  }

  /// Starts reading, beginning with buffered signals.
  public func makeAsyncIterator() -> Iterator { Iterator(buffer: buffer) }
}

/// The buffer between the connection, which adds signals on its loop, and a reader on any thread.
///
/// A waiting reader is only woken, and takes its signal itself. So each signal changes threads under the lock, which
/// ThreadSanitizer sees; it does not see a value that a continuation passes on before its task is suspended.
final class SignalBuffer: Sendable {
  typealias Next = Result<Signal?, BusError>
  typealias Reader = CheckedContinuation<Void, Never>

  private struct State {
    var signals: [Signal] = []
    var start = 0
    var lost = 0
    var end: BusError?
    var reader: Reader?

    var hasNext: Bool { start < signals.count || end != nil }

    mutating func takeNext() -> Next {
      guard start < signals.count else { return end.map { .failure($0) } ?? .success(nil) }
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

  // One lock both adds the signal and removes the waiting reader. With two, the reader could take the signal by itself
  // and wait for the next one, before it is woken for the first: it would find nothing, and its stream would end.

  func put(_ signal: Signal) {
    let reader = state.withLock { state in
      if state.signals.count - state.start == limit {
        state.dropFirst()
        state.lost += 1
      }
      state.signals.append(signal)
      return state.reader.take()
    }
    reader?.resume()
  }

  func end(_ error: BusError) {
    let reader = state.withLock { state in
      state.end = error
      return state.reader.take()
    }
    reader?.resume()
  }

  /// Wakes the reader when there is a signal or an end, at once if there is one, and also when its task is cancelled.
  func wait(_ reader: Reader) {
    let isReady = state.withLock { state in
      if state.hasNext || Task.isCancelled { return true }
      precondition(state.reader == nil, "a signal stream has one reader")
      state.reader = reader
      return false
    }
    if isReady { reader.resume() }
  }

  /// Wakes a reader whose task was cancelled.
  func wakeReader() {
    let reader = state.withLock { $0.reader.take() }
    reader?.resume()
  }

  /// The next signal, or the end; nil if neither has come, because the reader's task was cancelled.
  func takeNext() -> Next { state.withLock { $0.takeNext() } }
}
