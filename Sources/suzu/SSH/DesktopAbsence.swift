// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
internal import EventLoop

/// Why a request of this SSH session would not be seen on a desktop of this machine.
enum DesktopAbsence: Equatable {
  /// There is no session bus; the text says where it was looked for.
  case noBus(String)
  /// No center runs, and the bus cannot start one.
  case noCenter
  /// A center runs or can be started, but no notification server.
  case noServer

  /// Whether something keeps a request for later.
  var keepsRequests: Bool { self == .noServer }

  /// For messages.
  var text: String {
    switch self {
    case .noBus: "there is no bus of a desktop session"
    case .noCenter: "no center runs, and the bus cannot start one"
    case .noServer: "no notification server runs"
    }
  }

  /// How long a bus may take to answer, and to start a server.
  private static let limit: Duration = .seconds(3)

  /// Whether this process belongs to an SSH login. Elsewhere nothing of this file costs any time.
  static func mayMatter(in environment: (String) -> String?) -> Bool {
    environment("SSH_TTY") != nil || environment("SSH_CONNECTION") != nil
  }

  /// Looks for the desktop; nil if there is one.
  static func find(on loop: EventLoop) async -> DesktopAbsence? {
    let connection: Connection
    do {
      var options = Connection.Options()
      options.connectionLimit = limit
      connection = try await Connection.open(try BusAddress.session(), on: loop, options: options)
    } catch {
      return .noBus("\(error)")
    }
    let absence = await find(on: connection)
    await connection.close()
    return absence
  }

  private static func find(on bus: Connection) async -> DesktopAbsence? {
    do {
      if try await bus.owner(of: CenterBus.name) == nil, try await !bus.isActivatable(CenterBus.name) {
        return .noCenter
      }
      let server: BusName = "org.freedesktop.Notifications"
      if try await bus.owner(of: server) != nil { return nil }
      guard try await bus.isActivatable(server) else { return .noServer }
    } catch {
      return .noBus("\(error)")
    }
    // Many servers are installed, and cannot start without a display.
    let server: BusName = "org.freedesktop.Notifications"
    let isStarted = (try? await bus.call(BusMethods.startService, of: .bus, server, 0, limit: limit)) != nil
    return isStarted ? nil : .noServer
  }
}
