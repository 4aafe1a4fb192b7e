// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// What the user chose: written down, told, and on its way to being done.
final class Responder {
  private let store: Store
  private let journal: Journal
  private let time: any TimeSource
  private let dates: DateText
  private let badges: Badges
  private let audience: any Audience
  private let questions: Questions
  private let outcomes: Outcomes
  private let gate: ActionGate
  /// For the time that responses cannot be written down: above every number that the store has given.
  private var lastNumber: UInt64

  init(
    store: Store, journal: Journal, time: any TimeSource, dates: DateText, badges: Badges, audience: any Audience,
    questions: Questions, outcomes: Outcomes, gate: ActionGate
  ) {
    self.store = store
    self.journal = journal
    self.time = time
    self.dates = dates
    self.badges = badges
    self.audience = audience
    self.questions = questions
    self.outcomes = outcomes
    self.gate = gate
    let (seconds, attoseconds) = EventLoop.Clock.wall.now.components
    lastNumber = UInt64(max(0, seconds)) * 1_000_000 + UInt64(attoseconds / 1_000_000_000_000)
  }

  /// - Parameter ending: what has become of it already: then nothing is done about it.
  func answer(_ posting: ShownNotification, _ action: String, reply: String?, ending: Outcome? = nil) {
    if questions.end(posting.key, Answer(pressed: action)) { return }
    let reply = reply.map(ReplyText.bounded)
    let now = time.wall
    let meant = posting.offer.meant(by: action, of: posting.request)
    // Most wait for nothing. Those begin with the commit that writes them down: one commit, and not two.
    let begins = ending == nil && meant?.isAtOnce == true
    let badge = badges.lowered(of: posting.key.app, by: action)
    func write(_ store: Store) throws(StoreError) -> ResponseRecord? {
      if let badge { try Badges.keep(badge, of: posting.key.app, in: store) }
      return try store.commitResponse(to: posting.due, action: action, reply: reply, begins: begins, now: now)
    }
    // At once: what is told of the click comes before what follows from it.
    journal.flush()
    // A program takes longer to begin than a disk to be sure, so both do it at the same time: once this is written, no end
    // of the center can have it done twice. What takes away for good waits for the disk.
    let isUnsynced = begins && meant?.destructive != true
    let record: ResponseRecord?
    if isUnsynced {
      record = try? store.withUnsyncedTransaction { () throws(StoreError) in try write(store) }
    } else {
      record = try? store.withNeededTransaction { () throws(StoreError) in try write(store) }
    }
    if let badge { badges.wasLowered(to: badge, of: posting.key.app) }
    answered(posting, action, reply: reply, record ?? nil, now, ending)
    if isUnsynced { journal.syncThisTurn() }
  }

  private func answered(
    _ posting: ShownNotification, _ id: String, reply: String?, _ record: ResponseRecord?, _ now: Int64,
    _ ending: Outcome?
  ) {
    // Where it could not be written down it is done all the same: a click must not be lost to a full disk.
    var response = Response(
      number: 0, app: posting.key.app, id: posting.key.id, action: id, reply: reply,
      due: dates.text(of: posting.due), missed: posting.due.missed, userInfo: posting.request.userInfo)
    response.number = record.map { UInt64($0.number.value) } ?? nextNumber()
    let action = posting.offer.meant(by: id, of: posting.request)
    // The app's handler is told when it is its turn to act: a locked session may come first.
    let handler = action?.effect == nil ? audience.handler(of: response.app) : nil
    let isHeard = audience.tell(.responded(response), of: response.app, except: handler)
    let click = Click(
      response: response, request: posting.request, action: action ?? Action(id: id, title: ""),
      rights: posting.due.rights, token: posting.token, record: record.map { Click.Record($0) }, date: now)
    if let ending { return outcomes.finish(click, ending) }
    guard action != nil else { return outcomes.finish(click, .failed("there is no such action")) }
    gate.carryOut(click, isHeard: isHeard)
  }

  private func nextNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }
}
