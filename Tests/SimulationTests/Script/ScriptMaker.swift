// SPDX-License-Identifier: Apache-2.0

/// Makes the script of a seed: days of a busy desktop, with what can go wrong.
struct ScriptMaker {
  private var random: SeededRandom
  let seed: UInt64
  let length: Int64
  private var steps: [Script.Step] = []
  static let day: Int64 = 86_400_000
  /// Zones with gaps and overlaps at different times, of an hour and of half an hour, and without any.
  static let zones = [
    "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Tokyo", "Europe/London", "UTC",
  ]
  /// The ids of requests; few, so that some are replaced.
  private static let ids = (1...24).map { "r\($0)" }

  /// What can go wrong.
  enum Edition {
    /// There is one kind of server, zones keep their rules, and the disk is never full.
    case first
    /// There is no app that handles responses, the server does not hang, and the bus stays.
    case second
    /// No message on the bus is late or lost, and there are fewer kinds of servers.
    case third
    case usual

    fileprivate var number: Int {
      switch self {
      case .first: 1
      case .second: 2
      case .third: 3
      case .usual: 4
      }
    }
  }

  /// - Parameter diskFails: whether the disk also fails.
  static func script(
    _ seed: UInt64, days: Int64, _ edition: Edition = .usual, diskFails: Bool = false
  ) -> Script {
    var maker = ScriptMaker(seed, days)
    var script = maker.make(edition.number, diskFails: diskFails)
    if edition.number > 1 { script.server = .ofDesktop(seed, onlyFirst: edition.number < 4) }
    return script
  }

  private init(_ seed: UInt64, _ days: Int64) {
    self.seed = seed
    random = SeededRandom(seed, for: "script")
    length = days * Self.day
  }

  private mutating func make(_ edition: Int, diskFails: Bool) -> Script {
    let change = random.element(SummerTimeChange.all)
    let start = change.start * 1000
    // At odd milliseconds, so that nothing comes at the very moment of a date.
    var at: Int64 = 1_137
    var number = 0
    while at < length - Self.day / 4 {
      number += 1
      steps.append(Script.Step(number: number, at: at, event: event(number)))
      // Mostly in the working day: many within minutes, then a pause.
      at += random.isTrue(in: 40) ? random.number(1_000...300_000) : random.number(300_000...14_400_000)
      at = at / 1000 * 1000 + 137 + Int64(number % 800)
    }
    addChange(change, &number)
    addEndOfWaiting(&number)
    if edition > 1 {
      addUpdates(&number)
      addEnds(&number)
      addFullDisks(&number)
    }
    if edition > 2 {
      addApp(&number)
      addHangs(&number)
      addBuses(&number)
    }
    if diskFails { addFailures(&number) }
    if edition > 3 {
      addSlowBuses(&number)
      addLosses(&number)
    }
    return Script(seed: seed, start: start, length: length, steps: steps)
  }

  // What follows has random numbers of its own, so that the rest of a script stays as it is without it.

  /// Two requests for minutes that exist twice, or not at all.
  private mutating func addChange(_ change: SummerTimeChange, _ number: inout Int) {
    for _ in 1...2 {
      number += 1
      var own = SeededRandom(seed, for: "change \(number)")
      let at: Int64 = own.number(1...20) * 3_600_000 + 77_637
      insert(.notify(change.request(number, id: "change\(number)", at: change.start + at / 1000, &own)), number, at: at)
    }
  }

  /// A request that waits for a server when the power fails, right after the commit that has replaced it.
  private mutating func addEndOfWaiting(_ number: inout Int) {
    var own = SeededRandom(seed, for: "waits")
    let at: Int64 = own.number(2...length / 3_600_000 - 2) * 3_600_000 + 377_337
    func request(_ when: RequestSpec.When, _ number: Int) -> Script.Event {
      .notify(
        RequestSpec(
          number: number, id: "waits", when: when, zone: nil, missed: .deliver, grace: nil, isAlert: false,
          hasLaunch: false, snooze: nil, expires: nil))
    }
    let events: [Script.Event] = [
      .restartServer(90_000), request(.now, number + 2), .end(.afterSync(1), isPowerLoss: true, off: 1_000),
      request(.after(40_000), number + 4),
    ]
    for (index, event) in events.enumerated() {
      number += 1
      insert(event, number, at: at + Int64(index) * 2_000)
    }
  }

  mutating func insert(_ event: Script.Event, _ number: Int, at moment: Int64) {
    let place = steps.firstIndex { $0.at > moment } ?? steps.endIndex
    steps.insert(Script.Step(number: number, at: moment, event: event), at: place)
  }

  private mutating func event(_ number: Int) -> Script.Event {
    switch random.number(0...99) {
    case 0..<56: .notify(request(number))
    case 56..<64: .cancel(random.element(Self.ids))
    case 64..<69: .setClock(clockChange)
    case 69..<73: .move(random.element(Self.zones))
    case 73..<80: .suspend(random.number(30_000...Self.day / 2))
    case 80..<85: .restartServer(random.isTrue(in: 50) ? random.number(1...3_000) : random.number(3_000...10_800_000))
    case 85..<88: .slowServer(answer: random.number(5...3_500), for: random.number(60_000...Self.day / 2))
    case 88..<91: .refuse(random.number(1...3))
    default: end(number)
    }
  }

  private mutating func end(_ number: Int) -> Script.Event {
    let moment = moment
    let isPowerLoss = random.isTrue(in: 40)
    let off: Int64 = random.isTrue(in: 60) ? random.number(50...5_000) : random.number(5_000...Self.day)
    var own = SeededRandom(seed, for: "move \(number)")
    // The log is moved about once a day.
    switch own.number(0...99) {
    case 0..<15: return .end(.duringMove(own.number(1...12)), isPowerLoss: own.isTrue(in: 80), off: off)
    case 15..<30: return .end(.whileShown(own.number(1...3)), isPowerLoss: own.isTrue(in: 80), off: off)
    default: return .end(moment, isPowerLoss: isPowerLoss, off: off)
    }
  }

  /// Corrections, changes by hand, and a clock that was wrong for a while.
  private var clockChange: Int64 {
    mutating get {
      let size: Int64 = random.element([random.number(1_000...59_000), random.number(60_000...7_200_000)])
      return random.isTrue(in: 50) ? size : -size
    }
  }

  private var moment: Script.Moment {
    mutating get {
      switch random.number(0...8) {
      case 0, 1: .now
      case 2, 3: .beforeSync(random.number(1...4))
      case 4, 5: .afterSync(random.number(1...4))
      case 6: .atLaunch(random.number(1...2))
      default: .atPost(random.number(1...2))
      }
    }
  }

  private mutating func request(_ number: Int) -> RequestSpec {
    let when = when
    // A moment has an offset, and elapsed time none.
    var takesZone = false
    var isRepeating = false
    var isDated = false
    switch when {
    case .at(_, _, let isInstant): takesZone = !isInstant
    case .matchOnce: takesZone = true
    case .dates: (takesZone, isRepeating, isDated) = (true, true, true)
    case .every: isRepeating = true
    case .now, .after: break
    }
    // The bounds of a repetition are read in its zone, so one that has any keeps to it.
    var mustHaveZone = false
    if case .dates(_, _, _, .some) = when { mustHaveZone = true }
    let zone = takesZone && (mustHaveZone || random.isTrue(in: 40)) ? random.element(Self.zones) : nil
    let missed: RequestSpec.Missed =
      switch random.number(0...9) {
      case 0, 1: isRepeating || isDated ? .skip : .deliver
      case 2: isDated ? .each : .deliver
      default: .deliver
      }
    var grace: Int64?
    if missed == .skip, random.isTrue(in: 50) { grace = random.number(120...7_200) }
    var own = SeededRandom(seed, for: "front \(number)")
    return RequestSpec(
      number: number, id: random.element(Self.ids), when: when, zone: zone, missed: missed, grace: grace,
      isAlert: random.isTrue(in: 40), hasLaunch: random.isTrue(in: 50), isForeground: own.isTrue(in: 40),
      snooze: random.isTrue(in: 40) ? random.number(60...7_200) : nil,
      expires: random.isTrue(in: 20) ? random.number(5...120) : nil)
  }

  private var when: RequestSpec.When {
    mutating get {
      let count = random.isTrue(in: 25) ? random.number(1...6) : nil
      switch random.number(0...9) {
      case 0: return .now
      case 1, 2: return .after(random.element([random.number(1...600), random.number(600...200_000)]))
      case 3: return .every(random.number(1_800...90_000), isDelay: random.isTrue(in: 40), count: count ?? 5)
      case 4: return .at(days: random.number(0...6), minute: random.number(0...1_439), isInstant: random.isTrue(in: 30))
      case 5: return .matchOnce(pattern(for: .match))
      default:
        let notation = random.element([RequestSpec.Notation.every, .rule, .match])
        return .dates(
          pattern(for: notation), notation, count: count, untilDays: random.isTrue(in: 20) ? random.number(2...40) : nil
        )
      }
    }
  }

  private mutating func pattern(for notation: RequestSpec.Notation) -> DatePattern {
    let minute = random.element([0, 15, 30, 45])
    // One time of day is often one that a change of summer time repeats or leaves out; of several, none is, because two
    // wall times may then be one moment.
    var hours = [random.element([1, 2, 2, 3, 7, 9, 12, 18, 22])]
    if notation != .match, random.isTrue(in: 30) {
      hours = random.element([[8, 20], [6, 12, 18], [9, 10, 11, 14, 15]])
    }
    var pattern = DatePattern(minutes: hours.map { $0 * 60 + minute })
    switch random.number(0...4) {
    case 0, 1:
      pattern.weekdays =
        notation == .match ? [random.number(0...6)] : (0...6).filter { _ in random.isTrue(in: 40) }
    case 2: pattern.monthDays = notation == .match ? [random.number(1...31)] : [random.number(1...15), 31]
    default: break
    }
    return pattern
  }
}
