// SPDX-License-Identifier: Apache-2.0
import Testing
import Triggers
import Zoneinfo

/// Each question as a search of its own, which must not need more steps than a search may take.
private func search<Answer>(_ otherwise: Answer, _ body: (inout DateSearch) throws -> Answer) -> Answer {
  var search = DateSearch()
  do { return try body(&search) } catch {
    Issue.record(error)
    return otherwise
  }
}

extension WallDates {
  func first(from moment: CivilDateTime) -> CivilDateTime? { search(nil) { try first(from: moment, &$0) } }

  func first(after moment: CivilDateTime) -> CivilDateTime? { moment.adding(seconds: 1).flatMap { first(from: $0) } }

  func count(from start: CivilDateTime, before end: CivilDateTime) -> Int {
    search(0) { try count(from: start, before: end, &$0) }
  }

  func dates(from moment: CivilDateTime) -> some Sequence<CivilDateTime> {
    sequence(first: first(from: moment)) { $0.map { first(after: $0) } }.lazy.prefix { $0 != nil }.compactMap { $0 }
  }
}

extension Recurrence {
  func date(_ number: Int) -> CivilDateTime? { search(nil) { try date(number, &$0) } }
  func number(of date: CivilDateTime) -> Int? { search(nil) { try number(of: date, &$0) } }
}

extension Trigger {
  func first(in rules: ZoneRules) -> Occurrence? { search(nil) { try first(in: rules, &$0) } }

  func next(after moment: Instant, in rules: ZoneRules, last: Occurrence? = nil) -> Occurrence? {
    search(nil) { try next(after: moment, in: rules, last: last, &$0) }
  }

  func count(after start: Instant, through end: Instant, in rules: ZoneRules) -> Int {
    search(0) { try count(after: start, through: end, in: rules, &$0) }
  }

  func last(after start: Instant, through end: Instant, in rules: ZoneRules) -> Occurrence? {
    search(nil) { try last(after: start, through: end, in: rules, &$0) }
  }

  func occurrences(after moment: Instant, in rules: ZoneRules) -> some Sequence<Occurrence> {
    sequence(first: next(after: moment, in: rules)) { last in
      last.map { next(after: $0.instant, in: rules, last: $0.number == nil ? nil : $0) }
    }.lazy.prefix { $0 != nil }.compactMap { $0 }
  }
}
