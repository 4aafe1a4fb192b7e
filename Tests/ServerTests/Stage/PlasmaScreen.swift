// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// An X screen, and an empty system bus.
final class PlasmaScreen: Screen {
  let environment: [String: String]
  private let screen: XScreen
  private let systemBus: PrivateBus

  init(in folder: TemporaryFolder) throws {
    screen = try XScreen(in: folder)
    systemBus = try PrivateBus()
    environment = screen.environment.merging(["DBUS_SYSTEM_BUS_ADDRESS": systemBus.address]) { $1 }
  }

  func click(_ x: Int, _ y: Int, button: Int) throws { try screen.click(x, y, button: button) }

  func photograph(_ box: Box, to file: String) throws { try screen.photograph(box, to: file) }
}
