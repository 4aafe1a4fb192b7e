// SPDX-License-Identifier: Apache-2.0

/// What must be shown, when and how often, and which actions must run: written from the rules of the project's manual,
/// and sharing no code with the center.
///
/// The simulation tells it what happens in the world, and what the center does. It notes each difference. A method is
/// called before the world changes for something (`advance`), and again after it.
final class Model {
  var zone: String { didSet { changes += 1 } }
  /// How often the zone or the wall clock has changed: after each time, the center finds out what is due by then.
  var changes = 0 {
    didSet {
      // A date that waits for the disk moves with them, though it had passed.
      guard isDiskFailing else { return }
      for index in expected.indices { expected[index].forgetDate() }
      vague += fired.map { Expectation(spec: $0.one.spec, key: $0.one.key, isPostponed: $0.one.isPostponed, at: $0.at) }
      fired = []
    }
  }
  /// What may come again with the next start, because the disk failed when it came.
  var vague: [Expectation] = []
  /// The requests that wait for a date, by their id.
  var waiting: [String: Waiting] = [:]
  /// The numbers of the requests that were stored last, by their id.
  var newest: [String: Int] = [:]
  /// What has come and is not on the screen yet.
  var expected: [Expectation] = []
  /// What is on its way to the server, by the number of the call.
  var flights: [Int: Flight] = [:]
  /// What a center sent that has ended since, and is still on its way.
  var lateFlights: [Int: Flight] = [:]
  /// The showings of calls whose answers are lost, until the center gives up waiting for them.
  var unheard: [Int: Int] = [:]
  var screen = ModelScreen()
  var runs: [Run] = []
  var app = ModelApp()
  private(set) var differences: [Difference] = []
  var showings = 0

  var isOn = false {
    didSet {
      noteGood(oldValue, isOn)
      if isOn { (app.centerSince, startedAt) = (last.awake, last.now) }
    }
  }
  var isAwake = true {
    didSet {
      noteGood(oldValue, isAwake)
      if !isAwake { sleptAt = last.now }
      // A pause after a refusal does not go by while the machine sleeps.
      if isAwake { app.awakeSince = last.now }
      guard isAwake, !oldValue else { return }
      if refusedAt + Self.longestPause > sleptAt { refusedAt = last.now }
      if lostAt + Self.longestPause > sleptAt { lostAt = last.now }
    }
  }
  var hasServer = false { didSet { noteGood(oldValue, hasServer) } }
  /// Whether it hangs.
  private(set) var isServerHung = false { didSet { noteGood(!oldValue, !isServerHung) } }
  private var hungAt: Int64 = 0
  /// When it went on, or ended, in the time that no machine has slept. A moment later, the center has its answers.
  private var wentOnAt: Int64 = .min / 2
  /// Whether its answers to what it was sent while it hung may not have arrived.
  var hasHung: Bool { isServerHung || last.awake - wentOnAt <= Self.lead || last.now <= lostAt + Self.longestPause }
  /// Whether it has hung since the center started, which cannot know what it shows.
  var isServerUnknown = false
  /// Whether it has ended, and the center does not know that yet.
  var isEndUntold = false
  /// Whether the center takes for shown what is not.
  var takesForShown: Bool { isServerUnknown || isEndUntold }
  /// Whether there was one when the center ended last.
  var hadServer = false
  /// How long the server takes to answer.
  var answerTime: Int64 = 0
  /// How long the bus takes at most to pass on a message.
  var delay: Int64 = 0
  /// Whether requests may be refused because there is no room for them. All others go on.
  var isDiskFull = false
  /// When the disk failed first and last of late, in the time that no machine has slept.
  var failed: ClosedRange<Int64>?
  /// When it failed last, in milliseconds of the simulation.
  private(set) var failedAt: Int64?
  var goodSince: Int64 = 0
  var refusedAt: Int64 = .min / 2
  /// When the bus lost a message last.
  var lostAt: Int64 = .min / 2
  /// Whether it has lost one since the server started.
  var hasLost = false
  /// When the center started.
  private(set) var startedAt: Int64 = 0
  /// Whether the server had yet to answer when the center ended last.
  var endedInDoubt = false
  /// When the center got its last number of an id: a newer request waits for that.
  var answers: [String: Int64] = [:]
  /// When the server answered last.
  var lastAnswer: Int64 = .min / 2
  /// Whether it shows what no center knows any more.
  var hasStrangers = false
  /// What is known of the server.
  let server: ModelServer
  /// Since when the server has had room for another notification; nil if it has none.
  private(set) var roomSince: Int64? = 0
  var sleptAt: Int64 = 0
  var last: Moment
  /// The difference of the wall clock and the elapsed time, as the center knew it last.
  var knownOffset: Int64
  /// The changes of the clock since then that were too small to matter, together.
  var drift: Int64 = 0
  /// The difference before that, and when it changed.
  var earlierOffset: (offset: Int64, until: Int64)?
  /// The local dates that have come, and the number of the request. Each is one occurrence of an id: one that has been
  /// delivered is not repeated when the zone changes, also not by a newer repetition with the id.
  var handled: [String: Int] = [:]
  /// How many dates have come.
  var firings = 0
  /// What came due last.
  var fired: [Fired] = []
  /// What the center may not have recorded when it ended.
  var unrecorded = Unrecorded()

  /// A click on a button that launches something.
  struct Run {
    let entry: String
    let at: Int64
    /// If false, the center ended so soon after the click that it may not have got it.
    var isRequired = true
  }

  /// How long before the end of the center what it did may not have been recorded yet: 100 ms until a sync, and the
  /// turn of the loop.
  static let doubt: Int64 = 300
  /// How long what came last is kept.
  static let memory: Int64 = 60_000
  /// How late a notification may be: the second of its date.
  static let lateness: Int64 = 900
  /// The longest pause after refusals, and some.
  static let longestPause: Int64 = 70_000

  init(zone: String, _ moment: Moment, _ server: ModelServer) {
    self.zone = zone
    self.server = server
    LocalTime.forgetUpdates()
    last = moment
    knownOffset = moment.wall - moment.elapsed
  }

  /// A write or a sync has failed. What the center could not record, it records within a few seconds.
  func diskFails() {
    failedAt = last.now
    failed = (isDiskFailing ? failed?.lowerBound ?? last.awake : last.awake)...last.awake
  }

  var isDiskFailing: Bool { failed.map { last.awake <= $0.upperBound + Self.recovery } ?? false }

  var mayRefuse: Bool { isDiskFull || isDiskFailing }

  /// Since when what the center did may not have been recorded.
  var doubtful: Int64 {
    let failed = isDiskFailing ? failed?.lowerBound : nil
    return min(last.awake, failed ?? .max) - Self.doubt
  }

  /// How long after a failure the center may still be recording.
  static let recovery: Int64 = 10_000

  func fail(_ text: String) { if differences.count < 20 { differences.append(Difference(at: last.now, text: text)) } }

  /// A zone has other rules.
  func update(_ zone: String, _ rules: String?) {
    LocalTime.update(zone, rules)
    changes += 1
  }

  func noteGood(_ old: Bool, _ new: Bool) { if new, !old { goodSince = last.now } }

  var isGood: Bool { isOn && isAwake && hasServer && !isServerHung }

  func serverHangs(_ hangs: Bool) {
    isServerHung = hangs
    if hangs { hungAt = last.now }
    if hangs { return }
    if isServerUnknown { startedAt = last.now }
    // After a loss, the center asks it again and again whether it answers.
    if lostAt + Self.longestPause > hungAt { lostAt = last.now }
    isServerUnknown = false
    wentOnAt = last.awake
  }

  /// Lets time pass up to a moment: dates come, in their order.
  func advance(to moment: Moment) {
    defer { last = moment }
    if moment.now > last.now { expected.removeAll(where: \.isOver) }
    let hasRoom = server.room.map { screen.count < $0 } ?? true
    roomSince = hasRoom ? roomSince ?? moment.now : nil
    guard isOn, isAwake else { return }
    while let (key, late) = nearest(moment) {
      // Those that came while there was no center, or before the clock was set, come now.
      fire(key, moment.earlier(min(late, moment.now - last.now)))
    }
    know(offset: moment.wall - moment.elapsed, moment)
    checkLate(moment)
    checkApp(moment)
  }
}
