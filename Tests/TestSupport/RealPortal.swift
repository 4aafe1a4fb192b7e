// SPDX-License-Identifier: Apache-2.0
import Foundation
package import TestStage

/// The real `xdg-desktop-portal` with the dialogs and notifications of GTK, as services of a bus.
public enum RealPortal {
  private static let services = [
    "org.freedesktop.portal.Desktop": "xdg-desktop-portal",
    "org.freedesktop.impl.portal.desktop.gtk": "xdg-desktop-portal-gtk",
    "org.freedesktop.impl.portal.PermissionStore": "xdg-permission-store",
  ]

  /// The programs that it needs, which are not there.
  public static let missing =
    services.values.filter { !FileManager.default.isExecutableFile(atPath: "/usr/libexec/" + $0) }
    + (RunningProgram.path(of: "Xvfb") == nil ? ["Xvfb"] : [])

  /// The services for a bus, by name.
  public static let commands = services.mapValues { "/usr/libexec/" + $0 }

  /// Starts the screen that the GTK part wants, and prepares `folder` for the portal. Returns the screen and the
  /// variables of the session.
  package static func prepare(_ folder: TemporaryFolder) throws -> (screen: RunningProgram, variables: [String: String])
  {
    try folder.write("[preferred]\ndefault=gtk\n", to: "home/.config/xdg-desktop-portal/portals.conf")
    let screen = try RunningProgram(
      "Xvfb", ["-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp"],
      environment: ["PATH": "/usr/bin:/bin"])
    guard let display = screen.readLine(within: 20) else { throw TestFailure("Xvfb: \(screen.errors)") }
    return (
      screen,
      [
        "DISPLAY": ":" + display, "GDK_BACKEND": "x11", "GSETTINGS_BACKEND": "memory", "XDG_CURRENT_DESKTOP": "Test",
      ]
    )
  }
}
