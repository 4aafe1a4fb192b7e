// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
internal import EventLoop
internal import NotificationModel

/// The programs on the bus that receive events: those that called `Watch`, and the handlers of apps. Each gets its own
/// signal, because what a user clicks is private.
///
/// Confined to the loop's thread.
final class Listeners: Audience {
  private struct Listener {
    var isWatching = false
    /// Whether it also gets a signal when a request is stored without an event.
    var isWatchingStore = false
    /// The app whose events it receives, also responses, without being its handler: it passes them on to another
    /// machine.
    var watchedApps: Set<Identifier> = []
    /// Whether it waits for the answer to a request; it may receive no events at all.
    var isAsking = false
    /// The apps that it handles, in the order in which it attached.
    var apps: [Identifier] = []
    /// Whether it is a sandboxed program, which must not see the output of programs on the host.
    var isSandboxed = false
    /// Increases with each change: a caller may leave and come back before the bus answers.
    let wish: UInt64

    var isNeeded: Bool { isWatching || isWatchingStore || isAsking || !apps.isEmpty || !watchedApps.isEmpty }
  }

  private let connection: Connection
  private var listeners: [Caller: Listener] = [:]
  /// The handlers of each app; the one that attached last is the current one.
  private var handlers: [Identifier: [Caller]] = [:]
  private var lookouts: [Caller: Task<Void, Never>] = [:]
  private var lastWish: UInt64 = 0
  /// Called with each caller that leaves the bus.
  var whenGone: (Caller) -> Void = { _ in }

  init(on connection: Connection) {
    self.connection = connection
  }

  var count: Int { listeners.count }

  // MARK: Adding and removing

  /// Adds a caller until it calls `Watch(false)`, or leaves the bus.
  func watch(_ caller: Caller) async throws(CallError) {
    listeners[caller, default: newListener()].isWatching = true
    try await follow(caller)
  }

  /// Sends a caller the events of one app until it leaves the bus, without the output of programs.
  func watch(_ caller: Caller, only app: String) async throws(CallError) {
    listeners[caller, default: newListener()].watchedApps.insert(Identifier(app))
    listeners[caller]?.isSandboxed = true
    try await follow(caller)
  }

  func unwatch(_ caller: Caller) {
    listeners[caller]?.isWatching = false
    tidy(caller)
  }

  /// Sends a caller a signal for each request that is stored without an event, until it calls `WatchStored(false)` or
  /// leaves the bus.
  func watchStore(_ caller: Caller) async throws(CallError) {
    listeners[caller, default: newListener()].isWatchingStore = true
    try await follow(caller)
  }

  func unwatchStore(_ caller: Caller) {
    listeners[caller]?.isWatchingStore = false
    tidy(caller)
  }

  /// Looks out for a caller until it leaves the bus.
  func lookOut(for caller: Caller) async {
    listeners[caller, default: newListener()].isAsking = true
    // If the bus fails, the caller counts as gone.
    do throws(CallError) { try await follow(caller) } catch {}
  }

  /// Makes a caller the app's handler, ahead of those that attached earlier.
  func attach(_ caller: Caller, to app: String, isSandboxed: Bool) async throws(CallError) {
    detach(caller, from: app)
    listeners[caller, default: newListener()].apps.append(Identifier(app))
    listeners[caller]?.isSandboxed = isSandboxed
    handlers[Identifier(app), default: []].append(caller)
    try await follow(caller)
  }

  func detach(_ caller: Caller, from app: String) { detach(caller, from: Identifier(app)) }

  private func detach(_ caller: Caller, from app: Identifier) {
    listeners[caller]?.apps.removeAll { $0 == app }
    handlers[app]?.removeAll { $0 == caller }
    if handlers[app]?.isEmpty == true { handlers[app] = nil }
    tidy(caller)
  }

  /// The handler of the app's responses; nil if none is attached.
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

  private func follow(_ caller: Caller) async throws(CallError) {
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
    listeners[caller]?.isAsking = false
    listeners[caller]?.isWatchingStore = false
    listeners[caller]?.watchedApps = []
    for app in listener.apps { detach(caller, from: app) }
    unwatch(caller)
    whenGone(caller)
  }

  // MARK: Sending

  /// Sends an event to all watchers and the app's handlers; returns whether there was any receiver.
  ///
  /// - Parameter handler: a caller to leave out, because it gets the event later.
  @discardableResult
  func tell(_ event: CenterEvent, of app: String, except handler: Caller?) -> Bool {
    if listeners.isEmpty { return false }
    let app = Identifier(app)
    let concerned = listeners.filter { name, listener in
      name != handler
        && (listener.isWatching || listener.watchedApps.contains(app)
          || (!event.isResponse && listener.apps.contains(app)))
    }
    for listener in concerned.keys.sorted() { send(event, to: listener) }
    return !concerned.isEmpty
  }

  func tell(_ change: StoredChange) {
    for watcher in listeners.filter(\.value.isWatchingStore).keys.sorted() { emit(change.signal(to: watcher.name)) }
  }

  func send(_ event: CenterEvent, to listener: Caller) {
    let event = isSandboxed(listener) ? event.forSandbox : event
    emit(event.signal(to: listener.name))
  }

  private func emit(_ signal: Signal) {
    // The listeners live on the connection's loop. An error for one that just left must not keep the event from the
    // next.
    connection.assumeIsolated { try? $0.emit(signal) }
  }
}

extension CenterEvent {
  /// The event without the output of programs on the host.
  fileprivate var forSandbox: CenterEvent {
    if case .outcome(let response, let outcome) = self {
      .outcome(response: response, outcome.forSandbox)
    } else {
      self
    }
  }

  /// Whether it is a response, which only one handler may act on.
  fileprivate var isResponse: Bool { if case .responded = self { true } else { false } }
}
