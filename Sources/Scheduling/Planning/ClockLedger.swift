// SPDX-License-Identifier: Apache-2.0

/// The state of the wall clock in this run of the machine.
struct ClockLedger {
  let boot: String
  /// The difference between the wall clock and the elapsed time.
  var offset: Int64
  /// The newest request at the start of the machine.
  let before: StoredRequest.Revision
  /// Whether the clock was right when the machine started, or has been set since.
  var isTrusted: Bool
  /// The changes of the clock that not all requests have followed yet, in order.
  var moves: [Move] = []
  /// Small changes that no request has followed yet, in order: together with the next ones, they may matter. Each
  /// concerns only the requests that are older.
  var drifts: [Move] = []

  /// A change of the clock, which moves the dates of the requests that wait for elapsed time.
  struct Move {
    /// By how many milliseconds the clock was set.
    let change: Int64
    /// Requests up to this one have been moved, or need not be.
    var done: StoredRequest.Revision
    /// The newest request when the clock was set.
    let last: StoredRequest.Revision
  }

  init(boot: String, offset: Int64, before: StoredRequest.Revision, isTrusted: Bool) {
    self.boot = boot
    self.offset = offset
    self.before = before
    self.isTrusted = isTrusted
  }

  /// The stored form.
  var text: String {
    (["\(boot)", "\(offset)", "\(before)", "\(isTrusted)"] + moves.map(\.text) + drifts.map { "~" + $0.text })
      .joined(separator: " ")
  }

  init?(_ text: String) {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count >= 4, let offset = Int64(parts[1]), let before = Int64(parts[2]) else { return nil }
    self.init(
      boot: String(parts[0]), offset: offset, before: StoredRequest.Revision(before), isTrusted: parts[3] == "true")
    for part in parts[4...] {
      guard let move = Move(part.drop { $0 == "~" }) else { return nil }
      if part.hasPrefix("~") { drifts.append(move) } else { moves.append(move) }
    }
  }
}

extension ClockLedger.Move {
  fileprivate var text: String { "\(change):\(done):\(last)" }

  fileprivate init?(_ text: some StringProtocol) {
    let numbers = text.split(separator: ":").compactMap { Int64($0) }
    guard numbers.count == 3 else { return nil }
    self.init(
      change: numbers[0], done: StoredRequest.Revision(numbers[1]), last: StoredRequest.Revision(numbers[2]))
  }
}
