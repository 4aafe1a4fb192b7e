// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// The parts of the program under test that handle the responses of a ``SpyCenter``.
struct SpyAudience {
  /// The handlers of each app; the first one that attached gets the responses.
  private var handlers: [AppID: [Handler]] = [:]
  private var lastNumber = 0

  /// What handles the responses of an app.
  struct Handler: Sendable {
    let number: Int
    /// Gives it a response, to be completed. It is called without the lock of the clock.
    let give: @Sendable (SpyResponse) -> Void
  }

  mutating func attach(_ app: AppID, _ give: @escaping @Sendable (SpyResponse) -> Void) -> Int {
    lastNumber += 1
    handlers[app, default: []].append(Handler(number: lastNumber, give: give))
    return lastNumber
  }

  mutating func detach(_ app: AppID, _ number: Int) { handlers[app]?.removeAll { $0.number == number } }

  func handler(of app: AppID) -> Handler? { handlers[app]?.first }
}
