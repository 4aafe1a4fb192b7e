// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// Commits the user's responses, sends them to listeners, and hands their actions on.
final class Responder {
  private let journal: Journal
  private let time: any TimeSource
  private let dates: DateText
  private let badges: Badges
  private let audience: any Audience
  private let questions: Questions
  private let ends: Ends
  private let outcomes: Outcomes
  private let gate: ActionGate
  private let categories: Categories
  private let outbox: Outbox
  /// The last number of a response that is not stored; higher than every number from the store.
  private var lastNumber: UInt64

  init(
    journal: Journal, time: any TimeSource, dates: DateText, badges: Badges, audience: any Audience,
    questions: Questions, ends: Ends, outcomes: Outcomes, gate: ActionGate,
    categories: Categories, outbox: Outbox
  ) {
    self.journal = journal
    self.time = time
    self.dates = dates
    self.badges = badges
    self.audience = audience
    self.questions = questions
    self.ends = ends
    self.outcomes = outcomes
    self.gate = gate
    self.categories = categories
    self.outbox = outbox
    let (seconds, attoseconds) = EventLoop.Clock.wall.now.components
    lastNumber = UInt64(max(0, seconds)) * 1_000_000 + UInt64(attoseconds / 1_000_000_000_000)
  }

  /// - Parameter ending: the outcome, if it is known already; then the action is not carried out.
  func answer(_ posting: ShownNotification, _ action: String, reply: String?, ending: Outcome? = nil) {
    if questions.end(posting.key, Answer(pressed: action)) { return }
    let reply = reply.map(ReplyText.bounded)
    let now = time.wall
    let meant = posting.offer.meant(by: action, of: posting.request)
    // Most actions wait for nothing. Their beginning is recorded in the same commit as the response.
    let begins = ending == nil && meant?.isAtOnce == true
    let badge = badges.lowered(of: posting.key.app, by: action)
    // The commit is synced while the program starts, which takes longer. It protects against doing the action twice if
    // the center ends, but not if the machine does, so a destructive action waits for the sync.
    let isUnsynced = begins && meant?.destructive != true
    let goesElsewhere = mayGoElsewhere(posting)
    // Earlier changes are written as well, so that listeners learn of them before what follows from the click.
    let commit = {
      (store: Store, number: ResponseRecord.Number?, begins: Bool) throws(StoreError) -> (ResponseRecord?, Bool) in
      let response = try store.commitResponse(
        to: posting.due, action: action, reply: reply, begins: begins, as: number, now: now)
      guard goesElsewhere, let delivery = response?.delivery else { return (response, false) }
      return (response, try store.queueAnswer(to: delivery, action: action, reply: reply, now: now))
    }
    let written = journal.writeNow(sync: isUnsynced ? .withLater : .atOnce) { store throws(StoreError) in
      if let badge { try Badges.keep(badge, of: posting.key.app, in: store) }
      return try commit(store, nil, begins)
    }
    var record: Click.Record?
    var isSent = false
    switch written {
    case .success(let stored):
      record = stored.0.map { Click.Record($0) }
      isSent = stored.1
      if let badge { badges.wasLowered(to: badge, of: posting.key.app) }
    case .failure:
      if let badge { badges.set(badge, of: posting.key.app, journal) }
      // The store has no row of this notification that the response could belong to.
      if posting.due.record == nil { break }
      let number = outcomes.unstored.store(begins: begins) { store, number, begins throws(StoreError) in
        isSent = try commit(store, number, begins).1
      } then: { [outbox] in
        if isSent { outbox.answerWaits() }
      }
      record = Click.Record(number: number, hasBegun: begins)
    }
    answered(posting, action, reply: reply, record, now, ending)
    ends.answered(posting.due)
    if isUnsynced { journal.syncThisTurn() }
    if isSent { outbox.answerWaits() }
  }

  /// Whether the other desktops that show it may learn of the answer, as far as its category is concerned.
  private func mayGoElsewhere(_ posting: ShownNotification) -> Bool {
    guard posting.due.rights == .all else { return false }
    guard let name = posting.request.content.category else { return true }
    let category = categories.category(name.text, of: posting.key.app, for: posting.due.rights)
    return category?.localAnswers != true
  }

  /// Reports a click that could not be carried out, and leaves the notification as it is. Nothing is stored: it has not
  /// been answered.
  func report(_ posting: ShownNotification, _ action: String, _ outcome: Outcome) {
    let app = posting.key.app
    let response = Response(
      number: nextNumber(), app: app, id: posting.key.id, action: action, reply: nil, due: dates.text(of: posting.due),
      missed: posting.due.missed, userInfo: posting.request.content.userInfo,
      event: posting.due.event.dictionary)
    let handler = audience.handler(of: app)
    audience.tell(.responded(response), of: app, except: handler)
    audience.tell(.outcome(response: response.number, outcome), of: app, except: handler)
  }

  private func answered(
    _ posting: ShownNotification, _ id: String, reply: String?, _ record: Click.Record?, _ now: Timestamp,
    _ ending: Outcome?
  ) {
    var response = Response(
      number: 0, app: posting.key.app, id: posting.key.id, action: id, reply: reply,
      due: dates.text(of: posting.due), missed: posting.due.missed, userInfo: posting.request.content.userInfo,
      event: posting.due.event.dictionary)
    response.number = record.map { UInt64($0.number.value) } ?? nextNumber()
    let action = posting.offer.meant(by: id, of: posting.request)
    // The handler receives the response when it may act: the session may have to be unlocked first.
    let handler = action?.effect == nil ? audience.handler(of: response.app) : nil
    let isHeard = audience.tell(.responded(response), of: response.app, except: handler)
    let click = Click(
      response: response, request: posting.request, action: action ?? Action(id: id, title: ""),
      rights: posting.due.rights, token: posting.token, record: record, date: now,
      unescalated: posting.due.step > 0 ? posting.due.original : nil)
    if let ending { return outcomes.finish(click, ending) }
    guard action != nil else { return outcomes.finish(click, .failed("there is no such action")) }
    gate.carryOut(click, isHeard: isHeard)
  }

  private func nextNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }
}
