// SPDX-License-Identifier: Apache-2.0

/// The app that handles responses, and the responses on their way to it. Each reaches it once, in the order of the
/// clicks, and has one outcome.
struct ModelApp {
  /// A click on a button that the app handles.
  struct Click {
    let title: String
    let key: String
    let at: Moment
    /// The number of the response; nil until the center tells it.
    var response: UInt64?
    /// Whether the app had left the bus, and the center did not know that: the response reached nobody, and fails.
    var wasAfterLeaving = false
    /// Whether the app must get the response. It need not if the center ended at about the same time, if the app had
    /// left, or if it did not come for a day.
    var isRequired = true
  }

  /// A response that the app has got.
  struct Handling {
    let title: String
    let at: Moment
    /// The outcome that it must have; nil while the app has not said anything.
    var outcome: String?
    /// Whether a center that has ended since handed it over.
    var isOfEarlierCenter = false
  }

  fileprivate(set) var clicks: [Click] = []
  fileprivate(set) var handlings: [UInt64: Handling] = [:]
  /// Since when it has been there, for the center that runs.
  fileprivate var attached: Moment?
  fileprivate var left: Moment?
  /// Whether it has left the bus, and the center does not know that yet.
  var isLeaving = false
  var awakeSince: Int64 = 0
  /// Since when there has been a center, in the time that no machine has slept.
  var centerSince: Int64 = 0

  /// How long the app has to complete a response.
  fileprivate static let limit: Int64 = 30_000
  /// How long a response waits for the app.
  fileprivate static let patience: Int64 = 86_400_000
  fileprivate static let lateness: Int64 = 2_000
  fileprivate static let leftOutcome = "failed: the app left the bus before it was done"

  mutating func attaches(_ moment: Moment) {
    attached = moment
    isLeaving = false
  }

  /// It has left the bus.
  mutating func ends(_ moment: Moment) {
    attached = nil
    left = moment
    isLeaving = true
    for number in handlings.keys where handlings[number]?.outcome == nil && !isTooLate(number, moment) {
      handlings[number]?.outcome = Self.leftOutcome
    }
  }

  /// - Returns: whether the center still waits for it.
  mutating func completes(_ number: UInt64, _ problem: String?, _ moment: Moment) -> Bool {
    guard handlings[number]?.isOfEarlierCenter == false, !isTooLate(number, moment) else { return false }
    handlings[number]?.outcome = problem.map { "failed: \($0)" } ?? "done"
    return true
  }

  private func isTooLate(_ number: UInt64, _ moment: Moment) -> Bool {
    handlings[number].map { moment.awake >= $0.at.awake + Self.limit } ?? true
  }

  /// - Parameter doubtful: since when the center may not have recorded what happened.
  mutating func centerHasEnded(_ moment: Moment, _ doubtful: Int64) {
    let isBeginning = attached.map { $0.awake >= doubtful } == true || left.map { $0.awake >= doubtful } == true
    for index in clicks.indices where isBeginning || clicks[index].at.awake >= doubtful {
      clicks[index].isRequired = false
    }
    for number in handlings.keys { handlings[number]?.isOfEarlierCenter = true }
    attached = nil
    isLeaving = false
  }
}

extension Model {
  func pressedForApp(_ popup: ModelScreen.Popup) {
    app.clicks.append(
      ModelApp.Click(
        title: popup.expectation.spec.title, key: popup.expectation.key, at: last, wasAfterLeaving: app.isLeaving,
        isRequired: !app.isLeaving))
  }

  /// The center has told watchers of a response.
  func responded(_ number: UInt64, of key: String) {
    // Those before it may be lost.
    guard let place = app.clicks.lastIndex(where: { $0.key == key && $0.response == nil }) else {
      return fail("there is a response \(number) to '\(key)' without a click")
    }
    app.clicks[place].response = number
  }

  /// The app has got a response.
  func handedOver(_ number: UInt64, of key: String) {
    let known = app.clicks.firstIndex { $0.response == number }
    guard let place = known ?? app.clicks.firstIndex(where: { $0.key == key && $0.response == nil }) else {
      return fail("the app gets response \(number) to '\(key)' without a click, or twice")
    }
    let click = app.clicks.remove(at: place)
    for earlier in app.clicks[..<place] where earlier.isRequired {
      fail("the app gets the response to '\(click.title)' before that to '\(earlier.title)'")
    }
    app.handlings[number] = ModelApp.Handling(title: click.title, at: last)
  }

  /// The center tells the outcome of a response.
  func ended(_ number: UInt64, _ outcome: String) {
    if outcome.hasPrefix("waiting") { return }
    if let one = app.handlings.removeValue(forKey: number) {
      if !isExpected(outcome, of: one) {
        fail("response \(number) to '\(one.title)' is '\(outcome)', not '\(one.outcome ?? "open")'")
      }
      return
    }
    // The others are of buttons that the app does not handle.
    guard let place = app.clicks.firstIndex(where: { $0.response == number }) else { return }
    let click = app.clicks.remove(at: place)
    let hasLapsed = outcome.hasPrefix("lapsed") && last.wall >= click.at.wall + ModelApp.patience - 1_000
    let wasLost = outcome == "failed: interrupted" && !click.isRequired
    // It may also have been on its way to the app when that left.
    let hasJustLeft = app.left.map { last.awake <= $0.awake + 1_000 } == true
    let wasGone = outcome == ModelApp.leftOutcome && (click.wasAfterLeaving || hasJustLeft)
    if !hasLapsed, !wasLost, !wasGone { fail("response \(number) to '\(click.title)' is '\(outcome)'") }
  }

  private func isExpected(_ outcome: String, of one: ModelApp.Handling) -> Bool {
    if one.isOfEarlierCenter { return outcome == "failed: interrupted" }
    if let expected = one.outcome { return outcome == expected }
    return outcome.hasPrefix("failed: the app did not say within") && last.awake >= one.at.awake + ModelApp.limit
  }

  func checkApp(_ moment: Moment) {
    for index in app.clicks.indices where moment.wall >= app.clicks[index].at.wall + ModelApp.patience - 1_000 {
      app.clicks[index].isRequired = false
    }
    if let attached = app.attached {
      let begin = max(attached.now, app.awakeSince)
      for click in app.clicks where click.isRequired && moment.now > max(click.at.now, begin) + ModelApp.lateness {
        fail("the app has not got the response to '\(click.title)'")
      }
      app.clicks.removeAll { moment.now > max($0.at.now, begin) + ModelApp.lateness }
    }
    for (number, one) in app.handlings.sorted(by: { $0.key < $1.key }) {
      let limit = max(one.at.awake + ModelApp.limit, app.centerSince) + ModelApp.lateness
      if moment.awake <= limit { continue }
      fail("response \(number) to '\(one.title)' has no outcome")
      app.handlings[number] = nil
    }
  }
}
