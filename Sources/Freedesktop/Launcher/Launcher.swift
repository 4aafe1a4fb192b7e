// SPDX-License-Identifier: Apache-2.0
public import DBus
internal import EventLoop

/// The desktop's launchers (docks, task bars, panels), which draw badges on the icons of apps.
///
/// By the [launcher API of Unity](https://wiki.ubuntu.com/Unity/LauncherAPI), which the others took over. What is set goes
/// out to everybody on the bus: it is the number and no more.
public actor Launcher {
  private static let interface: InterfaceName = "com.canonical.Unity.LauncherEntry"
  /// Whoever draws badges takes this name when it is there, and has heard nothing yet.
  private static let drawer: BusName = "com.canonical.Unity"

  private let connection: Connection
  /// The connection's loop.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { connection.loop.asUnownedSerialExecutor() }
  private var badges: [String: Badge] = [:]
  private var following: Task<Void, Never>?

  /// The launchers on that bus.
  public init(on connection: Connection) {
    self.connection = connection
  }

  deinit { following?.cancel() }

  /// Sets the badge of an app, named by its desktop-entry id, and keeps it for launchers that come later or ask.
  ///
  /// An id that is none, or a bus that is gone, is an error.
  public func set(_ badge: Badge, of app: String) async throws(BusError) {
    let path = try Self.path(of: app)
    let isNew = badges.updateValue(badge, forKey: app) == nil
    if isNew {
      do throws(BusError) {
        try await connection.export(table(of: app), at: path)
      } catch {
        badges[app] = nil
        throw error
      }
    }
    follow()
    try await emit(badge, of: app, at: path)
  }

  /// Sets the number of an app, and nothing else.
  public func set(_ count: Int64, of app: String) async throws(BusError) {
    try await set(Badge(count: count), of: app)
  }

  /// The badge that was set last; nil where there is none.
  public func badge(of app: String) -> Badge? { badges[app] }

  /// Takes the badge of an app away; where there is none, nobody hears anything.
  public func clear(_ app: String) async throws(BusError) {
    guard badges.removeValue(forKey: app) != nil else { return }
    if badges.isEmpty {
      following?.cancel()
      following = nil
    }
    let path = try Self.path(of: app)
    await connection.withdraw(Self.interface, at: path)
    try await emit(Badge(), of: app, at: path)
  }

  // MARK: Telling

  private func emit(_ badge: Badge, of app: String, at path: ObjectPath) async throws(BusError) {
    try await connection.emit(
      Signal(path, Self.interface, "Update", [.string(Self.address(of: app)), .properties(badge.properties)]))
  }

  /// Tells each launcher that appears what it has missed.
  private func follow() {
    guard following == nil else { return }
    let connection = connection
    following = Task(executorPreference: connection.loop) { [weak self] in
      guard let owners = try? await connection.owners(of: Self.drawer) else { return }
      // Also one that is there already: it may have come while we asked. What it hears twice is the same.
      for await owner in owners where owner != nil { await self?.repeatAll() }
    }
  }

  private func repeatAll() async {
    for (app, badge) in badges.sorted(by: { $0.key < $1.key }) {
      guard let path = try? Self.path(of: app) else { continue }
      // A bus that is gone again: the next launcher on it will hear it.
      try? await emit(badge, of: app, at: path)
    }
  }

  /// The connection keeps the table, and the table us, until the badge is cleared or the connection closed.
  private nonisolated func table(of app: String) -> Interface {
    Interface(
      Self.interface, bounds: Bounds(bytes: 4 << 10),
      methods: [
        Method("Query", out: ["properties": "a{sv}"]) { _ in
          [.properties(await (self.badge(of: app) ?? Badge()).properties)]
        }
      ],
      signals: [SignalDescription("Update", ["app_uri": "s", "properties": "a{sv}"])])
  }

  // MARK: Names

  private static func address(of app: String) -> String { "application://\(app).desktop" }

  /// As libunity makes it, because a Snap may send from no other: a number, the address's hash of GLib's `g_str_hash`.
  static func path(of app: String) throws(BusError) -> ObjectPath {
    guard !app.isEmpty, app.utf8.count <= 255, app.utf8.allSatisfy(isOfIdentifier) else {
      throw BusError(.invalidValue, "'\(app)' is not the id of a desktop entry")
    }
    var hash: UInt32 = 5381
    for byte in address(of: app).utf8 {
      hash = hash &* 33 &+ UInt32(bitPattern: Int32(Int8(bitPattern: byte)))
    }
    return ObjectPath(stringLiteral: "/com/canonical/unity/launcherentry/\(hash)")
  }

  /// Letters, digits, `-`, `_`, `.`, and what some packagers use besides; nothing that ends a path or a line.
  private static func isOfIdentifier(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte != 0x7f && byte != UInt8(ascii: "/")
  }
}
