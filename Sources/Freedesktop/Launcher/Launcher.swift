// SPDX-License-Identifier: Apache-2.0
public import DBus
internal import EventLoop

/// The desktop's launchers (docks, task bars, panels), which draw badges on the icons of apps.
///
/// Uses the [launcher API of Unity](https://wiki.ubuntu.com/Unity/LauncherAPI), which other desktops adopted. Every
/// program on the bus can read the badges, so they carry only the number, progress and urgency.
public actor Launcher {
  private static let interface: InterfaceName = "com.canonical.Unity.LauncherEntry"
  /// The name that a program drawing badges takes when it starts; it knows no badges yet.
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
  /// Throws if the id is invalid or the bus is gone.
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

  /// Sets the number of an app's badge and clears the rest.
  public func set(_ count: Int64, of app: String) async throws(BusError) {
    try await set(Badge(count: count), of: app)
  }

  /// The badge that was set last; nil if there is none.
  public func badge(of app: String) -> Badge? { badges[app] }

  /// Removes the badge of an app; does nothing if there is none.
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

  // MARK: Updates

  private func emit(_ badge: Badge, of app: String, at path: ObjectPath) async throws(BusError) {
    try await connection.emit(
      Signal(Self.update, path, Self.interface, Self.address(of: app), badge.properties))
  }

  /// Sends all badges to each launcher that appears.
  private func follow() {
    guard following == nil else { return }
    let connection = connection
    following = Task(executorPreference: connection.loop) { [weak self] in
      guard let owners = try? await connection.owners(of: Self.drawer) else { return }
      // This includes a launcher that is already there: it may have come while we asked. Hearing an update twice is
      // harmless.
      for await owner in owners where owner != nil { await self?.repeatAll() }
    }
  }

  private func repeatAll() async {
    for (app, badge) in badges.sorted(by: { $0.key < $1.key }) {
      guard let path = try? Self.path(of: app) else { continue }
      // If the bus is gone, the next launcher on it gets the update.
      try? await emit(badge, of: app, at: path)
    }
  }

  /// The connection retains the table, and the table retains the launcher, until the badge is cleared or the connection
  /// closed.
  private nonisolated func table(of app: String) -> Interface {
    Interface(
      Self.interface, bounds: Bounds(bytes: 4 << 10),
      methods: [
        Method(Self.query) { _, _ in await (self.badge(of: app) ?? Badge()).properties }
      ],
      signals: [Self.update])
  }

  private static let query = MethodDescription("Query", out: ("properties", [String: Value].self))
  private static let update = SignalDescription(
    "Update", ("app_uri", String.self), ("properties", [String: Value].self))

  // MARK: Names

  private static func address(of app: String) -> String { "application://\(app).desktop" }

  /// The path that libunity uses, because a Snap may send from no other: the `g_str_hash` of the address.
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

  /// Letters, digits, `-`, `_`, `.` and other characters that packagers use, but none that ends a path or a line.
  private static func isOfIdentifier(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte != 0x7f && byte != UInt8(ascii: "/")
  }
}
