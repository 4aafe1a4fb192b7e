// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Scheduling
internal import Suzu
internal import Triggers

/// What the user does, and what follows from it.
extension SpyAgenda {
  /// The latest notification with this id on the screen.
  func find(_ id: RequestID, _ app: AppID?) throws(SuzuError) -> SpyShown {
    let found = shown.last { one in
      one.notification.id == id && (app == nil || one.due.request.app == app)
    }
    guard let found else {
      throw SuzuError(refused: .notFound, "'\(app?.text ?? "any app")' has no notification '\(id)' on the screen")
    }
    return found
  }

  /// The first action of a notification that asks for a line of text.
  func inputAction(on id: RequestID, of app: AppID?) throws(SuzuError) -> String {
    let one = try find(id, app)
    guard let action = (one.choices.actions + one.choices.others).first(where: { $0.input != nil }) else {
      throw SuzuError(refused: .notFound, "the notification '\(id)' has no action that asks for a text")
    }
    return action.id
  }

  /// The user chooses an action.
  func choose(
    _ name: String, on id: RequestID, of app: AppID?, reply: String?
  ) throws(SuzuError) -> SpyResponse {
    let one = try find(id, app)
    let action = try action(name, of: one)
    if action.input != nil, reply == nil {
      throw SuzuError(refused: .invalidRequest, "the action '\(name)' asks for a text; the user has to type one")
    }
    if let reply, !action.snoozeTimes.isEmpty, action.snoozeTimes.chosen(reply) == nil {
      throw SuzuError(refused: .invalidRequest, "'\(name)' has no time '\(reply)'")
    }
    if let reply, reply.utf8.count > Reply.longest {
      throw SuzuError(
        refused: .limitExceeded,
        "'reply' has \(reply.utf8.count) bytes of UTF-8; at most \(Reply.longest) are taken")
    }
    // It has been answered, whether it repeats or not.
    let response = answer(one, action, reply ?? action.snoozeTimes.first?.text)
    take(one, .withdrawn)
    carryOut(response, action, one)
    return response
  }

  /// The user dismisses a notification.
  func dismissed(_ id: RequestID, of app: AppID?) throws(SuzuError) -> SpyResponse? {
    let one = try find(id, app)
    take(one, .dismissed)
    guard one.choices.wantsDismissal else { return nil }
    let response = answer(one, .dismissal, nil)
    carryOut(response, .dismissal, one)
    return response
  }

  /// The action that a name means on a notification; `default` is what a click on it means.
  private func action(_ name: String, of one: SpyShown) throws(SuzuError) -> Action {
    let request = one.due.request
    if let action = one.choices.action(name) { return action }
    guard name == Action.defaultID else {
      throw SuzuError(refused: .notFound, "the notification '\(one.notification.id)' has no action '\(name)'")
    }
    // A program that is tested is one that takes clicks.
    let takesClicks = !one.choices.actions.isEmpty && (request.app != .suzu || audience.handler(of: .suzu) != nil)
    switch one.choices.click(on: request, appTakesClicks: takesClicks) {
    case .action(Action.defaultID): return .ofItself(request)
    case .action(let id): return one.choices.action(id) ?? .ofItself(request)
    case .nothing:
      throw SuzuError(
        refused: .notFound,
        "a click on the notification '\(one.notification.id)' does nothing; name one of its actions")
    }
  }

  private func answer(_ one: SpyShown, _ action: Action, _ reply: String?) -> SpyResponse {
    let request = one.due.request
    let choice = Response(
      number: responses.nextNumber(), app: request.app.text, id: one.notification.id.text, action: action.id,
      reply: reply, due: dates.text(of: one.due), missed: one.due.missed, userInfo: request.content.userInfo,
      event: one.due.event.dictionary)
    let response = SpyResponse(choice, action.effect)
    responses.note(response, to: one.due.record?.delivery)
    return response
  }

  private func carryOut(_ response: SpyResponse, _ action: Action, _ one: SpyShown) {
    switch action.effect {
    case .run, .url, .launch, .http: responses.finish(response, .done, in: self)
    case .snooze(let delay): responses.finish(response, snooze(one, until: .after(delay)), in: self)
    case .snoozeUntil(let times):
      let time = times.chosen(response.response.reply)
      responses.finish(
        response, time.map { snooze(one, until: $0) } ?? .failed("there is no such time"), in: self)
    case nil: responses.handOver(response, in: self)
    }
  }

  /// Schedules a notification again. A repeating request goes on repeating: the snoozed one is a copy beside it.
  private func snooze(_ one: SpyShown, until time: SnoozeTime) -> Outcome {
    var request = one.due.original
    let id = one.notification.id.text
    request.id = RequestID(trusted: request.schedule.isRepeating ? SnoozedID.of(id) : id)
    request.schedule = time.schedule(wake: request.schedule.wake)
    do throws(TriggerError) {
      let new = try scheduler.plan(request, event: one.due.event.dictionary)
      do throws(StoreError) {
        try store.put([new], now: self.time.wall) { note($0.app, $0.id, .replaced) }
      } catch {
        return .failed(error.message)
      }
      rearm()
      return .done
    } catch {
      return .failed(error.description)
    }
  }
}
