// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import CenterContract
internal import DBus
internal import EventLoop
internal import NotificationModel
internal import Synchronization

/// What an app has with the center: it is attached while someone wants its responses, also after a restart.
///
/// The connection tells about the center on its loop, and the app calls from any thread, so the state is behind a lock.
final class AppLink: Sendable {
  let app: AppID
  let connection: CenterConnection
  let queue = ResponseQueue()
  let responses = KnownResponses()
  let activations = Activations()

  typealias Decision = @Sendable (PresentedRequest) async -> Set<NoticeKind>
  typealias Change = @Sendable (PushedRequest) async -> Void

  private struct State {
    /// Follows the center; made by the first task that needs it.
    var following: Task<Result<SignalWatch, SuzuError>, Never>?
    var readers = 0
    var decision: Decision?
    var change: Change?
    var owner: BusName?
    /// Increases with each new owner.
    var owners = 0
    /// The calls of ``attach()`` that have no answer yet.
    var calls = 0

    var isWanted: Bool { readers > 0 || decision != nil || change != nil }
  }

  private let state = Mutex(State())

  /// The only link of the app and the center, so that each response is handled once.
  static func of(_ app: AppID, _ center: Center) -> AppLink {
    center.companions.find(name(app)) { AppLink(app, center.connection) }
  }

  static func name(_ app: AppID) -> String { "app " + app.text }

  private init(_ app: AppID, _ connection: CenterConnection) {
    self.app = app
    self.connection = connection
  }

  // MARK: Readers

  func read() async throws(SuzuError) -> AppResponses {
    try await follow()
    let reader = AppReader(of: self)
    try await attach()
    return AppResponses(reader)
  }

  func addReader() { state.withLock { $0.readers += 1 } }

  func removeReader() {
    let isLast = state.withLock { state in
      state.readers -= 1
      return state.readers == 0
    }
    if isLast { queue.clear() }
    detachIfUnwanted()
  }

  // MARK: Presenting

  var decision: Decision? { state.withLock { $0.decision } }

  func present(_ decision: Decision?) async throws(SuzuError) {
    let had = state.withLock { state in
      defer { state.decision = decision }
      return state.decision != nil
    }
    if decision != nil {
      do throws(SuzuError) {
        try await follow()
        try await attach()
      } catch {
        state.withLock { $0.decision = nil }
        throw error
      }
    } else if had {
      // A center that is not there does not think that the app is in front.
      _ = try? await connection.use { connection throws(CallError) in
        try await connection.call(CenterMethods.inFront, of: CenterBus.runningCenter, app.text, false)
      }
      detachIfUnwanted()
    }
  }

  // MARK: Pushes

  var change: Change? { state.withLock { $0.change } }

  func changePushes(_ change: Change?) async throws(SuzuError) {
    let had = state.withLock { state in
      defer { state.change = change }
      return state.change != nil
    }
    if change != nil {
      do throws(SuzuError) {
        try await follow()
        try await attach()
      } catch {
        state.withLock { $0.change = nil }
        throw error
      }
    } else if had {
      // A center that is not there asks for no changes.
      _ = try? await connection.use { connection throws(CallError) in
        try await connection.call(CenterMethods.changesPushes, of: CenterBus.runningCenter, app.text, false)
      }
      detachIfUnwanted()
    }
  }

  // MARK: Following

  private func follow() async throws(SuzuError) {
    let following = state.withLock { state in
      if let following = state.following { return following }
      let following = Task { await begin() }
      state.following = following
      return following
    }
    if case .failure(let error) = await following.value {
      state.withLock { if $0.following == following { $0.following = nil } }
      throw error
    }
  }

  private func begin() async -> Result<SignalWatch, SuzuError> {
    do throws(SuzuError) {
      return .success(
        try await connection.use { connection throws(CallError) in
          try await connection.follow(CenterBus.name, CenterBus.path, CenterBus.interface) { [weak self] in
            self?.heard($0)
          } end: { [weak self] in
            self?.queue.end()
          }
        })
    } catch {
      return .failure(error)
    }
  }

  private func heard(_ event: PeerEvent) {
    switch event {
    case .owner(let owner):
      let news: Int? = state.withLock { state in
        state.owner = owner
        if owner != nil { state.owners += 1 }
        // A call in progress may be the one that has started this center.
        return owner != nil && state.isWanted && state.calls == 0 ? state.owners : nil
      }
      if let news { attachLater(news) }
    case .signal(let signal):
      guard case .responded(let response)? = CenterEvent(signal), response.app.isIdentical(to: app.text),
        state.withLock({ $0.isWanted })
      else { return }
      receive(response)
    }
  }

  // MARK: Attaching

  /// Attaches the app, and starts the center if it does not run.
  private func attach() async throws(SuzuError) {
    let (before, hadOwner) = state.withLock { state in
      state.calls += 1
      return (state.owners, state.owner != nil)
    }
    var failure: SuzuError?
    do throws(SuzuError) { try await callAttach(CenterBus.center) } catch { failure = error }
    let news: Int? = state.withLock { state in
      state.calls -= 1
      guard state.owner != nil, state.isWanted else { return nil }
      // The center that answered may have been replaced since.
      let answered = hadOwner ? before : before + 1
      return failure != nil || state.owners > answered ? state.owners : nil
    }
    if let news { attachLater(news) }
    if let failure { throw failure }
  }

  private func callAttach(_ center: RemoteObject) async throws(SuzuError) {
    let (isInFront, changes) = state.withLock { ($0.decision != nil, $0.change != nil) }
    try await connection.use { connection throws(CallError) in
      try await connection.call(CenterMethods.attach, of: center, app.text)
      if isInFront { try await connection.call(CenterMethods.inFront, of: center, app.text, true) }
      if changes { try await connection.call(CenterMethods.changesPushes, of: center, app.text, true) }
    }
  }

  /// Attaches the app to the center that has just come, and tries again if that fails. It does not start one: a user
  /// who has stopped the center would not like that, and without a center there are no clicks.
  private func attachLater(_ news: Int, after pause: Duration = .zero) {
    let loop = connection.loop
    loop.perform { [weak self] in
      _ = loop.schedule(after: pause) { [weak self] in
        guard let self, isCurrent(news) else { return }
        _ = Task(executorPreference: loop) {
          do throws(SuzuError) { try await self.callAttach(CenterBus.runningCenter) } catch {
            self.attachLater(news, after: min(max(pause * 2, .milliseconds(100)), .seconds(30)))
          }
        }
      }
    }
  }

  private func isCurrent(_ news: Int) -> Bool {
    state.withLock { $0.owners == news && $0.owner != nil && $0.isWanted }
  }

  private func detachIfUnwanted() {
    if state.withLock({ $0.isWanted }) { return }
    _ = Task {
      if state.withLock({ $0.isWanted }) { return }
      await detach()
      // Someone may have come meanwhile, whose call was before ours.
      let news: Int? = state.withLock { $0.isWanted && $0.owner != nil ? $0.owners : nil }
      if let news { attachLater(news) }
    }
  }

  /// An error means that there is no center, which does not ask this app then.
  func detach() async {
    _ = try? await connection.use { connection throws(CallError) in
      try await connection.call(CenterMethods.detach, of: CenterBus.runningCenter, app.text)
    }
  }
}
