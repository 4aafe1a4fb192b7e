// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// An X screen for a whole desktop, with an empty system bus.
final class SessionScreen: Screen {
  let environment: [String: String]
  private let screen: XScreen
  private let systemBus: PrivateBus

  /// - Parameter manager: the window manager; nil if the desktop is one.
  init(in folder: TemporaryFolder, managedBy manager: String? = "openbox") throws {
    screen = try XScreen(in: folder, managedBy: manager)
    systemBus = try PrivateBus()
    environment = screen.environment.merging(["DBUS_SYSTEM_BUS_ADDRESS": systemBus.address]) { $1 }
  }

  func click(_ x: Int, _ y: Int, button: Int) throws { try screen.click(x, y, button: button) }

  /// Moves the pointer and leaves it there.
  func point(_ x: Int, _ y: Int) throws { try screen.point(x, y) }

  /// Holds the left button down, until ``letGo()``.
  func hold() throws { try screen.hold() }

  /// Lets the left button go.
  func letGo() throws { try screen.letGo() }

  func photograph(_ box: Box, to file: String) throws { try screen.photograph(box, to: file) }
}
