// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Scheduling
public import Suzu

/// A notification center for tests: it takes what a program schedules, shows nothing, and tells what would happen.
///
///     let spy = SpyCenter()
///     try await TeaTimer(app: spy.app("org.example.Tea")).start(.seconds(240))
///     #expect(spy.pending.first?.title == "Tea is ready")
///     spy.clock.advance(by: .seconds(240))
///     #expect(spy.shown.map(\.title) == ["Tea is ready"])
///     let response = try spy.user.press("longer", on: "tea")
///     #expect(await response.outcome() == .done)
///
/// It checks requests as the real center does and plans them with the same code, so its dates and its errors are those
/// of the real one. It needs no bus and no desktop, writes no files, and may be used from any number of tasks.
public final class SpyCenter: Sendable {
  /// The clock that the center goes by.
  public let clock: VirtualClock
  private let number: Int

  /// A center with nothing to do. Several centers may share a clock.
  public init(clock: VirtualClock = VirtualClock()) {
    self.clock = clock
    number = clock.add()
  }

  deinit { clock.remove(number) }

  func with<T: Sendable, E: Error>(_ body: (SpyAgenda) throws(E) -> T) throws(E) -> T {
    try clock.with(number, body)
  }

  // MARK: What the program has scheduled

  /// Every request that was accepted, in order, as the program made it; its id is filled in.
  public var requests: [NotificationRequest] { with { $0.accepted } }

  /// The requests that wait for a date or a condition, the next one first.
  public var pending: [SpyRequest] { with { $0.pending(nil) }.compactMap { SpyRequest($0, of: self) } }

  /// The pending request with this id; nil if there is none.
  public func pending(_ id: RequestID, app: AppID? = nil) -> SpyRequest? {
    pending.first { $0.id == id && (app == nil || $0.app == app) }
  }

  /// The categories that an app has registered.
  public func categories(of app: AppID) -> [NotificationModel.Category] { with { $0.categories[app] ?? [] } }

  // MARK: What has come of it

  /// Every notification that has come, in order.
  public var delivered: [SpyNotification] { with { $0.came } }

  /// The notifications on the screen, oldest first.
  public var shown: [SpyNotification] { with { $0.shown.map(\.notification) } }

  /// How requests, or single dates of them, have ended, in order.
  public var ended: [SpyEnd] { with { $0.ended } }

  /// What the user has chosen, in order.
  public var responses: [SpyResponse] { with { $0.responses.all } }

  /// Problems that the real center would write to its log, one line each. A schedule that works has none.
  public var reports: [String] { with { $0.reports } }

  // MARK: The other side

  /// The user of this center, who presses buttons.
  public var user: SpyUser { SpyUser(self) }

  /// Makes a condition true or false, such as `wifi Home` or `battery below 20`; requests that wait for it come.
  public func set(_ condition: String, _ holds: Bool, event: [String: String] = [:]) throws(SuzuError) {
    try observe(condition, .holds(holds, event: EventDetails(event)))
  }

  /// Lets something happen that is no state, such as `awake` or a signal; requests that wait for it come.
  public func happen(_ condition: String, event: [String: String] = [:]) throws(SuzuError) {
    try observe(condition, .happened(event: EventDetails(event)))
  }

  private func observe(_ line: String, _ observation: Observation) throws(SuzuError) {
    let subject: Condition.Subject
    do throws(RequestError) { subject = try Condition(line).subject } catch {
      throw SuzuError(refused: .invalidRequest, error.description)
    }
    with { agenda in
      agenda.conditions.set(subject, observation)
      agenda.time.runDue()
    }
  }
}
