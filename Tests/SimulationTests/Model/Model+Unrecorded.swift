// SPDX-License-Identifier: Apache-2.0

/// A date that came.
struct Fired {
  let number: Int
  /// The request as it waited for it.
  var one: Waiting
  /// What of it was due and not on the screen before.
  let expected: [Expectation]
  /// The date, in milliseconds on the wall clock; of several that had passed, the last.
  let date: Int64
  let at: Int64
}

/// What the center may not have recorded when it ended.
struct Unrecorded {
  var fired: [Fired] = []
  /// How much later requests by elapsed time come if the center did not record that the clock was set; nil if it was
  /// not set, or if the machine goes on, so that the next center sees the change.
  var delay: Int64?
  fileprivate var delayAfterStart: Int64?

  /// The machine has started anew, and the dates by elapsed time with it.
  mutating func booted(_ delay: Int64) {
    for index in fired.indices { fired[index].one.delay(by: delay) }
    self.delay = delayAfterStart
  }
}

/// A date may come because the clock was set or the user has moved. If the center ends before that is on the disk, and
/// the clock or the zone is another one when it starts again, both are right: that the date came, and that it did not.
/// The same holds for a clock that was set right before a loss of power: nothing else tells the next center of it.
extension Model {
  func know(offset: Int64, _ moment: Moment) {
    if offset == knownOffset { return }
    changes += 1
    earlierOffset = (knownOffset, moment.awake)
    let change = offset - knownOffset
    knownOffset = offset
    drift += change
    // The clock is corrected by fractions of a second all the time. Dates follow when these add up.
    let isSmall = abs(drift) < Self.smallestChange
    for key in waiting.keys { if isSmall { waiting[key]?.drift(by: change) } else { waiting[key]?.forgetDrift() } }
    if !isSmall { drift = 0 }
  }

  /// In milliseconds.
  private static let smallestChange: Int64 = 500

  func noteUnrecorded() {
    unrecorded = Unrecorded(fired: fired.filter { $0.at >= doubtful })
    if let earlierOffset, earlierOffset.until >= doubtful {
      unrecorded.delayAfterStart = earlierOffset.offset - knownOffset
    }
  }

  /// The next center has started.
  ///
  /// - Parameters:
  ///   - next: what a request waits for in the store, in milliseconds on the wall clock.
  ///   - past: its last dates that have come, the latest first.
  func settle(_ moment: Moment, next: (_ key: String) -> Int64?, past: (_ key: String) -> [Int64]) {
    if let delay = unrecorded.delay {
      for (key, one) in waiting {
        guard case .elapsed(_, let pause, _) = one.date else { continue }
        let known = [next(key), past(key).first].compactMap { $0 }
        func isKnown(_ date: Int64) -> Bool {
          known.contains { stored in
            guard let pause, stored > date else { return abs(stored - date) < 1_000 }
            return (stored - date + 1_000) % pause < 2_000
          }
        }
        let moved = nextDate(one, moment)
        if !isKnown(moved), isKnown(moved + delay) { waiting[key]?.delay(by: delay) }
      }
    }
    let all = Dictionary(grouping: unrecorded.fired, by: \.one.key)
    for (key, fired) in all.sorted(by: { $0.key < $1.key }) {
      // A newer request with the id was stored, and with it all before.
      let newest = waiting[key]?.spec.number ?? (fired[0].one.isPostponed ? nil : newest[key])
      let fired = fired.filter { newest ?? $0.one.spec.number == $0.one.spec.number }
      let stored = Stored(next: next(key), past: past(key))
      // As many of them are in the store as agree with it.
      let kept = (0...fired.count).reversed().first { isStored(fired, $0, waiting[key], stored, moment) }
      if let kept, kept < fired.count { undo(fired[kept]) }
    }
    unrecorded = Unrecorded()
  }

  /// What the store has of a request.
  private struct Stored {
    let next: Int64?
    let past: [Int64]

    func has(_ date: Int64) -> Bool { past.contains { abs($0 - date) < 1_000 } }
  }

  /// Whether the store is as it must be if only the first of these dates came before the end of the center.
  ///
  /// - Parameter latest: what the request waits for if all came.
  private func isStored(
    _ fired: [Fired], _ kept: Int, _ latest: Waiting?, _ stored: Stored, _ moment: Moment
  ) -> Bool {
    var one = kept < fired.count ? fired[kept].one : latest
    var come = fired.prefix(kept).map(\.date)
    while true {
      let next = one.map { nextDate($0, moment) }
      let hasNext = next.map { next in stored.next.map { abs($0 - next) < 1_000 } == true } ?? (stored.next == nil)
      let lost = fired.dropFirst(kept).map(\.date).filter { date in !come.contains { abs($0 - date) < 1_000 } }
      if hasNext, come.allSatisfy(stored.has), !lost.contains(where: stored.has) { return true }
      // The next center has started, and what is due has come again.
      guard let waiting = one, late(waiting, moment) >= 0 else { return false }
      let passing = passing(waiting, moment)
      come.append(moment.wall - passing.late)
      one?.date = passing.next ?? waiting.date
      if passing.next == nil { one = nil }
    }
  }

  /// A date has not come, nor any after it.
  private func undo(_ first: Fired) {
    let key = first.one.key
    waiting[key] = first.one
    fired.removeAll { $0.one.key == key && $0.number >= first.number }
    expected.removeAll { $0.key == key && $0.firing >= first.number }
    // Those for which it stood are due again. Those that are shown side by side it left as they were.
    expected += first.expected.filter { earlier in
      !earlier.isEach && !expected.contains { $0.key == key && $0.firing == earlier.firing }
    }
  }
}
