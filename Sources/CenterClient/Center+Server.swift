// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus

/// Whether notifications can be shown.
public enum ServerStatus: Equatable, Sendable {
  /// A notification server runs, or the bus starts one when it is needed.
  case present
  /// No server runs, and the bus cannot start one.
  case absent
  /// The bus could not start a server when the center last asked it to.
  case failed(String)
}

extension Center {
  /// The state of the notification server, as far as it is known. Without one, notifications wait.
  public func serverStatus() async throws(SuzuError) -> ServerStatus {
    try await connection.use { connection throws(CallError) in
      let server: BusName = "org.freedesktop.Notifications"
      if try await connection.owner(of: server) != nil { return .present }
      guard try await connection.isActivatable(server) else { return .absent }
      let health = try await connection.call(
        StandardInterfaces.get, of: RemoteObject(CenterBus.name, CenterBus.path, StandardInterfaces.properties),
        CenterBus.interface.text, "Health")
      guard let failure = CenterHealth(health.properties ?? [:])?.serverFailure else { return .present }
      return .failed(failure)
    }
  }

  /// The name and version of the notification server, and whether it shows more of a text than its title. The name is
  /// empty while there is none.
  package func server() async throws(SuzuError) -> (name: String, showsBody: Bool) {
    guard case .string(let name)? = try await property("Server"), !name.isEmpty else { return ("", true) }
    guard case .array(_, let names)? = try await property("Capabilities") else { return (name, true) }
    return (name, names.contains(.string("body")))
  }

  /// The errors in files of categories, one line each.
  public func categoryProblems() async throws(SuzuError) -> [String] {
    guard let health = try await property("Health") else { return [] }
    return CenterHealth(health.properties ?? [:])?.categoryProblems ?? []
  }

  private func property(_ name: String) async throws(SuzuError) -> Value? {
    let reply = try await connection.use { connection throws(CallError) in
      try await connection.call(
        MethodCall(
          to: CenterBus.name, CenterBus.path, "org.freedesktop.DBus.Properties", "Get",
          [.string(CenterBus.interface.text), .string(name)]))
    }
    guard case .variant(let value)? = reply.first else { return nil }
    return value
  }
}
