// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import Testing

/// Tests the rules of quiet hours, all combinations of their values, and the user's decisions behind them.
@Suite struct QuietRuleTests {
  /// What each choice lets come, level by level: passive, active, timeSensitive, critical; `x` comes.
  private static let table: [QuietLimit: String] = [
    .all: "xxxx", .active: "-xxx", .timeSensitive: "--xx", .critical: "---x", .nothing: "----",
  ]

  /// All causes, with the end of quiet hours that they have together.
  private static var causes: [(QuietCauses, QuietEnd?)] {
    var all: [(QuietCauses, QuietEnd?)] = []
    for isOn in [false, true] {
      for until in [nil, 100, 300] as [Int64?] {
        for hours in [nil, 200, 300] as [Int64?] {
          for isDesktopQuiet in [false, true] {
            var causes = QuietCauses()
            (causes.isOn, causes.onUntil, causes.hoursUntil) = (isOn, until, hours)
            causes.isDesktopQuiet = isDesktopQuiet
            let last: QuietEnd? =
              switch (until, hours) {
              case (nil, nil): nil
              case (100, nil): .at(100)
              case (nil, 200), (100, 200): .at(200)
              default: .at(300)
              }
            all.append((causes, isOn ? .whenTurnedOff : isDesktopQuiet ? .whenDesktopAllows : last))
          }
        }
      }
    }
    return all
  }

  @Test func `Every combination of level, alarm, choices and causes has one answer`() {
    let causes = Self.causes
    var count = 0
    for (place, level) in NotificationRequest.Level.allCases.enumerated() {
      for isAlarm in [false, true] {
        // An alarm of the user counts as the next level, unless it is passive.
        let column = isAlarm && place == 1 ? 2 : place
        for limit in QuietLimit.allCases {
          for appLimit in [nil] + QuietLimit.allCases.map({ $0 as QuietLimit? }) {
            let comes = Array(Self.table[appLimit ?? limit] ?? "")[column] == "x"
            for (causes, end) in causes {
              let rule = QuietRule(level, isAlarm: isAlarm, limit: limit, appLimit: appLimit, causes: causes)
              #expect(rule.passes == comes, "\(rule)")
              #expect(rule.wait == (comes ? nil : end), "\(rule)")
              count += 1
            }
          }
        }
      }
    }
    #expect(count == 4 * 2 * 5 * 6 * 36)
  }

  @Test func `It is quiet for an app if it is for all apps or for this one, until both have ended`() {
    var (all, own) = (QuietCauses(), QuietCauses())
    #expect(all.union(own).end == nil && !all.areAny)
    all.hoursUntil = 100
    #expect(all.union(own).end == .at(100) && own.union(all).end == .at(100))
    own.onUntil = 200
    #expect(all.union(own).end == .at(200))
    own.isDesktopQuiet = true
    #expect(all.union(own).end == .whenDesktopAllows)
    all.isOn = true
    #expect(all.union(own).end == .whenTurnedOff && own.union(all).end == .whenTurnedOff)
  }

  // A date is multiplied by a thousand.
  @Test(arguments: [0, -1, 253_402_300_800, Int64.max])
  func `A stored end that is no date is ignored`(end: Int64) throws {
    let hours = QuietHours(["until": .integer(end), "skipped": .integer(end)])
    #expect(hours.onUntil == nil && hours.skippedUntil == nil)
    func words(_ end: Int64) -> [String: PlainValue] { ["app": .text("a"), "id": .text("b"), "until": .integer(end)] }
    #expect(throws: RequestError.self) { try Mute(words(end)) }
    #expect(try Mute(words(253_402_300_799)).until == 253_402_300_799)
  }

  @Test func `Turning off ends what was turned on, and skips the hours until their end only`() {
    var hours = QuietHours()
    hours.turnOn()
    #expect(hours.causes(at: 10, hoursUntil: nil).end == .whenTurnedOff)
    hours.turnOn(until: 20)
    #expect(hours.causes(at: 19, hoursUntil: nil).end == .at(20))
    #expect(hours.causes(at: 20, hoursUntil: nil).end == nil)
    #expect(hours.causes(at: 19, hoursUntil: 30).end == .at(30))
    hours.turnOff(skipping: 30)
    #expect(hours.causes(at: 19, hoursUntil: 30).end == nil && hours.causes(at: 29, hoursUntil: 30).end == nil)
    // The next night, and a clock that is set back to before the decision.
    #expect(hours.causes(at: 40, hoursUntil: 50).end == .at(50))
    #expect(hours.causes(at: 5, hoursUntil: 30).end == nil)
    hours.turnOn(until: 25)
    #expect(hours.causes(at: 19, hoursUntil: 30).end == .at(30))
    hours.turnOff(skipping: nil)
    #expect(hours.isUnset)
  }

  @Test(
    arguments: [
      (#""in": "5m", "sound": "bell""#, true), (#""in": "5m", "style": "alert""#, true),
      (#""every": "07:30", "wake": true"#, true), (#""in": "5m""#, false), (#""in": "5m", "sound": "none""#, false),
      (#""sound": "bell", "style": "alert""#, false), (#""on": "unlocked", "sound": "bell""#, false),
      (#""in": "5m", "sound": "bell", "app": "org.example.Tea""#, false),
    ])
  func `An alarm of the user is a request of suzu notify for a time that rings, wakes or stays`(
    keys: String, isAlarm: Bool
  ) throws {
    guard case .dictionary(let words) = try JSONReader.read(#"{"title": "a", \#(keys)}"#) else { return }
    #expect(try NotificationRequest(words).isOwnAlarm == isAlarm)
  }

  @Test func `Decisions read back as they were written, and what is not valid is left out`() throws {
    var hours = QuietHours()
    #expect(hours.plain.isEmpty && QuietHours([:]) == hours)
    hours.turnOn(until: 4_000_000_000)
    hours.hours = ["Mon..Fri 22:00..07:00", "Sat 14:00 for 2h"]
    hours.skippedUntil = 5
    (hours.limit, hours.followsDesktop, hours.comesOneByOne) = (.nothing, true, true)
    guard case .dictionary(let words) = try JSONReader.read(PlainValue.dictionary(hours.plain).json) else { return }
    #expect(QuietHours(words) == hours)
    let wrong: [String: PlainValue] = [
      "on": .text("yes"), "until": .integer(-5), "hours": .list([.integer(1)]), "pass": .text("loud"),
      "after": .flag(true),
    ]
    #expect(QuietHours(wrong).isUnset)
  }
}
