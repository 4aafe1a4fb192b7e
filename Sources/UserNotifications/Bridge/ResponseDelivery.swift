// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import Foundation
internal import NotificationModel
internal import RunningApp
internal import Suzu
internal import Synchronization

/// Hands the user's responses to the delegate. The program becomes the app's handler with the first delegate; what
/// comes while there is none waits for the next one.
final class ResponseDelivery: Sendable {
  private struct State {
    weak var center: UNUserNotificationCenter?
    weak var delegate: (any UNUserNotificationCenterDelegate)?
    var hasBegun = false
    /// Gets silent pushes; nil without a delegate of the older form.
    var pushes: PushHandler?
    /// Changes pushes before they are shown; nil without an extension.
    var change: PushChange?
    /// Responses that came while there was no delegate.
    var waiting: [AppResponse] = []
  }

  /// Handles a silent push, and returns why it could not; nil if it could.
  typealias PushHandler = @Sendable (_ payload: [String: PlainValue]) async -> String?

  typealias PushChange = @Sendable (PushedRequest) async -> Void

  private let running: RunningApp
  private let announcements = OrderedCalls()
  private let state = Guarded(State())

  init(_ running: RunningApp) { self.running = running }

  /// The center that is handed to the delegate.
  var center: UNUserNotificationCenter? {
    get { state.withLock { $0.center } }
    set { state.withLock { $0.center = newValue } }
  }

  var delegate: (any UNUserNotificationCenterDelegate)? {
    get { state.withLock { $0.delegate } }
    set {
      let (begins, waiting) = state.withLock { state -> (Bool, [AppResponse]) in
        state.delegate = newValue
        guard newValue != nil else { return (false, []) }
        defer { (state.hasBegun, state.waiting) = (true, []) }
        return (!state.hasBegun, state.waiting)
      }
      for response in waiting { hand(response) }
      if begins { Task.detached { await self.receive() } }
    }
  }

  /// Hands silent pushes to a handler from now on.
  func setPushHandler(_ handler: @escaping PushHandler) { state.withLock { $0.pushes = handler } }

  /// Changes pushes with `mutable-content` from now on; nil if they stay as they are.
  func setPushChange(_ change: PushChange?) {
    let (begins, hasBegun) = state.withLock { state -> (Bool, Bool) in
      let had = state.hasBegun
      state.change = change
      if change != nil { state.hasBegun = true }
      return (state.hasBegun && !had, had)
    }
    if begins { Task.detached { await self.receive() } }
    if hasBegun { Task.detached { await self.announce() } }
  }

  /// The same at once, if the center is there; else ``receive()`` does it when it is.
  private func announce() async {
    do throws(SuzuError) { try await announceChange(running.app()) } catch {
      warnOnce("pushes cannot be changed yet: \(error.message)")
    }
  }

  /// Tells the center whether the program changes pushes by now.
  func announceChange(_ app: NotifyingApp) async throws(SuzuError) {
    let call = announcements.run { [self] () -> SuzuError? in
      let change = state.withLock { $0.change }
      do throws(SuzuError) { try await app.whenPushed(change) } catch { return error }
      return nil
    }
    if let error = await call.value { throw error }
  }

  // MARK: Receiving

  private func receive() async {
    var pause = Duration.seconds(1)
    while !running.isClosed {
      do throws(SuzuError) {
        let app = try await running.app()
        try await takeName(app)
        try await app.whenPresenting { await self.present($0) }
        try await announceChange(app)
        for await response in try await app.responses() { hand(response) }
        // The connection was closed, at the end of the program.
        return
      } catch {
        if running.isClosed { return }
        warnOnce("responses of the user cannot be received yet: \(error.message)")
      }
      do { try await Task.sleep(for: pause) } catch { return }
      pause = min(pause * 2, .seconds(60))
    }
  }

  /// Takes the bus name of the app, so that a click can start the program. An id that is no bus name cannot be started.
  private func takeName(_ app: NotifyingApp) async throws(SuzuError) {
    guard app.id.text.contains(".") else { return }
    do throws(SuzuError) { try await app.takeName() } catch {
      switch error.code {
      case .noBus, .noCenter, .unavailable, .interrupted: throw error
      default: warnOnce("the program cannot be started by a click: \(error.message)")
      }
    }
  }

  // MARK: Handing on

  private func hand(_ response: AppResponse) {
    let isWaiting = state.withLock { state in
      if state.delegate == nil { state.waiting.append(response) }
      return state.delegate == nil
    }
    // Each begins before the next one: the delegate gets them in the order in which the user gave them.
    if !isWaiting { Task.immediateDetached { await self.give(response) } }
  }

  private func give(_ response: AppResponse) async {
    if response.response.isSilentPush { return await give(push: response) }
    let made: UNNotificationResponse
    // The delegate is the program's: it is not kept until the center has heard of the end.
    do {
      guard let center, let delegate else { return hand(response) }
      made = UNNotificationResponse.made(
        from: response.response, about: await request(of: response.response), activationToken: response.activationToken)
      await delegate.userNotificationCenter(center, didReceive: made)
    }
    if made.isUnanswered.load(ordering: .relaxed) {
      await response.fail("the app has released the completion handler without calling it")
    } else {
      await response.complete()
    }
  }

  private func give(push response: AppResponse) async {
    guard let handler = state.withLock({ $0.pushes }) else {
      return await response.fail("the app handles no silent pushes")
    }
    if let problem = await handler(response.userInfo) {
      await response.fail(problem)
    } else {
      await response.complete()
    }
  }

  /// The request of a response. That of another program is in the history.
  private func request(of response: Response) async -> UNNotificationRequest {
    if let own = UNNotificationRequest(of: response) { return own }
    let rows = try? await running.app().rows(of: .history, limit: 100)
    let row = rows?.first { $0.id == response.id }
    return row.flatMap { UNNotificationRequest($0) } ?? UNNotificationRequest(withoutTexts: response)
  }

  // MARK: Presenting

  private func present(_ presented: PresentedRequest) async -> Set<NoticeKind> {
    guard let center, let delegate else { return NoticeKind.ways }
    let request = UNNotificationRequest(presented.request, id: presented.id.text, next: nil)
    let notification = UNNotification(date: Date(), request: request)
    let options = await delegate.userNotificationCenter(center, willPresent: notification)
    // A delegate without that method is no program in front.
    if notification.isNotPresented.load(ordering: .relaxed) { return NoticeKind.ways }
    var kinds: Set<NoticeKind> = []
    if !options.isDisjoint(with: [.alert, .banner, .list]) { kinds.insert(.alert) }
    if options.contains(.badge) { kinds.insert(.badge) }
    if options.contains(.sound) { kinds.insert(.sound) }
    return kinds
  }
}
