// SPDX-License-Identifier: Apache-2.0

/// The responses of an app, in the order in which the user gave them.
///
/// Several tasks may read: each response goes to one of them. The sequence ends when the center is closed; it goes on
/// when the center or the bus restarts. When the last sequence of the app is released, the app stops handling
/// responses: later ones start it, or wait for it.
public struct AppResponses: AsyncSequence, Sendable {
  /// A response.
  public typealias Element = AppResponse
  /// No error ends the sequence.
  public typealias Failure = Never

  private let reader: AppReader

  init(_ reader: AppReader) { self.reader = reader }

  /// Reads the responses that no other task has taken.
  public func makeAsyncIterator() -> Iterator { Iterator(reader: reader) }

  /// Reads the responses.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let reader: AppReader

    /// Waits for the next response; nil when the center is closed or the task is cancelled.
    public mutating func next() async -> AppResponse? { await reader.link.queue.next() }

    /// Waits for the next response; nil when the center is closed or the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> AppResponse? {
      await reader.link.queue.next()
    }
  }
}

/// A sequence that someone may read: while there is one, the app is attached to the center.
final class AppReader: Sendable {
  let link: AppLink

  init(of link: AppLink) {
    self.link = link
    link.addReader()
  }

  deinit { link.removeReader() }
}
