// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Glibc
internal import SystemFiles

/// The time without input by the Wayland compositor, which tells when a time is over and when the next input comes.
///
/// By [ext-idle-notify-v1](https://wayland.app/protocols/ext-idle-notify-v1), or KDE's older protocol, which sway had
/// before. Both count from when they are asked, and a program that keeps the screen on counts as input.
final class WaylandIdle: IdleTeller {
  /// Where the compositor listens.
  struct Display {
    let folder: String
    let names: [String]

    /// That of the session. The center may have been started before it, and does not know the name then.
    static var session: Display {
      let folder = EnvironmentVariable.value(of: "XDG_RUNTIME_DIR") ?? "/run/user/\(getuid())"
      guard let name = EnvironmentVariable.value(of: "WAYLAND_DISPLAY") else {
        return Display(folder: folder, names: ["wayland-0", "wayland-1"])
      }
      guard let slash = name.lastIndex(of: "/") else { return Display(folder: folder, names: [name]) }
      return Display(folder: String(name[..<slash]), names: [String(name[name.index(after: slash)...])])
    }
  }

  var tell: ([Duration: Bool]?) -> Void = { _ in }
  private var durations: Set<Duration> = []
  private let loop: EventLoop
  private let display: Display
  private var connection: WaylandConnection?
  /// Waits for a compositor.
  private var watch: FolderWatch?
  private var retry: EventLoop.Deadline?
  private var failures = 0
  private var seat: UInt32?
  private var notifier: (name: UInt32, kind: Notifier)?
  private var isReady = false
  /// The notifications by their object.
  private var notifications: [UInt32: Duration] = [:]
  private var lastObject = Object.notifier
  private var idle: Set<Duration> = []

  private enum Object {
    static let display: UInt32 = 1, registry: UInt32 = 2, callback: UInt32 = 3, seat: UInt32 = 4, notifier: UInt32 = 5
  }

  /// The two protocols. Their notifications have the same requests and events.
  private enum Notifier: String {
    case standard = "ext_idle_notifier_v1"
    case kde = "org_kde_kwin_idle"

    func request(_ id: UInt32, _ milliseconds: UInt32) -> (operation: UInt32, arguments: [UInt32]) {
      switch self {
      case .standard: (1, [id, milliseconds, Object.seat])
      case .kde: (0, [id, Object.seat, milliseconds])
      }
    }
  }

  init(on loop: EventLoop, _ display: Display) {
    self.loop = loop
    self.display = display
  }

  private(set) var isRunning = false
  /// One that has neither protocol is left at once.
  var isOffered: Bool { connection != nil }

  func follow(_ durations: Set<Duration>) {
    self.durations = durations
    if durations.isEmpty {
      isRunning = false
      failures = 0
      disconnect()
      watch?.cancel()
      watch = nil
    } else if !isRunning {
      isRunning = true
      connect()
    } else if isReady {
      update()
    }
  }

  // MARK: Connecting

  private func connect() {
    retry?.cancel()
    retry = nil
    for name in display.names {
      connection = WaylandConnection(to: display.folder + "/" + name, on: loop) { [weak self] in
        self?.take($0)
      } lose: { [weak self] in
        self?.lose()
      }
      if connection != nil { break }
    }
    guard let connection else { return wait() }
    watch?.cancel()
    watch = nil
    connection.send(Object.display, 1, [Object.registry])
    connection.send(Object.display, 0, [Object.callback])
  }

  private func disconnect() {
    retry?.cancel()
    retry = nil
    connection?.close()
    (connection, seat, notifier, isReady) = (nil, nil, nil, false)
    (notifications, lastObject, idle) = ([:], Object.notifier, [])
  }

  /// Waits for another compositor.
  private func wait() {
    tell(nil)
    guard watch == nil else { return }
    watch = try? loop.watch(folders: [display.folder]) { [weak self] change in
      guard let self, connection == nil else { return }
      if case .entries(_, let names) = change, names.isDisjoint(with: display.names) { return }
      connectSoon(after: .milliseconds(500))
    }
  }

  private func connectSoon(after pause: Duration) {
    if retry != nil { return }
    retry = loop.schedule(after: pause) { [weak self] in
      guard let self, isRunning, connection == nil else { return }
      connect()
    }
  }

  /// The compositor has ended. Plasma's returns with the same socket, which nothing reports.
  private func lose() {
    disconnect()
    wait()
    failures += 1
    if failures <= 5 { connectSoon(after: .seconds(1 << failures)) }
  }

  // MARK: Events

  private func take(_ event: WaylandConnection.Event) {
    switch (event.object, event.operation) {
    case (Object.display, 0): lose()
    case (Object.registry, 0):
      guard let name = event.number(at: 0), let interface = event.text(at: 1) else { return }
      if interface == "wl_seat", seat == nil { seat = name }
      guard let kind = Notifier(rawValue: interface), notifier?.kind != .standard else { return }
      notifier = (name, kind)
    case (Object.callback, 0): begin()
    case (_, 0...1):
      guard let duration = notifications[event.object] else { return }
      if event.operation == 0 { idle.insert(duration) } else { idle.remove(duration) }
      report()
    default: break
    }
  }

  /// All global objects have been named.
  private func begin() {
    guard let seat, let notifier else {
      // This compositor has neither protocol.
      disconnect()
      return wait()
    }
    bind(seat, "wl_seat", Object.seat)
    bind(notifier.name, notifier.kind.rawValue, Object.notifier)
    // It may have ended meanwhile.
    guard connection != nil else { return }
    (isReady, failures) = (true, 0)
    update()
  }

  private func bind(_ name: UInt32, _ interface: String, _ object: UInt32) {
    connection?.send(Object.registry, 0, [name] + WaylandConnection.words(interface) + [1, object])
  }

  private func update() {
    for (object, duration) in notifications where !durations.contains(duration) {
      notifications[object] = nil
      idle.remove(duration)
      connection?.send(object, 0, [])
    }
    for duration in durations.subtracting(notifications.values) {
      // A request may find that the compositor has ended.
      guard connection != nil else { return }
      guard let request = notifier?.kind.request(lastObject + 1, UInt32(clamping: Int64(duration / .milliseconds(1))))
      else {
        continue
      }
      lastObject += 1
      notifications[lastObject] = duration
      connection?.send(Object.notifier, request.operation, request.arguments)
    }
    if isReady { report() }
  }

  private func report() { tell(Dictionary(uniqueKeysWithValues: durations.map { ($0, idle.contains($0)) })) }
}
