// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Glibc

/// Sends to the terminal and waits for its replies. Ends with the terminal as it was before, also by a signal.
///
/// Confined to the loop's thread.
final class TerminalConversation {
  enum News {
    case reply(TerminalReply)
    /// A signal wants to end the process.
    case interrupted(Int32)
    /// The terminal is gone.
    case lost
    /// The limit of this number is over.
    case limit(Int)
    /// The answer has no reader any more.
    case askerGone
  }

  let terminal: ControllingTerminal
  let loop: EventLoop
  /// What comes, in order. One reader at a time.
  let news: AsyncStream<News>
  private let continuation: AsyncStream<News>.Continuation
  private var parser = TerminalReplyParser()
  private var limits = 0
  private(set) var isReading = false
  /// How many characters were typed that were no replies: they are lost for the next program.
  private(set) var typed = 0
  /// Whether something was typed before, and so no question was asked.
  private(set) var sparedTyped = false

  init(_ terminal: ControllingTerminal, on loop: EventLoop) {
    self.terminal = terminal
    self.loop = loop
    (news, continuation) = AsyncStream<News>.makeStream()
  }

  /// Begins to read; returns whether it can.
  func begin(evenIfTyped: Bool) throws -> Bool {
    if isReading { return true }
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] where !Process.ignores(signal) {
      try loop.onSignal(signal) { [continuation] in continuation.yield(.interrupted(signal)) }
    }
    try loop.onSignal(SIGTSTP) { [weak terminal] in terminal?.suspend() }
    terminal.whenRead = { [weak self] bytes in self?.received(bytes) }
    terminal.whenLost = { [continuation] in continuation.yield(.lost) }
    isReading = try terminal.beginReading(evenIfTyped: evenIfTyped)
    sparedTyped = terminal.canRead && !isReading
    return isReading
  }

  /// Restores the terminal.
  func end() {
    if isReading { typed += parser.finish().count }
    isReading = false
    terminal.endReading()
  }

  private func received(_ bytes: [UInt8]) {
    for reply in parser.feed(bytes) {
      if reply == .typed { typed += 1 } else { continuation.yield(.reply(reply)) }
    }
  }

  /// Reports the end of a limit as ``News/limit(_:)`` with the returned number.
  func limit(after delay: Duration) -> Int {
    limits += 1
    _ = loop.schedule(after: delay) { [continuation, limits] in continuation.yield(.limit(limits)) }
    return limits
  }

  /// The end of the asker, as a closure for the one that watches it.
  var askerHasGone: @Sendable () -> Void {
    { [continuation] in continuation.yield(.askerGone) }
  }

  /// A warning about keys; nil if none were lost.
  var lostKeys: String? {
    guard typed > 0 else { return nil }
    return "\(typed) \(typed == 1 ? "character" : "characters") typed while the terminal was asked "
      + "\(typed == 1 ? "is" : "are") lost"
  }
}
