// SPDX-License-Identifier: Apache-2.0
package import DBus
package import EventLoop
internal import Foundation

/// A private `dbus-daemon` in a temporary folder: never the user's bus, never the installed services.
public final class PrivateBus: Sendable {
  /// The address.
  public let address: String
  /// The folder with its socket, configuration and service files.
  package let folder: TemporaryFolder
  private let daemon: RunningProgram

  /// Starts a bus.
  ///
  /// - Parameters:
  ///   - limits: limits of the bus's configuration, such as `max_message_size`.
  ///   - services: activation files: a bus name and the command that owns it.
  ///   - environment: additional variables for started services.
  public convenience init(
    limits: [String: Int] = [:], services: [String: String] = [:], environment: [String: String] = [:]
  ) throws {
    try self.init(limits: limits, services: services, environment: environment, in: nil)
  }

  /// Starts a bus in an earlier bus's folder, to reuse its address.
  package init(
    limits: [String: Int] = [:], services: [String: String] = [:], environment: [String: String] = [:],
    in folder: TemporaryFolder?
  ) throws {
    let folder = try folder ?? TemporaryFolder()
    self.folder = folder
    for (name, command) in services {
      try folder.write("[D-BUS Service]\nName=\(name)\nExec=\(command)\n", to: "services/\(name).service")
    }
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "services"), withIntermediateDirectories: true)
    let limitLines = limits.map { "<limit name=\"\($0.key)\">\($0.value)</limit>" }.joined(separator: "\n")
    let configuration = try folder.write(
      """
      <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
       "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
      <busconfig>
        <type>session</type>
        <listen>unix:path=\(folder.path("bus"))</listen>
        <auth>EXTERNAL</auth>
        <servicedir>\(folder.path("services"))</servicedir>
        <policy context="default">
          <!-- Another user can come only if a test, run by root, has opened its folder. -->
          <allow user="*"/>
          <allow send_destination="*" eavesdrop="true"/>
          <allow eavesdrop="true"/>
          <allow own="*"/>
        </policy>
        \(limitLines)
      </busconfig>
      """, to: "bus.conf")
    try? FileManager.default.removeItem(atPath: folder.path("bus"))
    var variables = Self.environment(home: folder)
    variables.merge(environment) { $1 }
    daemon = try RunningProgram(
      "dbus-daemon", ["--nofork", "--print-address=1", "--config-file=\(configuration)"], environment: variables)
    guard let address = daemon.readLine(within: 10) else {
      throw TestFailure("dbus-daemon did not start: \(daemon.errors)")
    }
    self.address = address
  }

  // A center without its bus would wait two minutes for it, and a user has only 128 inotify instances.
  deinit {
    endServices()
    daemon.kill()
  }

  /// The environment of a client: this bus, a home in its folder, nothing from the user.
  public var environment: [String: String] {
    var variables = Self.environment(home: folder)
    variables["DBUS_SESSION_BUS_ADDRESS"] = address
    return variables
  }

  private static func environment(home folder: TemporaryFolder) -> [String: String] {
    [
      "HOME": folder.path("home"), "XDG_RUNTIME_DIR": folder.path("run"),
      "XDG_CONFIG_HOME": folder.path("home/.config"), "XDG_DATA_HOME": folder.path("home/.local/share"),
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "LANG": "C.UTF-8",
    ]
  }

  /// The daemon's process id.
  public var processID: Int32 { daemon.processID }

  /// Kills the daemon, and waits for its end.
  public func kill() { daemon.kill() }

  /// Ends the services that the bus has started and that still run. Their parent ends when they have started, so that
  /// only their environment says where they come from.
  private func endServices() {
    guard daemon.isRunning else { return }
    let mark = Data("DBUS_STARTER_ADDRESS=unix:path=\(folder.path("bus")),".utf8)
    for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
      guard let process = Int32(name), let environment = try? Data(contentsOf: URL(filePath: "/proc/\(name)/environ")),
        environment.range(of: mark) != nil
      else { continue }
      Foundation.kill(process, SIGKILL)
    }
  }

  /// Stops the daemon's process without ending it: calls are not answered.
  public func freeze() { Foundation.kill(daemon.processID, SIGSTOP) }

  /// Continues the daemon's process.
  public func thaw() { Foundation.kill(daemon.processID, SIGCONT) }
}

extension PrivateBus {
  /// Connects to this bus.
  package func connect(
    on loop: EventLoop, _ options: Connection.Options = Connection.Options()
  ) async throws -> Connection {
    try await Connection.open(BusAddress(address), on: loop, options: options)
  }
}
