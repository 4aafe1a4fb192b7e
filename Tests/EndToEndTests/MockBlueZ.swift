// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// BlueZ by python-dbusmock, with an adapter and a device that can send advertisements.
struct MockBlueZ {
  static let uuid = "F7826DA6-4FA2-4E98-8024-BC5B71E0893E"
  private static let name = "org.bluez"
  private let session: Session
  private let device: String
  let program: RunningProgram

  init(in session: Session) throws {
    self.session = session
    // Newer versions of the mock offer advertisement monitors, but never report a device to one.
    program = try RunningProgram(
      "/usr/bin/python3",
      ["-m", "dbusmock", "--session", "--template", "bluez5", "--parameters", #"{"enable_monitor_api": false}"#],
      environment: session.environment)
    #expect(try session.awaitOwner(of: Self.name), "\(program.errors)")
    _ = try Self.call(session, "/", "org.bluez.Mock.AddAdapter", "hci0", "laptop")
    let added = try Self.call(session, "/", "org.bluez.Mock.AddDevice", "hci0", "11:22:33:44:55:66", "b")
    device = String(try #require(added.split(separator: "'").dropFirst().first))
  }

  /// Lets the device send an advertisement of a beacon with this group and the number 7.
  func advertise(group: Int) throws {
    let digits = Self.uuid.filter { $0 != "-" }
    let identity = stride(from: 0, to: digits.count, by: 2).map { "0x" + digits.dropFirst($0).prefix(2) }
    let data = (["0x02", "0x15"] + identity + ["0", "\(group)", "0", "7", "0xC5"]).joined(separator: ", ")
    // The mock cannot change properties that are dictionaries.
    _ = try Self.call(
      session, device, "org.freedesktop.DBus.Mock.EmitSignal", "org.freedesktop.DBus.Properties", "PropertiesChanged",
      "sa{sv}as", "[<'org.bluez.Device1'>, <{'ManufacturerData': <{uint16 76: <@ay [\(data)]>}>}>, <@as []>]")
  }

  private static func call(_ session: Session, _ path: String, _ method: String, _ arguments: String...) throws
    -> String
  {
    let called = try RunningProgram.run(
      "gdbus", ["call", "--session", "-d", name, "-o", path, "-m", method] + arguments,
      environment: session.environment)
    #expect(called.status == 0, "\(method): \(called.errors)")
    return called.output
  }
}
