// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// MATE's draws all buttons in one row, and takes a click anywhere else for the default action, offered or not. It ends
/// by itself when nothing was shown for half a minute.
struct Mate: AccessibleServer {
  let name = "mate-notification-daemon"
  let package = "mate-notification-daemon"
  let application = "mate-notification-daemon"
  private let program = "/usr/lib/mate-notification-daemon/mate-notification-daemon"
  var programs: [String] { [program, "Xvfb", "openbox", "xdotool"] }
  // Its settings are the package's.
  let environment = ["GSETTINGS_BACKEND": "memory"]

  var expected: Expectations {
    Expectations(
      banner: ["Join", "Late"], alert: ["Join", "Late", "Notes", "Move", "More…"],
      dismissal: .noted("mate-notification-daemon says 'expired' of what its cross closes"), dismissalReason: "expired")
  }

  func start(on desktop: Desktop) throws -> RunningProgram {
    try RunningProgram(program, environment: desktop.session.environment)
  }
}
