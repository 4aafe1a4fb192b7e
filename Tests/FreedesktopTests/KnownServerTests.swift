// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import Testing

/// Tests the facts about servers that no capability describes.
@Suite
struct KnownServerTests {
  // As the servers send it: notification-daemon 3.20, MATE's 1.26, Plasma 5.27.
  @Test(arguments: [
    ("Notification Daemon", "org.freedesktop.Notifications.MaxNotificationsExceeded", "too many", true),
    ("Notification Daemon", "org.gtk.GDBus.UnmappedGError.Code1", "Exceeded maximum number of notifications", true),
    ("Plasma", "org.freedesktop.Notifications.Error.ExcessNotificationGeneration", "enough", true),
    ("Plasma", "org.freedesktop.DBus.Error.Failed", "Exceeded maximum number of notifications", false),
    ("mako", "System.Error.ENXIO", "Odd number of actions", false),
    ("unknown", "org.freedesktop.Notifications.MaxNotificationsExceeded", "too many", false),
  ])
  func `A server refuses for the moment with its own words`(
    server: String, name: String, message: String, isForTheMoment: Bool
  ) {
    let known = ServerTraits(capabilities: [], name: server).known
    #expect(known.refusesForTheMoment(name: name, message: message) == isForTheMoment)
  }
}
