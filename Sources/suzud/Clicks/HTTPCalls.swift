// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Scheduling

/// Actions that call a server: the call goes into the outbox, and the action ends with it.
///
/// The response stays one that has not begun. After a restart it comes here again, finds its call in the outbox, and
/// waits for its end.
struct HTTPCalls {
  let outbox: Outbox
  let outcomes: Outcomes

  /// Returns the outcome; nil if it comes later.
  func queue(_ call: HTTPCall, for click: Click) async -> Outcome? {
    guard let record = click.record else { return .failed("not sent, because the disk could not record it") }
    let filled: HTTPCall
    do throws(Template.Gap) { filled = try call.filled(for: click.response, of: click.request) } catch {
      return .failed(error.description)
    }
    // A server may answer before this returns.
    outcomes.tellWaiting(click, "network")
    let outcomes = outcomes
    return await outbox.call(
      of: record.number, app: click.response.app, content: filled.plain.json, done: { outcomes.finish(click, $0) })
  }
}
