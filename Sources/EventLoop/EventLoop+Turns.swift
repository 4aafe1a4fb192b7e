// SPDX-License-Identifier: Apache-2.0

extension EventLoop {
  /// Gives everything else that is due a turn: received messages, deadlines, queued work.
  ///
  /// For long work in slices. It uses a deadline, because the loop may run many queued jobs before it checks
  /// descriptors.
  public func nextTurn(isolation: isolated (any Actor)? = #isolation) async {
    await withContinuation { continuation in
      _ = schedule(after: .zero) { continuation.resume() }
    }
  }

  /// Divides long work into slices of five milliseconds:
  ///
  ///     var slices = loop.slices
  ///     for number in 1...1_000_000 {
  ///       await slices.pause()
  ///       print(number)
  ///     }
  public var slices: Slices { Slices(of: self) }

  /// Long work in slices, see ``EventLoop/slices``.
  public struct Slices: Sendable {
    private let loop: EventLoop
    private var end: Duration
    private static let time: Duration = .milliseconds(5)

    fileprivate init(of loop: EventLoop) {
      self.loop = loop
      end = Clock.monotonic.now + Self.time
    }

    /// Gives everything else a turn if the slice has used up its time; call it before each piece of the work.
    public mutating func pause(isolation: isolated (any Actor)? = #isolation) async {
      if Clock.monotonic.now < end { return }
      await loop.nextTurn()
      end = Clock.monotonic.now + Self.time
    }
  }
}
