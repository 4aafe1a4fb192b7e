// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// NetworkManager by python-dbusmock, with a card that can be connected to a network: the Wi-Fi `Work`, by a connection
/// that is called `Office`.
struct MockNetworkManager {
  private static let name = "org.freedesktop.NetworkManager"
  private static let manager = "/org/freedesktop/NetworkManager"
  private let session: Session
  let program: RunningProgram

  init(in session: Session) throws {
    self.session = session
    program = try RunningProgram(
      "/usr/bin/python3", ["-m", "dbusmock", "--session", "--template", "networkmanager"],
      environment: session.environment)
    #expect(try session.awaitOwner(of: Self.name))
    let card = Self.manager + "/Devices/wlan0"
    try mocked("AddWiFiDevice", "wlan0", "wlan0", "100")
    try mocked("AddAccessPoint", card, "ap1", "Work", "00:23:F8:7E:12:BB", "2", "2425", "5400", "82", "256")
    try mocked("AddWiFiConnection", card, "Office", "Work", "wpa-psk")
    try mocked(
      "AddActiveConnection", "['\(card)']", Self.manager + "/Settings/Office", Self.manager + "/AccessPoint/ap1", "a",
      "1")
    try update("{'Id': <'Office'>}")
  }

  /// Connects or disconnects the network.
  func set(_ isConnected: Bool) throws { try update("{'State': <uint32 \(isConnected ? 2 : 4)>}") }

  private func update(_ properties: String) throws {
    try mocked(
      "UpdateProperties", Self.name + ".Connection.Active", properties, path: Self.manager + "/ActiveConnection/a")
  }

  private func mocked(_ member: String, _ arguments: String..., path: String = manager) throws {
    let words = ["call", "--session", "-d", Self.name, "-o", path, "-m", "org.freedesktop.DBus.Mock." + member]
    let called = try RunningProgram.run("gdbus", words + arguments, environment: session.environment)
    #expect(called.status == 0, "\(called.errors)")
  }
}
