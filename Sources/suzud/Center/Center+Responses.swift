// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Freedesktop
internal import NotificationModel
internal import Scheduling
internal import Triggers

/// What the user chose: written down, told, done, and its outcome written down and told.
extension Center {
  /// - Parameter ending: what has become of it already: then nothing is done about it.
  func answer(_ posting: Posting, _ action: String, reply: String?, ending: Outcome? = nil) {
    if endQuestion(posting.key, Answer(pressed: action)) { return }
    let reply = reply.map(ReplyText.bounded)
    let now = time.wall
    let meant = posting.offer.meant(by: action, of: posting.request)
    // Most wait for nobody. Those begin with the commit that writes them down: one commit, and not two.
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
    _ posting: Posting, _ id: String, reply: String?, _ record: ResponseRecord?, _ now: Int64, _ ending: Outcome?
  ) {
    // Where it could not be written down it is done all the same: a click must not be lost to a full disk.
    var response = Response(
      number: 0, app: posting.key.app, id: posting.key.id, action: id, reply: reply,
      due: text(of: posting.due), missed: posting.due.missed, userInfo: posting.request.userInfo)
    response.number = record.map { UInt64($0.number) } ?? nextResponse()
    let action = posting.offer.meant(by: id, of: posting.request)
    // The app's handler is told when it is its turn to act: a locked session may come first.
    let handler = action?.doing == nil ? handlerOnBus(of: response.app) : nil
    let isHeard = tell(.responded(response), of: response.app, except: handler)
    let click = Click(
      response: response, request: posting.request, action: action ?? Action(id: id, title: ""),
      rights: posting.due.rights, token: posting.token, isWritten: record != nil, hasBegun: record?.state == .running,
      date: now)
    if let ending { return finish(click, ending) }
    guard action != nil else { return finish(click, .failed("there is no such action")) }
    carryOut(click, isHeard: isHeard)
  }

  /// On its own from here: a slow program must not hold up the next click. It ends with the action's time limit.
  func carryOut(_ click: Click, isHeard: Bool) {
    _ = Task.immediate {
      let outcome = await outcome(of: click, isHeard: isHeard)
      if let outcome { finish(click, outcome) }
    }
  }

  /// Nil: it waits for its app.
  private func outcome(of click: Click, isHeard: Bool) async -> Outcome? {
    var click = click
    let needsUser = click.action.authenticationRequired || click.action.foreground
    if needsUser, await desktop.isLocked() {
      // What the desktop remembers of the click is over by then.
      click.token = nil
      tellWaiting(click, "locked")
      guard await isUnlocked(for: click) else { return .lapsed("locked") }
      if click.action.destructive, !(await isConfirmed(click)) { return .lapsed("not confirmed") }
    } else if click.isTakenUp && click.action.destructive && needsUser {
      // It may have waited for the unlock in the earlier run.
      guard await isConfirmed(click) else { return .lapsed("not confirmed") }
    }
    if let why = refusal(of: click) { return .refused(why) }
    switch click.action.doing {
    case .snooze(let delay): return await snooze(click, delay)
    case nil: return await handOver(click, isHeard: isHeard)
    case let doing?:
      if let obstacle = await obstacle(to: click) { return obstacle }
      return await doer.carryOut(doing, click)
    }
  }

  /// Its beginning is on disk before it begins: whatever happens then, it is not done twice. Nil: it is there, and the
  /// action may begin; otherwise the outcome that it has instead.
  ///
  /// A disk that fails is asked again for some seconds. After that the action is not done: what the disk does not know to
  /// have begun would be done again after the next start.
  func obstacle(to click: Click) async -> Outcome? {
    guard click.isWritten, !click.hasBegun else { return nil }
    var pause = patience.recordPause
    while true {
      switch await markRunning(click) {
      case .success(true): return nil
      case .success(false): return .failed("interrupted")
      case .failure(let error):
        guard pause <= patience.longestRecordPause, (try? await loop.sleep(for: pause)) != nil else {
          return .failed("not begun, because the disk could not record it: \(error.message)")
        }
        pause *= 2
      }
    }
  }

  private func markRunning(_ click: Click) async -> Result<Bool, StoreError> {
    await loop.withContinuation { continuation in
      journal.write { store throws(StoreError) in
        try store.markRunning(Int64(click.response.number))
      } then: {
        continuation.resume(returning: $0)
      }
    }
  }

  func finish(_ click: Click, _ outcome: Outcome) {
    let now = time.wall
    if click.isWritten {
      journal.note { store throws(StoreError) in
        try store.finish(Int64(click.response.number), outcome: outcome.description, now: now)
      }
    }
    tell(.outcome(response: click.response.number, outcome), of: click.response.app)
  }

  func tellWaiting(_ click: Click, _ what: String) {
    tell(.outcome(response: click.response.number, .waiting(what)), of: click.response.app)
  }

  // MARK: Locked sessions

  private func isUnlocked(for click: Click) async -> Bool {
    let waited = Duration.milliseconds(max(0, time.wall - click.date))
    guard waited < patience.unlock else { return false }
    return await desktop.unlocked(patience.unlock - waited)
  }

  /// What cannot be undone, and comes long after the click, is asked about once more.
  private func isConfirmed(_ click: Click) async -> Bool {
    let action = DisplayText.line(click.action.title)
    let title = DisplayText.line(click.request.title)
    return await ask(
      "\(action)?", "You chose this while the screen was locked: \(title)", [("⚠ " + action), "Leave it"],
      of: click.request.app
    ).index == 0
  }

  // MARK: Snooze

  /// Shows it again later, which is written down together with the outcome. What comes again by itself goes on doing so:
  /// the snoozed one is another beside it.
  private func snooze(_ click: Click, _ delay: Duration) async -> Outcome {
    var request = click.request
    let repeats = !request.when.isEmpty && request.when.isRepeating
    request.id = repeats ? SnoozedID.of(click.response.id) : click.response.id
    request.when = TriggerWords(in: delay)
    (request.missed, request.grace) = (.deliver, nil)
    do throws(TriggerError) {
      let planned = try scheduler.plan(request, asker: click.rights.asker)
      // What cannot be read when its time comes would be lost without a word.
      guard Payload.isReadable(planned.stored) else { return .failed("the notification cannot be stored again") }
      let now = time.wall
      let result: Result<[NewRequest], StoreError> = await loop.withContinuation { continuation in
        journal.write { store throws(StoreError) in
          var replaced: [NewRequest] = []
          try store.put([planned.stored], now: now) { replaced.append($0) }
          if click.isWritten {
            try store.finish(Int64(click.response.number), outcome: Outcome.done.description, now: now)
          }
          return replaced
        } then: {
          continuation.resume(returning: $0)
        }
      }
      do throws(StoreError) {
        for one in try result.get() { tellEnd(of: one.app, one.id, .replaced) }
      } catch {
        return .failed(error.message)
      }
      scheduler.rearm()
      return .done
    } catch {
      return .failed(error.description)
    }
  }
}
