// SPDX-License-Identifier: Apache-2.0
public import DBus

/// An application on the bus that implements
/// [`org.freedesktop.Application`](https://specifications.freedesktop.org/desktop-entry-spec/1.5/dbus.html); the bus
/// starts it if it does not run.
public struct BusApplication: Hashable, Sendable {
  /// The well-known name, which is also the application's id.
  public let name: BusName
  /// Its object.
  public let path: ObjectPath

  /// From an id with or without `.desktop`; nil if the id cannot be a bus name.
  public init?(_ id: String) {
    let elements = id.hasSuffix(".desktop") ? id.dropLast(8) : id[...]
    guard let name = BusName(String(elements)), !name.isUnique, name != .bus,
      let path = ObjectPath("/" + elements.map { $0 == "." ? "/" : $0 == "-" ? "_" : String($0) }.joined())
    else { return nil }
    self.name = name
    self.path = path
  }

  /// Whether the application runs, or the bus can start it.
  public func canBeReached(on connection: Connection) async throws(CallError) -> Bool {
    if try await connection.owner(of: name) != nil { return true }
    return try await connection.isActivatable(name)
  }

  /// Activates the application; the token lets it raise its window.
  public func activate(activationToken: String? = nil, on connection: Connection) async throws(CallError) {
    try await connection.call(Methods.activate, of: object, Self.platformData(activationToken))
  }

  /// Asks the application to open URLs.
  public func open(
    _ urls: [String], activationToken: String? = nil, on connection: Connection
  ) async throws(CallError) {
    try await connection.call(Methods.open, of: object, urls, Self.platformData(activationToken))
  }

  /// Activates one of the application's actions; GLib actions take one parameter or none.
  ///
  /// - Parameter limit: for the answer, and before it for the start of the application.
  public func activateAction(
    _ action: String, parameters: [Value] = [], activationToken: String? = nil, on connection: Connection,
    limit: Duration = Connection.usualLimit
  ) async throws(CallError) {
    try await connection.call(
      Methods.activateAction, of: object, action, parameters, Self.platformData(activationToken), limit: limit)
  }

  private var object: RemoteObject { RemoteObject(name, path, Self.interfaceName) }

  /// The token under its current name and its X11 name.
  private static func platformData(_ token: String?) -> [String: Value] {
    token.map { ["activation-token": .string($0), "desktop-startup-id": .string($0)] } ?? [:]
  }

  static let interfaceName: InterfaceName = "org.freedesktop.Application"

  /// The methods of the interface.
  enum Methods {
    static let activate = MethodDescription("Activate", in: ("platform_data", [String: Value].self))
    static let open = MethodDescription(
      "Open", in: ("uris", [String].self), ("platform_data", [String: Value].self))
    static let activateAction = MethodDescription(
      "ActivateAction", in: ("action_name", String.self), ("parameter", [Value].self),
      ("platform_data", [String: Value].self))
  }
}

extension CallError {
  /// Whether the error says that the bus has no such application, cannot start it, or that it does not implement this
  /// interface: nothing has been done, and another way may be tried.
  public var meansNoApplication: Bool {
    switch self {
    case .refused(let error):
      let unknown: Set<ErrorName> = [
        .serviceUnknown, .nameHasNoOwner, .unknownObject, .unknownInterface, .unknownMethod,
      ]
      return unknown.contains(error.name) || error.name.text.hasPrefix("org.freedesktop.DBus.Error.Spawn.")
    case .failed(let error): return [.noBus, .disconnected, .closed].contains(error.code)
    }
  }
}
