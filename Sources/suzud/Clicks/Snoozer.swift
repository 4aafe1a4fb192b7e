// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import NotificationModel
internal import Scheduling
internal import Triggers

/// Shows notifications again later.
struct Snoozer {
  let loop: EventLoop
  let scheduler: Scheduler
  let journal: Journal
  let time: any TimeSource
  let ends: Ends

  /// Schedules it, which is written down together with the outcome. What comes again by itself goes on doing so: the
  /// snoozed one is another beside it.
  func snooze(_ click: Click, _ delay: Duration) async -> Outcome {
    var request = click.request
    let repeats = !request.when.isEmpty && request.when.isRepeating
    request.id = repeats ? SnoozedID.of(click.response.id) : click.response.id
    request.when = TriggerWords(in: delay)
    (request.missed, request.grace) = (.deliver, nil)
    do throws(TriggerError) {
      let new = try scheduler.plan(request, asker: click.rights.asker)
      // What cannot be read when its time comes would be lost without a word.
      guard Payload.isReadable(new) else { return .failed("the notification cannot be stored again") }
      let now = time.wall
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
