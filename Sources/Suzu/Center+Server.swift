// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus

extension Center {
  /// Whether a notification server runs, or the bus can start one. Without either, notifications wait.
  public func hasServer() async throws(SuzuError) -> Bool {
    try await connection.use { connection throws(CallError) in
      let server: BusName = "org.freedesktop.Notifications"
      if try await connection.owner(of: server) != nil { return true }
      return try await connection.isActivatable(server)
    }
  }

  /// The errors in files of categories, one line each.
  public func categoryProblems() async throws(SuzuError) -> [String] {
    let reply = try await connection.use { connection throws(CallError) in
      try await connection.call(
        MethodCall(
          to: CenterBus.name, CenterBus.path, "org.freedesktop.DBus.Properties", "Get",
          [.string(CenterBus.interface.text), .string("Health")]))
    }
    guard case .variant(let health)? = reply.first else { return [] }
    return CenterHealth(health.properties ?? [:])?.categoryProblems ?? []
  }
}
