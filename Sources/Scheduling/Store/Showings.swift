// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// How often, and when, a notification that is shown again and again was shown.
public struct Showings: Hashable, Sendable {
  /// One time that it was shown.
  public struct Showing: Hashable, Sendable {
    /// When that was.
    public let at: Timestamp
    /// How many steps of its escalation had come.
    public let step: Int
  }

  /// How many times it was shown.
  public private(set) var count = 0
  /// The time from the first showing to the last one, in milliseconds, whatever the wall clock shows.
  private(set) var age: Int64 = 0
  /// The first showing and the last ones, at most ``mostKept``.
  public private(set) var kept: [Showing] = []

  /// How many showings are kept. The history of an alarm that rings for a week must not grow without a limit.
  static let mostKept = 100

  init() {}

  /// Adds a showing with a step of its escalation.
  mutating func add(_ step: Int, of nag: Nag, at now: Timestamp) {
    age = nextAge(of: nag, at: now)
    count += 1
    kept.append(Showing(at: now, step: step))
    if kept.count > Self.mostKept { kept.remove(at: 1) }
  }

  /// The age at the next showing, if that comes now. More time than planned has passed if the machine was off; a clock
  /// that was set back changes nothing.
  private func nextAge(of nag: Nag, at now: Timestamp) -> Int64 {
    guard let first = kept.first else { return 0 }
    return max(age + (pause(of: nag) ?? 0), now - first.at)
  }

  /// The time until the next showing; nil if there is none.
  func pause(of nag: Nag) -> Int64? {
    nag.pause(afterShowings: count, age: .milliseconds(age))?.milliseconds
  }

  /// How many steps of its escalation have come if the next showing comes now.
  func nextStep(of nag: Nag, at now: Timestamp) -> Int {
    nag.step(at: .milliseconds(nextAge(of: nag, at: now)))
  }

  /// How many steps of its escalation had come when it was last shown.
  public var step: Int { kept.last?.step ?? 0 }
}

extension Showings {
  /// The form in the store: `3 600000 1763970600000 1763970900000/1 …`.
  var text: String {
    ([String(count), String(age)] + kept.map { "\($0.at.milliseconds)" + ($0.step > 0 ? "/\($0.step)" : "") })
      .joined(separator: " ")
  }

  /// Reads the form in the store; nil if it is invalid.
  init?(_ text: String) {
    let parts = text.split(separator: " ")
    guard parts.count >= 2, let count = Int(parts[0]), let age = Int64(parts[1]) else { return nil }
    self.count = count
    self.age = age
    for part in parts.dropFirst(2) {
      let words = part.split(separator: "/", maxSplits: 1)
      guard let at = words.first.flatMap({ Int64($0) }) else { return nil }
      kept.append(Showing(at: Timestamp(milliseconds: at), step: words.count > 1 ? Int(words[1]) ?? 0 : 0))
    }
  }
}
