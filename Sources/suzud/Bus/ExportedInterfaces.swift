// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus

/// The interfaces of the center on the bus. The center itself does not know them, so that calls go one way.
enum ExportedInterfaces {
  static func export(_ center: CenterService, on connection: Connection) async throws {
    try await connection.export(CenterInterface.table(of: center), at: CenterBus.path)
    try await connection.export(RemoteInterface.table(of: center), at: RemoteBus.path)
  }
}
