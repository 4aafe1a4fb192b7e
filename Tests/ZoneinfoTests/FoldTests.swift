// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Zoneinfo

/// Tests wall times around every change against Python's `zoneinfo`.
@Suite struct FoldTests {
  struct Question {
    let zone: AllZones.Distinct
    let civil: CivilDateTime
  }

  /// Times around each edge of a skipped or repeated hour, in its middle, and well before and after.
  private static func questions(_ zone: AllZones.Distinct, years: Range<Int>) -> [Question] {
    var questions: [Question] = []
    var place = Instant(years.lowerBound, 1, 1)
    while let next = zone.rules.nextTransition(after: place), next.instant < Instant(years.upperBound, 1, 1) {
      let before = next.instant.seconds + Int64(next.before.offset.seconds)
      let after = next.instant.seconds + Int64(next.after.offset.seconds)
      let edges = [before - 1, before, before + 1, after - 1, after, after + 1]
      for clock in edges + [(before + after) / 2, before - 5400, after + 5400] {
        if let civil = CivilDateTime(clockSeconds: clock) { questions.append(Question(zone: zone, civil: civil)) }
      }
      place = next.instant
    }
    for month in stride(from: 0, to: years.count * 12, by: 7) {
      let year = years.lowerBound + month / 12
      if let civil = CivilDateTime(year: year, month: month % 12 + 1, day: 17, hour: month % 24, minute: 30) {
        questions.append(Question(zone: zone, civil: civil))
      }
    }
    return questions
  }

  /// Python's two folds give both instants of an overlap, and the offsets before and after a gap.
  @Test(arguments: [1900..<2020, 2020..<2038, 2038..<2100])
  func `Wall times resolve as in Python`(years: Range<Int>) throws {
    let zones = years.lowerBound == 2020 ? AllZones.distinct : AllZones.distinct.filter { $0.name.utf8.count % 5 == 0 }
    let questions = zones.flatMap { Self.questions($0, years: years) }
    #expect(questions.count > 5000)
    let answers = try Self.ask(questions)
    try #require(answers.count == questions.count * 3)
    var wrong: [String] = []
    var gaps = 0
    var overlaps = 0
    for (index, question) in questions.enumerated() {
      let (first, second) = (Instant(answers[index * 3]), Instant(answers[index * 3 + 1]))
      let exists = answers[index * 3 + 2] == 1
      let ours = question.zone.rules.instants(of: question.civil)
      let agrees: Bool
      switch ours {
      case .once(let instant):
        agrees = exists && first == second && first == instant
      case .gap(let before, let after, let transition):
        gaps += 1
        agrees =
          !exists && Instant(question.civil, at: before) == first && Instant(question.civil, at: after) == second
          && question.zone.rules.offset(at: transition) == after && transition <= first && second < transition
      case .overlap(let one, let other):
        overlaps += 1
        agrees = exists && first == one && second == other
      }
      if !agrees || question.zone.rules.resolve(question.civil) != first {
        wrong.append("\(question.zone.name) \(question.civil): \(ours), but Python has \(first), \(second)")
      }
    }
    print(
      "python: \(years): \(questions.count) wall times, \(gaps) in gaps, \(overlaps) in overlaps, \(wrong.count) wrong")
    #expect(gaps > 500 && overlaps > 500)
    #expect(wrong.isEmpty, "\(wrong.count) wrong: \(wrong.prefix(5))")
  }

  /// Three numbers for each question: the instants with fold 0 and 1, and whether the clocks ever show it.
  private static func ask(_ questions: [Question]) throws -> [Int64] {
    var script = """
      import datetime, zoneinfo
      utc, one = datetime.timezone.utc, datetime.timedelta(seconds=1)
      epoch = datetime.datetime(1970, 1, 1, tzinfo=utc)
      def seconds(wall, zone, fold):
        return (wall.replace(tzinfo=utc) - epoch) // one - wall.replace(tzinfo=zone, fold=fold).utcoffset() // one
      def ask(name, text):
        zone = zoneinfo.ZoneInfo(name)
        for number in text.split():
          wall = datetime.datetime(1970, 1, 1) + int(number) * one
          first, second = seconds(wall, zone, 0), seconds(wall, zone, 1)
          back = (epoch + first * one).astimezone(zone).replace(tzinfo=None, fold=0)
          out.extend((first, second, back == wall))

      """
    var rest = questions[...]
    while let zone = rest.first?.zone.name {
      let same = rest.prefix { $0.zone.name == zone }
      script += "ask('\(zone)', '\(same.map { "\($0.civil.clockSeconds)" }.joined(separator: " "))')\n"
      rest = rest.dropFirst(same.count)
    }
    return try Python.numbers(script)
  }
}
