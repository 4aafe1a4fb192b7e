// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Scheduling
internal import Triggers

/// The responses of a ``SpyCenter`` that the program under test handles.
final class SpyResponses {
  private var lastNumber: UInt64 = 0
  /// Those that a handler has, and has not completed.
  private var given: [UInt64: SpyResponse] = [:]
  /// The last one to each notification.
  private var byDelivery: [DeliveryRecord.Number: SpyResponse] = [:]
  /// Those that wait for a handler, in order, and until when.
  private var waiting: [(response: SpyResponse, until: Timestamp)] = []
  /// All, in order.
  private(set) var all: [SpyResponse] = []

  /// How long a handler may take, and how long a response waits for one; as in the center.
  static let completion: Duration = .seconds(30)
  private static let attaching: Duration = .seconds(24 * 3600)

  func nextNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  /// Notes a response to a notification.
  func note(_ response: SpyResponse, to delivery: DeliveryRecord.Number?) {
    all.append(response)
    if let delivery { byDelivery[delivery] = response }
  }

  /// The last response to a notification.
  func response(to delivery: DeliveryRecord.Number) -> SpyResponse? { byDelivery[delivery] }

  /// Gives a response to the handler of its app, or lets it wait for one.
  func handOver(_ response: SpyResponse, in agenda: SpyAgenda) {
    let app = AppID(trusted: response.response.app)
    if let handler = agenda.audience.handler(of: app) { return give(response, to: handler, in: agenda) }
    if app == .suzu {
      // A request of the command itself has no app to wait for.
      return finish(response, .unhandled, in: agenda)
    }
    let until = agenda.time.wall + Self.attaching.milliseconds
    waiting.append((response, until))
    watch(until, in: agenda)
  }

  /// Gives the app's new handler what has waited for one.
  func attached(_ app: AppID, in agenda: SpyAgenda) {
    guard let handler = agenda.audience.handler(of: app) else { return }
    let ready = waiting.filter { $0.response.response.app.isIdentical(to: app.text) }
    waiting.removeAll { $0.response.response.app.isIdentical(to: app.text) }
    for (response, _) in ready { give(response, to: handler, in: agenda) }
  }

  private func give(_ response: SpyResponse, to handler: SpyAudience.Handler, in agenda: SpyAgenda) {
    let number = response.response.number
    given[number] = response
    agenda.call {
      response.noteGiven()
      handler.give(response)
    }
    agenda.time.call(after: Self.completion.milliseconds) { [unowned agenda] in
      guard let late = agenda.responses.given[number] else { return }
      agenda.responses.finish(
        late, .failed("the app did not say within \(Self.completion.text) that it was done"), in: agenda)
    }
  }

  /// A handler reports that it is done; `problem` says why it failed. Only the first report within the time counts.
  func complete(_ response: SpyResponse, _ problem: String?, in agenda: SpyAgenda) {
    guard given[response.response.number] != nil else { return }
    finish(response, problem.map { .failed($0) } ?? .done, in: agenda)
  }

  func finish(_ response: SpyResponse, _ outcome: Outcome, in agenda: SpyAgenda) {
    given[response.response.number] = nil
    response.end(outcome)
  }

  /// Lets those that have waited too long lapse.
  func wait(in agenda: SpyAgenda) {
    let now = agenda.time.wall
    for (response, until) in waiting where until <= now {
      finish(response, .lapsed("no handler attached within 24 hours"), in: agenda)
    }
    waiting.removeAll { $0.until <= now }
    if let next = waiting.first?.until { watch(next, in: agenda) }
  }

  private func watch(_ end: Timestamp, in agenda: SpyAgenda) {
    agenda.time.call(after: end - agenda.time.wall) { [unowned agenda] in agenda.responses.wait(in: agenda) }
  }
}

extension Duration {
  /// Whole milliseconds.
  fileprivate var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }
}
