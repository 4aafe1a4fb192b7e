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
      let now = self.time.wall
      let result: Result<[NewRequest], StoreError> = await loop.withContinuation { continuation in
        journal.write { store throws(StoreError) in
          var replaced: [NewRequest] = []
          try store.put([new], now: now) { replaced.append($0) }
          if let record = click.record {
            try store.finish(record.number, outcome: Outcome.done.description, now: now)
          }
          return replaced
        } then: {
          continuation.resume(returning: $0)
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
