// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Foundation
import Freedesktop
import TestSupport

/// A peer on a private bus that identifies each caller: `org.example.Who.Am` is answered once the caller is known.
struct CallerStand: Sendable {
  static let busName: BusName = "org.example.Who"

  let bus: PrivateBus
  let connection: Connection
  /// The callers that do not wait for an answer.
  let callers = Inbox<BusName>()

  static func start(on bus: PrivateBus, _ loop: EventLoop) async throws -> CallerStand {
    let stand = CallerStand(bus: bus, connection: try await bus.connect(on: loop))
    let (connection, callers) = (stand.connection, stand.callers)
    try await connection.export(
      Interface(
        "org.example.Who",
        methods: [
          Method("Am", in: [:], out: ["who": "s"]) { call in
            [.string(CallerStand.text(await CallerIdentification().identify(call.sender, on: connection)))]
          },
          Method("Knock", in: [:], out: [:]) { call in
            callers.put(call.sender)
            return []
          },
        ]), at: "/org/example/Who")
    guard try await connection.requestName(busName) == .owner else { throw TestFailure("the name is taken") }
    return stand
  }

  static func text(_ identity: CallerIdentity) -> String {
    switch identity {
    case .unconfined(let app): "unconfined \(app ?? "-")"
    case .sandboxed(let app, let sandbox): "\(sandbox) \(app ?? "-")"
    }
  }

  /// A `dbus-send` command with a call, for an address.
  static func question(_ address: String) -> [String] {
    [
      "dbus-send", "--bus=\(address)", "--print-reply=literal", "--dest=org.example.Who", "/org/example/Who",
      "org.example.Who.Am",
    ]
  }

  /// The identity of the caller that this command starts.
  func answer(to command: [String]) async throws -> String {
    let environment = bus.environment
    let done = try await offPool {
      try RunningProgram.run(command[0], Array(command.dropFirst()), environment: environment)
    }
    guard done.status == 0 else { throw TestFailure("\(command[0]): \(done.errors)") }
    return done.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}

/// A `/proc` made by the test, with one live process: ours.
struct FakeProcesses {
  let folder: TemporaryFolder
  let process: String

  init() throws {
    folder = try TemporaryFolder()
    process = "proc/\(getpid())"
    try write("", "sandbox/usr")
    try write("0::/\n", "\(process)/cgroup")
    try FileManager.default.createDirectory(atPath: folder.path("host"), withIntermediateDirectories: true)
    try FileManager.default.createDirectory(atPath: folder.path("proc/self"), withIntermediateDirectories: true)
    try link("host", "proc/self/root")
    try link("host", "\(process)/root")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("\(process)/exe"), withDestinationPath: "/usr/bin/tea")
  }

  func write(_ text: String, _ name: String) throws { try folder.write(text, to: name) }

  func link(_ target: String, _ name: String) throws {
    try? FileManager.default.removeItem(atPath: folder.path(name))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(name), withDestinationPath: folder.path(target))
  }

  func link(program: String) throws {
    try FileManager.default.removeItem(atPath: folder.path("\(process)/exe"))
    try FileManager.default.createSymbolicLink(atPath: folder.path("\(process)/exe"), withDestinationPath: program)
  }

  func identity(label: String? = nil) async -> String {
    let credentials = Credentials(userID: getuid(), processID: UInt32(getpid()), securityLabel: label)
    let identification = CallerIdentification(processes: folder.path("proc"))
    return CallerStand.text(await identification.identify(credentials) { true })
  }

  func identity(info: [UInt8]) async throws -> String {
    try link("sandbox", "\(process)/root")
    try Data(info).write(to: folder.url.appending(path: "sandbox/.flatpak-info"))
    return await identity()
  }
}
