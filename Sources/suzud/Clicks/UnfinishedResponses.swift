// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Scheduling

/// Responses of an earlier run of the center that have no outcome yet.
struct UnfinishedResponses {
  let store: Store
  let journal: Journal
  let time: any TimeSource
  let dates: DateText
  let audience: any Audience
  let outcomes: Outcomes
  let gate: ActionGate

  /// Carries out the actions that had not begun. An action that had begun is reported as interrupted, because it must
  /// not run twice.
  func takeUp() throws(StoreError) {
    for record in try store.unfinishedResponses() {
      guard let click = try click(of: record) else {
        requestIsGone(record)
        continue
      }
      if record.state == .committed || click.action.retry {
        gate.carryOut(click, isHeard: false)
      } else {
        outcomes.finish(click, .failed("interrupted"))
      }
    }
  }

  private func requestIsGone(_ record: ResponseRecord) {
    let now = time.wall
    let outcome = Outcome.failed("its request is gone")
    journal.note { store throws(StoreError) in
      try store.finish(record.number, outcome: outcome.description, now: now)
    }
    audience.tell(.outcome(response: UInt64(record.number.value), outcome), of: record.app)
  }

  private func click(of record: ResponseRecord) throws(StoreError) -> Click? {
    guard let stored = try store.request(revision: record.revision), var request = Payload.request(stored) else {
      return nil
    }
    request.id = RequestID(trusted: record.id)
    let delivery = if let number = record.delivery { try store.delivery(number) } else { DeliveryRecord?.none }
    if let delivery { request.fill(with: delivery.event) }
    let offered = OfferedActions(json: delivery?.keys).meant(by: record.action, of: request)
    let isPush = delivery?.reason == RequestEnd.silent.rawValue && record.action == Action.silentPushID
    guard let action = offered ?? (isPush ? .silentPush : nil) else { return nil }
    var response = Response(record)
    response.userInfo = request.content.userInfo
    response.event = delivery?.event ?? [:]
    if let due = record.due, !request.schedule.isNow { response.due = dates.text(due, zone: request.schedule.zone) }
    return Click(
      response: response, request: request, action: action, rights: Rights(asker: stored.asker), token: nil,
      record: Click.Record(record), date: record.committed, isTakenUp: true)
  }
}

extension Response {
  /// From its record in the store.
  fileprivate init(_ record: ResponseRecord) {
    self.init(
      number: UInt64(record.number.value), app: record.app, id: record.id, action: record.action, reply: record.reply)
  }
}
