// SPDX-License-Identifier: Apache-2.0

/// Reads elements one by one; the suite's time limit ends an endless wait.
public final class Reader<Element: Sendable> {
  private var iterator: AsyncStream<Element>.Iterator

  /// Reads this stream.
  public init(_ stream: AsyncStream<Element>) { iterator = stream.makeAsyncIterator() }

  /// The next element; nil at the end.
  public func next() async -> Element? { await iterator.next(isolation: #isolation) }
}
