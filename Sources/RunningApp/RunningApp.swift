// SPDX-License-Identifier: Apache-2.0
package import CenterClient
package import NotificationModel
package import Suzu
internal import Synchronization

/// This program as an app of the center. It connects with the first call, and again if it could not.
package final class RunningApp: Sendable {
  /// The app of this process.
  package static let current = RunningApp(.current)

  private let identity: AppIdentity
  private let bus: String?

  private struct State {
    var connecting: Task<Result<NotifyingApp, SuzuError>, Never>?
    var isClosed = false
  }

  private let state = Mutex(State())

  /// - Parameter bus: the address of another bus than that of the session; for tests.
  package init(_ identity: AppIdentity, bus: String? = nil) {
    self.identity = identity
    self.bus = bus
  }

  /// The id of the app.
  package var id: AppID { identity.id }

  /// The app at the center.
  package func app() async throws(SuzuError) -> NotifyingApp {
    let task = state.withLock { state in
      if let task = state.connecting { return task }
      let new = Task.detached { [identity, bus] in await Self.connect(identity, bus) }
      state.connecting = new
      return new
    }
    switch await task.value {
    case .success(let app): return app
    case .failure(let error):
      state.withLock { if $0.connecting == task { $0.connecting = nil } }
      throw error
    }
  }

  /// Calls a function when the desktop starts the app, and not the user's response.
  package func whenActivated(_ call: @escaping @Sendable () async -> Void) async {
    // Without a center, nothing has been started by it.
    guard let app = try? await app() else { return }
    app.whenActivated { _ in await call() }
  }

  /// Whether the connection was closed for good.
  package var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Closes the connection for good; for tests.
  package func close() async {
    let task = state.withLock { state in
      state.isClosed = true
      return state.connecting
    }
    if case .success(let app)? = await task?.value { await app.center.close() }
  }

  private static func connect(_ identity: AppIdentity, _ bus: String?) async -> Result<NotifyingApp, SuzuError> {
    do throws(SuzuError) { return .success(try await Center.connect(toBus: bus).app(identity.id)) } catch {
      return .failure(error)
    }
  }
}
