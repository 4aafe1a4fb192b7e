// SPDX-License-Identifier: Apache-2.0

/// What the model knows of a request that waits for its date.
struct Waiting {
  let spec: RequestSpec
  /// The id in the center: that of the request, or of its postponed copy.
  let key: String
  var date: Date
  /// Whether it is the copy that a button postponed, which comes once.
  let isPostponed: Bool
  /// How much sooner it comes because of changes of the clock that are too small to matter.
  private(set) var drift: Int64 = 0

  enum Date {
    /// So many milliseconds on the clock that nothing sets; again after each pause, so many times in all.
    case elapsed(Int64, pause: Int64?, left: Int?)
    /// When the wall clock of the zone shows this, in seconds.
    case wall(Int64, DatePattern?, left: Int?, until: Int64?)
    /// A moment, in seconds since 1970.
    case instant(Int64)
  }

  /// Makes it come later, if it waits for elapsed time.
  mutating func delay(by milliseconds: Int64) {
    guard case .elapsed(let due, let pause, let left) = date else { return }
    date = .elapsed(due + milliseconds, pause: pause, left: left)
  }

  /// The clock has changed by less than what matters.
  mutating func drift(by milliseconds: Int64) {
    drift += milliseconds
    delay(by: -milliseconds)
  }

  /// Together, the changes of the clock matter.
  mutating func forgetDrift() {
    delay(by: drift)
    drift = 0
  }

  var hasPattern: Bool {
    if case .wall(_, .some, _, _) = date { true } else { false }
  }

  var isEach: Bool { spec.missed == .each && !isPostponed }
  var isSkipping: Bool { spec.missed == .skip && !isPostponed }
}

/// A notification that must come, or may.
struct Expectation {
  let spec: RequestSpec
  let key: String
  let isPostponed: Bool
  /// The date that has come, in milliseconds on the wall clock; nil if it has none.
  var due: Int64?
  /// How many earlier dates it stands for.
  var missed: ClosedRange<Int64> = 0...99
  /// When it became due, in milliseconds of the simulation.
  var at: Int64
  /// The number of the date among all that have come; 0 if it has none.
  var firing = 0
  /// How often the zone or the wall clock had changed until then.
  var changes = 0
  /// How often the server has refused it.
  var refusals = 0
  /// If false, both are right: a fault left the center in doubt.
  var isRequired = true
  /// Whether it may come at this very moment, and not later.
  var isOver = false
  /// Whether it was on the screen before.
  var isAgain = false
  /// Whether it took the place in the queue of an earlier date of its request.
  var tookPlace = false
  /// Whether it may have been postponed, and come at any time.
  var comesAnyTime = false
  /// Whether it left the screen to make room for another one, and comes when there is room again.
  var waitsForRoom = false
  /// Whether it was on its way to the server when the center ended.
  var wasSent = false
  /// The showing that was closed before; 0 for none.
  var showing = 0
  /// When the center heard that this showing had ended.
  var heardAt: Int64?

  var isEach: Bool { spec.missed == .each && !isPostponed }

  /// The same, if it may come once more.
  var perhapsAgain: Expectation {
    var other = self
    other.isRequired = false
    other.isAgain = true
    return other
  }
}

/// The clocks at one moment.
struct Moment {
  /// In milliseconds of the simulation.
  var now: Int64
  var wall: Int64
  var elapsed: Int64
  /// The time that no machine has slept so far: what a center is about to do, it does after the sleep.
  var awake: Int64

  func earlier(_ milliseconds: Int64) -> Moment {
    Moment(now: now - milliseconds, wall: wall - milliseconds, elapsed: elapsed - milliseconds, awake: awake)
  }
}

/// A difference between the center and the model.
struct Difference: Error, CustomStringConvertible {
  let at: Int64
  let text: String
  var description: String { "\(text) (at \(Duration.milliseconds(at)))" }
}
