// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import Testing

/// Tests the keys of notifications that are shown again until they are answered, and of a snooze with a choice.
@Suite struct NagTests {
  private static func request(_ keys: String) throws(RequestError) -> NotificationRequest {
    guard case .dictionary(let words)? = try? JSONReader.read(#"{"title": "a", \#(keys)}"#) else {
      throw RequestError("", "no JSON")
    }
    return try NotificationRequest(words)
  }

  @Test(
    arguments: [
      (#""nag": "5m""#, Nag.every(.seconds(300))),
      (#""nag": "10s", "max": 2"#, .every(.seconds(10), atMost: 2)),
      (
        #""escalate": [{"after": "10m", "level": "critical", "sound": "none", "category": "urgent"}], "max": 10000"#,
        .escalating(
          [Nag.Step(after: .seconds(600), level: .critical, sound: .silent, category: "urgent")], atMost: 10_000)
      ),
      (
        #""escalate": [{"after": "10s", "push": true}, {"after": "1h", "push": "phone"}]"#,
        .escalating([
          Nag.Step(after: .seconds(10), push: .onlyLink), Nag.Step(after: .seconds(3600), push: .link("phone")),
        ])
      ),
      (
        #""nag": "1m", "escalate": [{"after": "10s"}, {"after": "20s", "style": "alert"}]"#,
        .every(
          .seconds(60), escalating: [Nag.Step(after: .seconds(10)), Nag.Step(after: .seconds(20), style: .alert)])
      ),
    ])
  func `The keys are read, and made in Swift they are the same`(keys: String, nag: Nag) throws {
    let read = try Self.request(keys)
    #expect(read.content.nag == nag)
    let made = try NotificationRequest(title: "a") { $0.nag = nag }
    #expect(made == read)
    #expect(try JSONReader.read(made.json).decode() == made)
  }

  @Test(
    arguments: [
      (#""nag": "9s""#, "'nag' must be at least 10s, not '9s'"),
      (
        #""nag": 5"#,
        "'nag' must be a duration such as '90s', '10m', '1h30m' or '2d', not 5; did you mean \"5m\"?"
      ),
      (#""max": 3"#, "'max': applies only to 'nag' and 'escalate'; for example 'nag: 5m'"),
      (#""nag": "5m", "max": 1"#, "'max' must be an integer from 2 to 10000, not 1"),
      (#""escalate": []"#, "'escalate' must have 1 to 20 steps, not 0"),
      (#""escalate": [{"level": "critical"}]"#, "'escalate[0].after' is missing"),
      (#""escalate": [{"after": "5s"}]"#, "'escalate[0].after' must be at least 10s, not '5s'"),
      (
        #""escalate": [{"after": "5m"}, {"after": "5m"}]"#,
        "'escalate[1].after' must be at least 10s later than the step before: 5m10s, not '5m'"
      ),
      (
        #""escalate": [{"after": "5m", "level": "urgent"}]"#,
        "'escalate[0].level' must be one of 'passive', 'active', 'timeSensitive', 'critical', not 'urgent'"
      ),
      (
        #""escalate": [{"after": "5m", "push": false}]"#,
        "'escalate[0].push' must be true, or the name of a link, not false"
      ),
      (
        #""escalate": [{"after": "5m", "push": "../x"}]"#,
        "'escalate[0].push' must be the name of a link: 1 to 64 letters, digits, dots, dashes and underscores, "
          + "such as 'home'"
      ),
      (
        #""escalate": [{"after": "5m", "sonud": "a"}]"#,
        "'escalate[0].sonud' is not a known key; did you mean 'sound'?"
      ),
      (#""escalate": ["5m"]"#, "'escalate[0]' must be a dictionary"),
      (
        #""escalate": "5m""#,
        #"'escalate' must be a list such as [{"after": "10m", "level": "critical"}], not a string"#
      ),
      (
        #""actions": [{"id": "a"}], "escalate": [{"after": "5m"}, {"after": "6m", "category": "c"}]"#,
        "'actions': 'actions' and 'escalate[1].category' cannot be combined"
      ),
    ])
  func `A wrong value is refused with its key`(keys: String, message: String) {
    #expect { try Self.request(keys) } throws: { "\($0)" == message }
  }

  @Test func `A value that cannot be in a request is refused in Swift as well`() {
    for nag in [Nag.every(.seconds(-60)), .every(.zero), .escalating([]), .every(.seconds(60), atMost: 1)] {
      // Without a step, there is nothing to show again.
      if nag == .escalating([]) {
        #expect((try? NotificationRequest(title: "a") { $0.nag = nag })?.content.nag == nil)
      } else {
        #expect(throws: RequestError.self) { try NotificationRequest(title: "a") { $0.nag = nag } }
      }
    }
  }

  @Test func `The next showing comes after the pause, or with the next step if that is earlier`() {
    let nag = Nag.every(.seconds(300), escalating: [Nag.Step(after: .seconds(420)), Nag.Step(after: .seconds(900))])
    var (age, ages, count) = (Duration.zero, [Int64](), 1)
    while ages.count < 6, let pause = nag.pause(afterShowings: count, age: age) {
      age += pause
      count += 1
      ages.append(age.components.seconds)
    }
    #expect(ages == [300, 420, 720, 900, 1200, 1500])
    #expect([0, 419, 420, 899, 900].map { nag.step(at: .seconds($0)) } == [0, 0, 1, 1, 2])
    let limited = Nag.escalating(nag.steps, atMost: 2)
    #expect(limited.pause(afterShowings: 1, age: .zero) == .seconds(420))
    #expect(limited.pause(afterShowings: 2, age: .seconds(420)) == nil)
    #expect(!limited.isShownAgain(afterShowings: 2, step: 1) && limited.isShownAgain(afterShowings: 1, step: 0))
    #expect(Nag.escalating(nag.steps).pause(afterShowings: 3, age: .seconds(900)) == nil)
    #expect(!Nag.escalating(nag.steps).isShownAgain(afterShowings: 3, step: 2))
  }

  @Test func `What a step does not name stays as it was`() throws {
    let request = try NotificationRequest(title: "a") {
      $0.level = .passive
      $0.sound = "bell"
      $0.nag = .escalating([
        Nag.Step(after: .seconds(60), level: .critical), Nag.Step(after: .seconds(120), sound: "alarm", style: .alert),
      ])
    }
    #expect(request.escalated(to: 0) == request)
    let first = request.escalated(to: 1).content
    #expect(first.level == .critical && first.sound == "bell" && first.style == .banner)
    let second = request.escalated(to: 2).content
    #expect(second.level == .critical && second.sound == "alarm" && second.style == .alert)
    #expect(request.escalated(to: 9) == request.escalated(to: 2))
  }

  // MARK: A snooze with a choice

  private static func action(_ keys: String) throws -> Action {
    try JSONReader.read(#"{"id": "later", \#(keys)}"#).decode(as: Action.self)
  }

  @Test func `A list of times has durations, times and conditions`() throws {
    let action = try Self.action(#""snooze": ["5m", "1h30m", "tomorrow 08:00", "unlocked", "leave wifi Home"]"#)
    try #expect(
      action.snoozeTimes == [
        .after(.seconds(300)), .after(.seconds(5400)), .at("tomorrow 08:00"), .when(Condition(.unlocked)),
        .when(Condition(.wifi("Home"), .leave)),
      ])
    #expect(
      action.snoozeTimes.map(\.label)
        == ["in 5m", "in 1h30m", "tomorrow 08:00", "when unlocked", "when leave wifi Home"])
    #expect(try action.plain.decode(as: Action.self) == action)
    #expect(try Self.action(#""snooze": "5m""#).effect == .snooze(.seconds(300)))
    #expect(try Self.action(#""snooze": "tomorrow 08:00""#).snoozeTimes == [.at("tomorrow 08:00")])
    #expect(try Self.action(#""snooze": "unlocked""#).snoozeTimes.map(\.text) == ["unlocked"])
    #expect(action.snoozeTimes.chosen("1h30m") == .after(.seconds(5400)))
    #expect(action.snoozeTimes.chosen("90m") == .after(.seconds(5400)))
    #expect(action.snoozeTimes.chosen(nil) == .after(.seconds(300)))
    #expect(action.snoozeTimes.chosen("2h") == nil && action.snoozeTimes.chosen("idle 5m") == nil)
  }

  @Test(
    arguments: [
      (
        #""snooze": """#,
        "'snooze' must be a duration such as '5m', a time such as 'tomorrow 08:00', or a condition such as 'unlocked'"
      ),
      (#""snooze": "battery""#, "'snooze' lacks"),
      (#""snooze": []"#, "'snooze' must have 1 to 20 times, not 0"),
      (#""snooze": ["5m", "0s"]"#, "'snooze[1]' must be positive, not '0s'"),
      (
        #""snooze": ["5m", ""]"#,
        "'snooze[1]' must be a duration such as '5m', a time such as 'tomorrow 08:00', or a condition such as 'unlocked'"
      ),
      (#""snooze": ["60m", "1h"]"#, "'snooze[1]' repeats '1h'"),
      (#""snooze": ["5m", "battery"]"#, "'snooze[1]' lacks"),
      (#""snooze": ["5m", 7]"#, "'snooze[1]' must be a string"),
      (#""snooze": ["5m", "1h"], "run": ["true"]"#, "'snooze' cannot be combined with 'run': an action has one effect"),
      (#""snooze": ["5m"], "input": {}"#, "'input' cannot be combined with times in 'snooze', only with a duration"),
    ])
  func `A wrong list of times is refused`(keys: String, message: String) {
    #expect { try Self.action(keys) } throws: { "\($0)".hasPrefix(message) }
  }

  @Test func `Of the steps that have come, the last one for each link is sent`() {
    let nag = Nag.escalating([
      Nag.Step(after: .seconds(10), push: .onlyLink), Nag.Step(after: .seconds(20), level: .critical),
      Nag.Step(after: .seconds(30), push: .link("a")), Nag.Step(after: .seconds(40), push: .link("b")),
      Nag.Step(after: .seconds(50), push: .link("a")),
    ])
    func sent(_ step: Int) -> [String] { nag.pushes(at: step).map { "\($0.step) \($0.target.name ?? "-")" } }
    #expect(sent(0) == [])
    #expect(sent(1) == ["1 -"] && sent(2) == ["1 -"])
    #expect(sent(4) == ["1 -", "3 a", "4 b"])
    #expect(sent(5) == ["1 -", "4 b", "5 a"] && sent(20) == sent(5))
  }
}
