// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
public import Zoneinfo

/// Times at which it is quiet, again and again: `Mon..Fri 22:00..07:00`, or dates of a calendar expression with their
/// length, `Sat 14:00 for 2h`.
public struct QuietSpan: Hashable, Sendable {
  private enum Form: Hashable, Sendable {
    case window(TimeWindow)
    case dates(CalendarExpression, seconds: Int64)
  }

  private let form: Form

  private static let usual = "Mon..Fri 22:00..07:00"
  private static let word = " for "
  /// A week: what lasts longer is meant to be always on.
  private static let longest: Duration = .seconds(7 * 86_400)

  /// Parses such a text; errors name the column.
  public static func parse(_ text: String) throws(TriggerError) -> QuietSpan {
    guard text.utf8.count <= QuietHours.longestText else {
      throw TriggerError(.invalid, "is longer than \(QuietHours.longestText) bytes", key: "hours", example: usual)
    }
    guard let place = text.ranges(of: word).last else {
      do throws(TriggerError) { return QuietSpan(form: .window(try .parse(text))) } catch {
        throw error.with(example: usual).about("hours")
      }
    }
    let (expression, length) = (String(text[..<place.lowerBound]), String(text[place.upperBound...]))
    let duration: Duration
    do throws(RequestError) { duration = try Duration.parse(length) } catch {
      throw TriggerError(.invalid, "the length \(length.inQuotes) \(error.problem)", key: "hours")
    }
    guard .seconds(60)...longest ~= duration else {
      throw TriggerError(.invalid, "the length \(length.inQuotes) must be 1 minute to 7 days", key: "hours")
    }
    var search = DateSearch()
    do throws(TriggerError) {
      return QuietSpan(form: .dates(try .parse(expression, &search), seconds: duration.components.seconds))
    } catch {
      throw error.about("hours")
    }
  }

  /// The end of what contains a moment; nil if it is not quiet then.
  func end(
    of moment: Instant, rules: (String?) throws(TriggerError) -> ZoneRules, _ search: inout DateSearch
  ) throws(TriggerError) -> Instant? {
    switch form {
    case .window(let window): return window.end(of: moment, in: try rules(nil))
    case .dates(let expression, let length):
      let start = moment.adding(seconds: -length)
      let trigger = try Trigger(.calendar(expression), made: start)
      return try trigger.last(after: start, through: moment, in: try rules(expression.zone), &search)
        .map { $0.instant.adding(seconds: length) }
    }
  }
}

/// All times at which it is quiet for an app, or for all.
public struct QuietSpans: Hashable, Sendable {
  private let all: [QuietSpan]

  /// The most spans that are followed from the end of one to the next.
  private static let mostLinks = 64

  /// Reads the texts; those that are not valid are left out.
  public init(_ texts: [String]) { all = texts.compactMap { try? QuietSpan.parse($0) } }

  /// Whether there are none.
  public var isEmpty: Bool { all.isEmpty }

  /// When it is no longer quiet; nil if it is not quiet at this moment. Spans that follow one another are one.
  ///
  /// The search has a limit, at which it must be asked again: the returned moment may be quiet as well then.
  public func end(of moment: Instant, rules: (String?) throws(TriggerError) -> ZoneRules) -> Instant? {
    if all.isEmpty { return nil }
    var end: Instant?
    var search = DateSearch(altogether: DateSearch.mostSteps)
    for _ in 0..<Self.mostLinks {
      let place = end ?? moment
      let ends = all.compactMap { span -> Instant? in
        search.renew()
        return try? span.end(of: place, rules: rules, &search)
      }
      guard let next = ends.max(), next > place else { break }
      end = next
    }
    return end
  }
}
