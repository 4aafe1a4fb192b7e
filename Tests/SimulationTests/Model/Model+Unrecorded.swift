// SPDX-License-Identifier: Apache-2.0

/// A date that came.
struct Fired {
  /// The request as it waited for it.
  var one: Waiting
  /// What of it was due and not on the screen before.
  let expected: [Expectation]
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
    knownOffset = offset
  }

  func noteUnrecorded() {
    unrecorded = Unrecorded(fired: fired.filter { $0.at >= last.awake - Self.doubt })
    if let earlierOffset, earlierOffset.until >= last.awake - Self.doubt {
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
    for fired in unrecorded.fired {
      let (one, key) = (fired.one, fired.one.key)
      let due = nextDate(one, moment)
      // A newer request with the id was stored, and with it all before.
      let newest = waiting[key]?.spec.number ?? (one.isPostponed ? nil : newest[key])
      guard newest ?? one.spec.number == one.spec.number else { continue }
      let isUndone: Bool
      if due > moment.wall {
        isUndone = next(key).map { abs($0 - due) < 1_000 } == true
      } else {
        // It has come all the same, with the date of another zone.
        let past = past(key)
        func hasCome(_ date: Int64) -> Bool { past.contains { abs($0 - date) < 1_000 } }
        isUndone = expected.last { $0.key == key }?.due.map { !hasCome($0) && hasCome(due) } == true
      }
      guard isUndone else { continue }
      waiting[key] = one
      // Of dates that are shown side by side, those before it stay as they are. In the zone in which it had come, its own
      // date may be before the one in this zone.
      expected.removeAll { other in
        guard other.key == key, other.isEach else { return other.key == key }
        let isBefore = (other.due ?? due) < due - 1_000
        return !isBefore || !other.isAgain && !fired.expected.contains { $0.due == other.due }
      }
      expected += fired.expected.filter { earlier in
        !expected.contains { $0.key == key && $0.isEach && $0.due == earlier.due }
      }
    }
    unrecorded = Unrecorded()
  }
}
