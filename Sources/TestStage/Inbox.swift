// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A queue of what has happened: a test waits for the next event, with a limit.
public final class Inbox<Element: Sendable>: Sendable {
  private struct State {
    var elements: [Element] = []
    var start = 0
    var reader: (key: UInt64, continuation: CheckedContinuation<Element?, Never>)?
    var lastKey: UInt64 = 0
  }

  private let state = Mutex(State())

  /// Makes an empty queue.
  package init() {}

  /// Adds an event.
  package func put(_ element: Element) {
    let reader = state.withLock { state -> CheckedContinuation<Element?, Never>? in
      if let reader = state.reader {
        state.reader = nil
        return reader.continuation
      }
      state.elements.append(element)
      return nil
    }
    reader?.resume(returning: element)
  }

  /// The events that were not taken yet.
  public var waiting: [Element] { state.withLock { Array($0.elements[$0.start...]) } }

  /// Waits for the next event, or takes a pending one; for one reader.
  public func next(
    within limit: Duration = .seconds(10), _ what: String = "\(Element.self)"
  ) async throws -> Element {
    let element = await withCheckedContinuation { continuation in
      let key: UInt64? = state.withLock { state in
        if state.start < state.elements.count { return nil }
        state.lastKey += 1
        state.reader = (state.lastKey, continuation)
        return state.lastKey
      }
      guard let key else { return continuation.resume(returning: take()) }
      // Ends the wait at the limit, unless an event came before.
      Task.detached {
        // A sleep is meant: the limit of the wait.
        try? await Task.sleep(for: limit)
        self.giveUp(key)
      }
    }
    guard let element else { throw TestFailure("no \(what) within \(limit)") }
    return element
  }

  /// Waits for the first matching event and drops those before it.
  public func next(
    within limit: Duration = .seconds(10), _ what: String = "\(Element.self)", where fits: (Element) -> Bool
  ) async throws -> Element {
    let end = ContinuousClock.now + limit
    while true {
      let element = try await next(within: end - .now, what)
      if fits(element) { return element }
    }
  }

  /// Waits for the next `count` events.
  public func next(_ count: Int, within limit: Duration = .seconds(30)) async throws -> [Element] {
    let end = ContinuousClock.now + limit
    var elements: [Element] = []
    while elements.count < count {
      elements.append(try await next(within: end - .now, "\(Element.self) number \(elements.count + 1) of \(count)"))
    }
    return elements
  }

  private func take() -> Element? {
    state.withLock { state in
      guard state.start < state.elements.count else { return nil }
      defer {
        state.start += 1
        if state.start * 2 > state.elements.count {
          state.elements.removeFirst(state.start)
          state.start = 0
        }
      }
      return state.elements[state.start]
    }
  }

  private func giveUp(_ key: UInt64) {
    let reader = state.withLock { state -> CheckedContinuation<Element?, Never>? in
      guard state.reader?.key == key else { return nil }
      defer { state.reader = nil }
      return state.reader?.continuation
    }
    reader?.resume(returning: nil)
  }
}
