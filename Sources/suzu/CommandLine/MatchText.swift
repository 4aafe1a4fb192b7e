// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Triggers
internal import Zoneinfo

/// The parts of a date as `--match` takes them, `weekday=2,hour=7`, where an expression is expected.
struct MatchText {
  /// Without blanks, which a shell would need quotes for.
  let text: String

  /// Returns nil if the text is something else, such as a rule.
  init?(_ text: String) {
    let parts = text.filter { $0 != " " }.split(separator: ",", omittingEmptySubsequences: false)
    let isMatch = parts.allSatisfy { part in
      let sides = part.split(separator: "=", omittingEmptySubsequences: false)
      return sides.count == 2 && Int(sides[1]) != nil && ComponentMatch.names.contains(String(sides[0]))
    }
    guard isMatch else { return nil }
    self.text = parts.joined(separator: ",")
  }

  /// The parts that a text in another form means: `hour=7,minute=30` for `hour=7:30`, and `weekday=2` for
  /// `weekday=Mon`; nil if a part is not known.
  static func corrected(_ text: String) -> String? {
    var right: [String] = []
    for part in text.split(whereSeparator: { ", ;".contains($0) }) {
      let sides = part.split(separator: "=", omittingEmptySubsequences: false)
      guard sides.count == 2 else { return nil }
      let (name, value) = (sides[0].lowercased(), String(sides[1]).lowercased())
      if let known = ComponentMatch.names.first(where: { $0.lowercased() == name }), let number = Int(value) {
        right.append("\(known)=\(number)")
      } else if let parts = parts(name, value) {
        right.append(parts)
      } else {
        return nil
      }
    }
    return right.isEmpty ? nil : right.joined(separator: ",")
  }

  private static func parts(_ name: String, _ value: String) -> String? {
    switch name {
    case "hour", "time", "at":
      let texts = [value, value + ":00"].lazy
      guard let time = texts.compactMap({ text in try? HumanTime.parse(text, now: Instant(0), zone: .utc) }).first,
        case .wall(let wall) = time.meaning
      else { return nil }
      return "hour=\(wall.time.hour)" + (wall.time.minute == 0 ? "" : ",minute=\(wall.time.minute)")
    case "weekday", "day":
      let days = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
      guard value.utf8.count > 2, let day = days.firstIndex(where: { $0.hasPrefix(value) || $0 + "s" == value }) else {
        return nil
      }
      return "weekday=\(day + 1)"
    case "month":
      guard let time = try? HumanTime.parse("1 \(value)", now: Instant(0), zone: .utc),
        case .day(let day) = time.meaning
      else { return nil }
      return "month=\(day.month)"
    default: return nil
    }
  }

  /// The expression that a text without parts is: `Mon 7:30`, or the weekdays of `weekday=mon-fri,hour=7`.
  static func expression(_ text: String) -> String? {
    if (try? CalendarExpression.parse(text)) != nil { return text }
    var (days, hour, minute) = (String?.none, 0, 0)
    for part in text.split(whereSeparator: { ", ;".contains($0) }) {
      let sides = part.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
      guard sides.count == 2 else { return nil }
      switch sides[0] {
      case "weekday" where CalendarExpression.namesOnlyDays(sides[1]): days = sides[1]
      case "hour": hour = Int(sides[1]) ?? -1
      case "minute": minute = Int(sides[1]) ?? -1
      default: return nil
      }
    }
    guard let days, let time = CivilTime(hour: hour, minute: minute) else { return nil }
    return "\(days) \("\(time)".prefix(5))"
  }
}
