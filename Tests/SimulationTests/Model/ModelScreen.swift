// SPDX-License-Identifier: Apache-2.0

/// What is on the screen, as the model sees it. Its moments leave out the time that the machine slept.
struct ModelScreen {
  struct Popup {
    var expectation: Expectation
    let number: UInt32
    /// Another one for each notification that was shown.
    let showing: Int
    /// Those whose place it took on the screen, and when they were shown: until the server answers, the center takes
    /// them for what is on the screen.
    let earlier: [(expectation: Expectation, shownAt: Int64)]
    let shownAt: Int64
    /// When the server answered; nil if it has not.
    var answeredAt: Int64?
    /// Whether a center that has ended since showed it.
    var isOfEarlierCenter = false
    /// Whether it was cancelled before the server answered: the center closes it then, and it does not come back.
    var isCancelled = false
    /// Whether the center may not know that it is on the screen, or may take it for something else.
    var isDoubtful = false
    /// Whether the center has sent a call that closes it.
    var isClosing = false
    /// Whether the center cannot know that it is on the screen: the answer that said so, or the center before, is lost.
    var isUnknown = false
    /// Whether the center has begun what its button does: it has recorded the answer before.
    var isAnswered = false
  }

  /// A click that postpones a notification.
  struct Snooze {
    let spec: RequestSpec
    /// The id of what was postponed.
    let key: String
    /// Whether it took the place of an earlier one that waited.
    let hadEarlier: Bool
    let at: Int64
  }

  private(set) var popups: [UInt32: Popup] = [:]
  /// The titles of dates that came while the disk failed, and that the center may take for not shown at each start.
  var vague: Set<String> = []
  /// The reasons of what was shown last, by id: reports come after the server's answer.
  private var shown: [String: [Expectation]] = [:]
  private var snoozes: [Snooze] = []
  /// Those that left the screen a moment ago, or of whose end the center does not know.
  private var left: [Left] = []
  private var showings = 0

  /// One that has left the screen.
  private struct Left {
    var popup: Popup
    /// When the center learned of it; the distant future if it has not.
    var at: Int64
    /// Whether the signal that says so has arrived.
    var hasArrived: Bool
  }

  /// - Parameter keepsDates: whether the dates of an earlier request that are shown side by side may stay.
  /// - Returns: the number of this showing.
  @discardableResult
  mutating func show(_ one: Expectation, as number: UInt32, at now: Int64, keepsDates: Bool) -> Int {
    var earlier: [(expectation: Expectation, shownAt: Int64)] = []
    for (other, popup) in popups where popup.expectation.key == one.key {
      let mayStay = keepsDates && popup.expectation.isEach || vague.contains(popup.expectation.spec.title)
      if mayStay, other != number { continue }
      if one.isEach && popup.expectation.spec.number >= one.spec.number && other != number { continue }
      popups[other] = nil
      earlier += popup.earlier.suffix(8)
      earlier.append((popup.expectation, popup.answeredAt ?? now))
    }
    // The center has replaced those of whose end it was not told.
    for index in left.indices where left[index].at == .max && left[index].popup.expectation.key == one.key {
      let isBeside = one.isEach && left[index].popup.expectation.spec.number == one.spec.number
      if !isBeside { left[index].at = now }
    }
    showings += 1
    popups[number] = Popup(expectation: one, number: number, showing: showings, earlier: earlier, shownAt: now)
    popups[number]?.isDoubtful = vague.contains(one.spec.title)
    shown[one.key, default: []].append(one)
    if shown[one.key, default: []].count > 40 { shown[one.key]?.removeFirst() }
    return showings
  }

  mutating func answered(_ showing: Int, at now: Int64) {
    change(showing) { $0.answeredAt = now }
    // What it heard before of this number, it handles now.
    for index in left.indices where left[index].popup.showing == showing {
      left[index].popup.answeredAt = now
      left[index].at = max(left[index].at, now)
    }
  }

  /// Changes one, if it is on the screen.
  mutating func change(_ showing: Int, _ body: (inout Popup) -> Void) {
    guard var popup = popups.values.first(where: { $0.showing == showing }) else { return }
    body(&popup)
    popups[popup.number] = popup
  }

  /// One that is on the screen, or has just left it.
  func popup(_ showing: Int) -> Popup? {
    popups.values.first { $0.showing == showing } ?? left.last { $0.popup.showing == showing }?.popup
  }

  /// The user has answered it, or it has left the screen.
  @discardableResult
  mutating func leave(_ number: UInt32, at now: Int64) -> Popup? {
    guard let popup = popups.removeValue(forKey: number) else { return nil }
    noteLeft(popup, at: now)
    return popup
  }

  /// - Parameter now: the distant future if the center is not told of it yet.
  mutating func noteLeft(_ popup: Popup, at now: Int64) {
    if now < .max { left = left.filter { $0.at > now - Model.memory } }
    left.append(Left(popup: popup, at: now, hasArrived: now < .max))
  }

  /// The center learns that one has left the screen; nil if it knew that already.
  @discardableResult
  mutating func arrived(_ showing: Int, at now: Int64) -> Popup? {
    guard let place = left.firstIndex(where: { $0.popup.showing == showing && !$0.hasArrived }) else { return nil }
    left[place].hasArrived = true
    left[place].at = now
    return left[place].popup
  }

  /// The center that was to be told of an end is gone, or what was shown.
  mutating func endTelling(at now: Int64) {
    for index in left.indices where left[index].at == .max { left[index].at = now }
  }

  /// The center takes this number for one that is on the screen, though it has left it; nil if it does not.
  func untold(_ number: UInt32) -> Popup? {
    left.last { $0.popup.number == number && $0.at == .max }?.popup
  }

  /// The center closes it.
  mutating func takeUntold(_ number: UInt32, at now: Int64) -> Popup? {
    guard let place = left.lastIndex(where: { $0.popup.number == number && $0.at == .max }) else { return nil }
    left[place].at = now
    return left[place].popup
  }

  /// How many the center takes for being on the screen.
  var count: Int { popups.count + left.count { $0.at == .max } }

  mutating func leaveAll() -> [Popup] {
    defer { popups = [:] }
    return popups.keys.sorted().compactMap { popups[$0] }
  }

  /// A newer request has the id.
  mutating func doubt(of key: String) {
    for (number, popup) in popups where popup.expectation.key == key { popups[number]?.isDoubtful = true }
  }

  /// Whether the server has yet to answer a post of this id.
  func isAwaited(_ key: String) -> Bool {
    popups.values.contains { $0.expectation.key == key && $0.answeredAt == nil }
      // It may have gone before the answer comes.
      || left.contains { $0.popup.expectation.key == key && $0.popup.answeredAt == nil }
  }

  /// Whether such an answer is going to come.
  func isAnswerDue(_ key: String) -> Bool {
    popups.values.contains { $0.expectation.key == key && $0.answeredAt == nil && !$0.isUnknown }
      || left.contains { $0.popup.expectation.key == key && $0.popup.answeredAt == nil && $0.at == .max }
  }

  var isAnyAnswerDue: Bool { popups.values.contains { $0.answeredAt == nil && !$0.isUnknown } }

  /// What the server had not answered yet of this id at a moment.
  func unanswered(_ key: String, since moment: Int64) -> [Expectation] {
    (Array(popups.values) + left.map(\.popup)).filter { $0.expectation.key == key && ($0.answeredAt ?? .max) >= moment }
      .map(\.expectation)
  }

  /// The center closes those that the server has not answered yet.
  ///
  /// - Parameter one: only those of that date; nil for all.
  mutating func cancel(_ key: String, only one: Expectation? = nil) {
    for (number, popup) in popups where popup.expectation.key == key && popup.answeredAt == nil {
      if one.map({ popup.expectation.isSame(as: $0) }) ?? true { popups[number]?.isCancelled = true }
    }
  }

  mutating func note(_ snooze: Snooze) {
    snoozes = snoozes.filter { $0.at > snooze.at - Model.memory }
    snoozes.append(snooze)
  }

  func snoozed(since moment: Int64) -> [Snooze] { snoozes.filter { $0.at >= moment } }

  /// Those that the center may take for being on the screen still.
  func left(since moment: Int64) -> [Popup] {
    left.filter { ($0.at >= moment || $0.popup.answeredAt == nil) && !$0.popup.isAnswered }.map(\.popup)
  }

  /// The center has launched this for one that the user answered.
  mutating func launched(_ entry: String) {
    let place = left.firstIndex { $0.popup.expectation.spec.entry == entry && !$0.popup.isAnswered }
    if let place { left[place].popup.isAnswered = true }
  }

  /// Without power, answers that were not synced are lost.
  mutating func loseAnswers(since moment: Int64) {
    for index in left.indices where left[index].at >= moment { left[index].popup.isAnswered = false }
  }

  /// Those whose number the center may not have recorded, and the alerts whose end it may not have recorded.
  func latest(since moment: Int64) -> [Popup] {
    func isNew(_ popup: Popup) -> Bool { popup.answeredAt.map { $0 >= moment } ?? true }
    return popups.keys.sorted().compactMap { popups[$0] }.filter(isNew)
      + left(since: moment).filter { isNew($0) || $0.expectation.spec.isAlert }
  }

  mutating func noteEndOfCenter(forgottenSince moment: Int64) {
    for (number, popup) in popups {
      popups[number]?.isOfEarlierCenter = true
      if popup.answeredAt == nil { popups[number]?.isUnknown = true }
      if popup.answeredAt.map({ $0 >= moment }) ?? true { popups[number]?.isDoubtful = true }
    }
  }

  /// For what date those on the screen came is not known.
  mutating func forgetDates(of key: String) {
    for (number, popup) in popups where popup.expectation.key == key { popups[number]?.expectation.forgetDate() }
    for index in (shown[key] ?? []).indices { shown[key]?[index].forgetDate() }
  }

  func reasons(for key: String) -> [Expectation] { shown[key] ?? [] }
}

extension ModelScreen.Popup {
  /// What comes if the center has forgotten that it was shown: it stands for the dates before it that are forgotten as
  /// well, those that were shown since a moment. An alert that it replaced may come back.
  func again(forgottenSince moment: Int64) -> [Expectation] {
    var again = expectation.perhapsAgain
    for one in earlier where one.shownAt >= moment && one.expectation.isDate(like: again) {
      again.mayStand(for: one.expectation)
    }
    let alert = earlier.last { $0.expectation.spec.isAlert && !$0.expectation.isDate(like: again) }
    return (alert.map { [$0.expectation.perhapsAgain] } ?? []) + [again]
  }
}

extension Expectation {
  /// Whether both are the same date of the same request.
  func isSame(as other: Expectation) -> Bool {
    key == other.key && spec.number == other.spec.number && due == other.due
  }

  /// Whether both are dates of one request, and not shown side by side.
  func isDate(like other: Expectation) -> Bool {
    key == other.key && spec.number == other.spec.number && !other.isEach
  }

  mutating func forgetDate() {
    due = nil
    missed = 0...99
  }

  /// The center may have forgotten that an earlier date of it was shown.
  mutating func mayStand(for earlier: Expectation) {
    missed = missed.lowerBound...missed.upperBound + earlier.missed.upperBound + 1
  }

  /// Whether the center's report means this. It has whole seconds, and no date for what was to be shown at once.
  func explains(due reported: Int64?, missed reportedMissed: Int) -> Bool {
    guard missed.contains(Int64(reportedMissed)) else { return false }
    guard let due, let reported else { return due == nil || reported == nil }
    return abs(due / 1000 - reported) <= 1
  }
}
