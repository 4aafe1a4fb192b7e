// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// GNOME's old notification-daemon shows one bubble at a time, and keeps expired ones until it is full, unless they are
/// transient.
struct NotificationDaemon: AccessibleServer {
  let name = "notification-daemon"
  let package = "notification-daemon"
  let application = "notification-daemon"
  private let program = "/usr/lib/notification-daemon/notification-daemon"
  var programs: [String] { [program, "Xvfb", "openbox", "xdotool"] }
  let environment = ["GSETTINGS_BACKEND": "memory"]

  var expected: Expectations {
    Expectations(
      banner: ["Join", "Late"], alert: ["Join", "Late", "Notes", "Move", "More…"], showsOne: true)
  }

  func start(on desktop: Desktop) throws -> RunningProgram {
    try RunningProgram(program, environment: desktop.session.environment)
  }
}
