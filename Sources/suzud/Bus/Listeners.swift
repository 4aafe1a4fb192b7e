// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
internal import EventLoop
internal import NotificationModel

/// Who on the bus hears of events: those who watch everything, and the handlers of apps. Each is told alone: what a user
/// clicks is not everybody's business.
///
/// Confined to the loop's thread.
final class Listeners: Audience {
  private struct Listener {
    var isWatching = false
    /// The apps whose handler it is, the one attached last at the end.
    var apps: [Identifier] = []
    /// Whether it is a sandboxed program, which does not see what programs of the host printed.
    var isSandboxed = false
    /// A caller may leave and come back faster than the bus answers.
    let wish: UInt64

    var isNeeded: Bool { isWatching || !apps.isEmpty }
  }

  private let connection: Connection
  private var listeners: [Caller: Listener] = [:]
  /// The handlers of each app, the one attached last at the end.
  private var handlers: [Identifier: [Caller]] = [:]
  private var lookouts: [Caller: Task<Void, Never>] = [:]
  private var lastWish: UInt64 = 0
  /// Hears of those who leave the bus.
  var whenGone: (Caller) -> Void = { _ in }

  init(on connection: Connection) {
    self.connection = connection
  }

  var count: Int { listeners.count }

  // MARK: Coming and going

  /// Adds a caller until it asks to be left out, or leaves the bus.
  func watch(_ caller: Caller) async throws(CallError) {
    listeners[caller, default: newListener()].isWatching = true
    try await lookOut(for: caller)
  }

  func unwatch(_ caller: Caller) {
    listeners[caller]?.isWatching = false
    tidy(caller)
  }

  /// Makes a caller the app's handler, before those who are it already.
  func attach(_ caller: Caller, to app: String, isSandboxed: Bool) async throws(CallError) {
    detach(caller, from: app)
    listeners[caller, default: newListener()].apps.append(Identifier(app))
    listeners[caller]?.isSandboxed = isSandboxed
    handlers[Identifier(app), default: []].append(caller)
    try await lookOut(for: caller)
  }

  func detach(_ caller: Caller, from app: String) { detach(caller, from: Identifier(app)) }

  private func detach(_ caller: Caller, from app: Identifier) {
    listeners[caller]?.apps.removeAll { $0 == app }
    handlers[app]?.removeAll { $0 == caller }
    if handlers[app]?.isEmpty == true { handlers[app] = nil }
    tidy(caller)
  }

  /// Who handles the app's responses; nil: nobody is there.
  func handler(of app: String) -> Caller? { handlers[Identifier(app)]?.last }

  func isSandboxed(_ caller: Caller) -> Bool { listeners[caller]?.isSandboxed == true }

  private func newListener() -> Listener {
    lastWish += 1
    return Listener(wish: lastWish)
  }

  private func tidy(_ caller: Caller) {
    guard listeners[caller]?.isNeeded == false else { return }
    listeners[caller] = nil
    lookouts.removeValue(forKey: caller)?.cancel()
  }

  private func lookOut(for caller: Caller) async throws(CallError) {
    guard lookouts[caller] == nil, let wish = listeners[caller]?.wish else { return }
    do throws(CallError) {
      let owners = try await connection.owners(of: caller.name)
      guard listeners[caller]?.wish == wish, lookouts[caller] == nil else { return }
      lookouts[caller] = connection.loop.startLater {
        for await owner in owners where owner == nil { break }
        self.forget(caller, wish)
      }
    } catch {
      forget(caller, wish)
      throw error
    }
  }

  private func forget(_ caller: Caller, _ wish: UInt64) {
    guard let listener = listeners[caller], listener.wish == wish else { return }
    for app in listener.apps { detach(caller, from: app) }
    unwatch(caller)
    whenGone(caller)
  }

  // MARK: Telling

  /// Tells all who watch, and the app's handlers; returns whether anybody was there to hear it.
  ///
  /// - Parameter handler: who is to be left out, because it is told in its own time.
  @discardableResult
  func tell(_ event: CenterEvent, of app: String, except handler: Caller?) -> Bool {
    if listeners.isEmpty { return false }
    let app = Identifier(app)
    let concerned = listeners.filter { name, listener in
      name != handler && (listener.isWatching || (!event.isResponse && listener.apps.contains(app)))
    }
    for listener in concerned.keys.sorted() { send(event, to: listener) }
    return !concerned.isEmpty
  }

  func send(_ event: CenterEvent, to listener: Caller) {
    let event = isSandboxed(listener) ? event.forSandbox : event
    let signal = event.signal(to: listener.name)
    // We live where the connection does. One that just left is no reason not to tell the next.
    connection.assumeIsolated { try? $0.emit(signal) }
  }
}

extension CenterEvent {
  /// The event without what programs of the host said.
  fileprivate var forSandbox: CenterEvent {
    if case .outcome(let response, let outcome) = self {
      .outcome(response: response, outcome.forSandbox)
    } else {
      self
    }
  }

  /// Whether it is the handler's to act upon, of whom there is one.
  fileprivate var isResponse: Bool { if case .responded = self { true } else { false } }
}
