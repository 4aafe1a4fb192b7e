// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import CenterContract
internal import DBus
internal import Freedesktop
internal import NotificationModel
internal import Synchronization

extension AppLink {
  func takeName() async throws(SuzuError) {
    guard let application = BusApplication(app.text) else {
      throw SuzuError(
        .invalidRequest,
        "the app '\(app)' cannot own a name on the bus: its id must have two elements with a dot between them, such as "
          + "'org.example.Tea'")
    }
    // Before the name: the call for which the bus has started the program comes with it.
    try await connection.export(BusApplication.interface(handlers()), at: application.path)
    let reply = try await connection.use { connection throws(CallError) in
      try await connection.requestName(application.name)
    }
    if reply == .taken {
      throw SuzuError(.nameTaken, "another program owns the name '\(app)' on the bus: the app runs already")
    }
  }

  func setActivated(_ handle: Activations.Handler?) { activations.handle(with: handle) }

  /// Without a reference to the link, which would keep the app attached for ever.
  private func handlers() -> BusApplication.Handlers {
    BusApplication.Handlers { [weak self] token in
      self?.activations.put(Activation(.show, activationToken: token))
    } open: { [weak self] urls, token in
      self?.activations.put(Activation(.open(urls), activationToken: token))
    } activateAction: { [weak self] action, parameters, token, caller in
      guard let self else { throw RemoteError(.failed, "the app is about to end") }
      guard let response = parameters.first?.properties.flatMap({ Response($0, activationToken: token) }),
        response.app.isIdentical(to: app.text), await isCenter(caller)
      else { return activations.put(Activation(.action(action), activationToken: token)) }
      let problem = await withCheckedContinuation { continuation in
        self.receive(response) { continuation.resume(returning: $0) }
      }
      if let problem { throw RemoteError(HandlerBus.failure, problem) }
    }
  }

  private func isCenter(_ caller: BusName) async -> Bool {
    let owner = try? await connection.use { connection throws(CallError) in
      try await connection.owner(of: CenterBus.name)
    }
    return owner == .some(caller)
  }
}

/// Calls to the app that are no responses; they wait until the app can handle them.
final class Activations: Sendable {
  typealias Handler = @Sendable (Activation) async -> Void

  private struct State {
    var handler: Handler?
    var waiting: [Activation] = []
  }

  private let state = Mutex(State())

  /// How many calls wait.
  private static let mostWaiting = 64

  func put(_ activation: Activation) {
    let handler = state.withLock { state in
      if state.handler == nil, state.waiting.count < Self.mostWaiting { state.waiting.append(activation) }
      return state.handler
    }
    if let handler { _ = Task { await handler(activation) } }
  }

  func handle(with handler: Handler?) {
    let waiting = state.withLock { state in
      state.handler = handler
      if handler == nil { return [] as [Activation] }
      defer { state.waiting = [] }
      return state.waiting
    }
    guard let handler, !waiting.isEmpty else { return }
    _ = Task { for activation in waiting { await handler(activation) } }
  }
}
