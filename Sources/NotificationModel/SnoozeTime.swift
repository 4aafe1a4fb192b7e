// SPDX-License-Identifier: Apache-2.0
internal import SystemFiles

/// One of the times that a snooze action lets the user choose from.
public enum SnoozeTime: Hashable, Sendable {
  /// After a duration: `5m`.
  case after(Duration)
  /// At a date and time in human form, read when it is chosen: `tomorrow 08:00`.
  case at(String)
  /// When a condition becomes true: `unlocked`.
  case when(Condition)

  /// The highest number of times of one action.
  public static let most = 20

  /// The longest text, in bytes.
  private static let longest = 255

  static let textForm = "a duration such as '5m', a time such as 'tomorrow 08:00', or a condition such as 'unlocked'"

  /// Reads a duration, a condition, or else a time, which is checked by who knows the clock.
  public init(_ text: String) throws(RequestError) {
    // As in `ConditionWords`: a mark that combines with the blank before it belongs to the next word.
    let word = text.unicodeScalars.split { $0.properties.isWhitespace }.first.map(String.init) ?? ""
    if word.isEmpty || text.utf8.count > Self.longest || text.holdsNUL {
      throw RequestError("", "must be \(Self.textForm)")
    }
    if let delay = try? Duration.parse(text) {
      guard delay > .zero else { throw RequestError("", "must be positive, not \(text.quoted)") }
      self = .after(delay)
    } else if Condition.beginsWithKind(word) {
      let condition = try Condition(text)
      // What is stored has quotes where names need them, and must be short enough to be read back.
      guard condition.text.utf8.count <= Self.longest else {
        throw RequestError("", "must have at most \(Self.longest) bytes, with the quotes that its names need")
      }
      self = .when(condition)
    } else {
      self = .at(text)
    }
  }

  /// The text that ``init(_:)`` reads.
  public var text: String {
    switch self {
    case .after(let delay): delay.word
    case .at(let time): time
    case .when(let condition): condition.text
    }
  }

  /// The text for a list of choices: `in 5m`, `tomorrow 08:00`, `when unlocked`.
  package var label: String {
    switch self {
    case .after(let delay): "in \(delay.text)"
    case .at(let time): time
    case .when(let condition): "when \(condition.text)"
    }
  }

  /// The schedule of a notification that is postponed until then.
  ///
  /// - Parameter wake: whether the request may wake the machine; a condition needs to last for that.
  package func schedule(wake: Bool) -> Schedule {
    switch self {
    case .after(let delay): Schedule(trusted: .after(delay), wake: wake)
    case .at(let time): Schedule(trusted: .at(time), wake: wake)
    case .when(let condition):
      Schedule(trusted: .on(Schedule.Occasions(condition)), wake: wake && condition.hold != nil)
    }
  }
}

extension Action {
  /// The times that its press offers; empty if it has none, or a single one.
  public var snoozeTimes: [SnoozeTime] { if case .snoozeUntil(let times) = effect { times } else { [] } }
}

extension [SnoozeTime] {
  /// The time with this text; without a text, the first one.
  package func chosen(_ text: String?) -> SnoozeTime? {
    guard let text else { return first }
    return first { $0.text.isIdentical(to: text) } ?? (try? SnoozeTime(text)).flatMap { contains($0) ? $0 : nil }
  }
}
