// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// MATE draws all buttons in one row, and takes any other click for the default action, even if there is none. It exits
/// after half a minute without notifications.
struct Mate: AccessibleServer {
  let name = "mate-notification-daemon"
  let package = "mate-notification-daemon"
  let application = "mate-notification-daemon"
  private let program = libraryProgram("mate-notification-daemon/mate-notification-daemon")
  var programs: [String] { [program, "Xvfb", "openbox", "xdotool"] }
  // Use the package's default settings.
  let environment = ["GSETTINGS_BACKEND": "memory"]

  var expected: Expectations {
    Expectations(
      banner: ["Join", "Late"], alert: ["Join", "Late", "Notes", "Move", "More…"],
      dismissal: .noted(
        "mate-notification-daemon reports its close button as 'expired'; for alerts, Suzu corrects this"))
  }

  func start(on desktop: Desktop) throws -> RunningProgram {
    try RunningProgram(program, environment: desktop.session.environment)
  }
}
