// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// A schedule as the flags of `suzu next` give it.
struct ScheduleFlags {
  var expression = ""
  var match: [String: Int]?
  var zone: String?
  var from: String?
  var until: String?
  var count: Int?

  init(expression: String, zone: String? = nil, from: String? = nil) {
    (self.expression, self.zone, self.from) = (expression, zone, from)
  }

  init(_ arguments: Arguments) throws(CommandError) {
    // Quotes around the expression are optional.
    expression = arguments.words.joined(separator: " ")
    match = try arguments.value("match").map(Self.parts)
    (zone, from, until) = (arguments.value("zone"), arguments.value("from"), arguments.value("until"))
    count = try arguments.count("count")
    guard match == nil || arguments.words.isEmpty else {
      throw .usage("'--match' and '\(PrintableText.line(expression, atMost: 60))' cannot be combined")
    }
    guard match != nil || !arguments.words.isEmpty else {
      throw .usage("an expression or an id is missing, such as 'Mon 07:30'")
    }
  }

  /// The dates of a stored request are all its own.
  func refuseWithID() throws(CommandError) {
    let given: [(String, Bool)] = [
      ("--zone", zone != nil), ("--from", from != nil), ("--until", until != nil), ("--count", count != nil),
    ]
    guard let flag = given.first(where: \.1)?.0 else { return }
    throw .usage("'\(flag)' cannot be combined with the id of a request")
  }

  private static func parts(_ text: String) throws(CommandError) -> [String: Int] {
    guard case .dictionary(let values) = try NotifyCommand.match(text) else {
      throw .usage("'--match' must be PART=NUMBER,…, such as weekday=2,hour=7")
    }
    var parts: [String: Int] = [:]
    for (name, value) in values {
      guard case .integer(let number) = value else { throw .data("'--match': \(name) must be an integer") }
      parts[name] = Int(clamping: number)
    }
    return parts
  }
}
