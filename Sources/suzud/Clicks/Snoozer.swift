// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import NotificationModel
internal import Scheduling
internal import Triggers

/// Schedules notifications again.
struct Snoozer {
  let loop: EventLoop
  let scheduler: Scheduler
  let journal: Journal
  let time: any TimeSource
  let ends: Ends
  let waiting: WaitingDeliveries

  /// Schedules it again, in the commit that records the outcome. A repeating request goes on repeating: the snoozed one
  /// is a copy beside it. One that is shown again until it is answered begins anew.
  func snooze(_ click: Click, until time: SnoozeTime) async -> Outcome {
    let event = click.response.event
    var request = (click.unescalated ?? click.request).settled(with: event)
    let repeats = request.schedule.isRepeating
    request.id = RequestID(trusted: repeats ? SnoozedID.of(click.response.id) : click.response.id)
    // An action that exists has valid times.
    request.schedule = time.schedule(wake: request.schedule.wake)
    do throws(TriggerError) {
      let new = try scheduler.plan(request, asker: click.rights.asker, event: event)
      // A stored request that cannot be read back would be lost silently when it is due.
      guard Payload.isReadable(new) else { return .failed("the notification cannot be stored again") }
      let (now, key) = (self.time.wall, RequestKey(request))
      let result: Result<[NewRequest], StoreError> = await loop.withContinuation { continuation in
        journal.write { [waiting] store throws(StoreError) in
          var replaced: [NewRequest] = []
          try store.put([new], now: now) { replaced.append($0) }
          try waiting.recordReplaced(by: [new], at: [0], in: store, now: now)
          if let record = click.record {
            try store.finish(record.number, outcome: Outcome.done.description, now: now)
          }
          return replaced
        } then: { [waiting, ends] result in
          continuation.resume(returning: result)
          guard case .success = result else { return }
          // An earlier copy, or a newer request with the id, may be due and wait for a server.
          waiting.endAnnounced(replacedBy: [key])
          waiting.endReplaced(by: key)
          ends.carryOut()
        }
      }
      do throws(StoreError) {
        for one in try result.get() { ends.tell(of: one.app, one.id, .replaced) }
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
