// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import Testing

/// Tests the facts about servers that no capability describes.
@Suite
struct KnownServerTests {
  // As the servers send it: notification-daemon 3.20, MATE's 1.26, Plasma 5.27.
  @Test(arguments: [
    ("Notification Daemon 3.20.0", "org.freedesktop.Notifications.MaxNotificationsExceeded", "too many", true),
    (
      "Notification Daemon 1.26.0", "org.gtk.GDBus.UnmappedGError.Code1", "Exceeded maximum number of notifications",
      true
    ),
    ("Plasma 5.27.5", "org.freedesktop.Notifications.Error.ExcessNotificationGeneration", "enough", true),
    ("Plasma 6.3.6", "org.freedesktop.DBus.Error.Failed", "Exceeded maximum number of notifications", false),
    ("mako 0.0.0", "System.Error.ENXIO", "Odd number of actions", false),
    ("unknown 1", "org.freedesktop.Notifications.MaxNotificationsExceeded", "too many", false),
  ])
  func `A server refuses for the moment with its own words`(
    server: String, name: String, message: String, isForTheMoment: Bool
  ) {
    let known = Self.known(server)
    #expect(known.refusesForTheMoment(name: name, message: message) == isForTheMoment)
  }

  /// What is known about a server, given its name and its version after the last blank.
  private static func known(_ server: String) -> KnownServer {
    let split = server.lastIndex(of: " ") ?? server.endIndex
    return ServerTraits(
      capabilities: [], name: String(server[..<split]), version: String(server[split...].dropFirst())
    ).known
  }

  // GNOME's notification-daemon and MATE's report the same name; once, each was taken for both.
  @Test func `Two servers with one name are told apart by their versions`() {
    let (gnome, mate) = (Self.known("Notification Daemon 3.20.0"), Self.known("Notification Daemon 1.26.1"))
    #expect(gnome.keepsExpired && !gnome.saysExpiredOfDismissed && !gnome.readsLabels)
    #expect(!mate.keepsExpired && mate.saysExpiredOfDismissed && mate.readsLabels)
    #expect(gnome.room == KnownServer.Room(21, .refuses) && mate.room == KnownServer.Room(21, .crashes))
    #expect(Self.known("Notification Daemon 1.26.0").room == gnome.room)
    #expect(Self.known("Plasma 6.3.6").tellsOfExpiry && !Self.known("Plasma 6.4").tellsOfExpiry)
    #expect(Self.known("SwayNotificationCenter 0.12.6").mayHideReplyLine)
    #expect(
      ["10.9.2", "10.10.3"].map { Self.known("Budgie Notification Server \($0)").blindTime } == [nil, .seconds(1)])
    #expect(["1.9.0", "1.9.1"].map { Self.known("dunst \($0)").rest } == [.milliseconds(100), nil])
    #expect([Self.known("cinnamon 6.4.10"), Self.known("cinnamon 6.6.9")].map(\.room?.limit) == [10, 20])
  }

  @Test func `Each fact has a reason, and a range that is not empty`() {
    #expect(!KnownServer.facts.isEmpty)
    for fact in KnownServer.facts {
      #expect(!fact.reason.isEmpty, "\(fact.name)")
      if let from = fact.from, let until = fact.until { #expect(from < until, "\(fact.name): \(fact.reason)") }
    }
  }

  @Test(arguments: [
    ("43.9", "48.7", true), ("6.4.10", "6.10", true), ("6.10", "6.4.10", false), ("v4.3", "4.4", true),
    ("1.12.2 (2025-03-05)", "1.12.3", true), ("48", "48.0", false), ("48.0", "48", false), ("0.0.0", "0.0.1", true),
    ("3", "3.20.0", true), ("48.rc", "48.1", true),
  ])
  func `Versions are compared number by number`(one: String, other: String, isOlder: Bool) throws {
    let (first, second) = (try #require(ServerVersion(one)), try #require(ServerVersion(other)))
    #expect((first < second) == isOlder)
  }

  @Test(arguments: ["", "unknown", ".", "v", "rc1"])
  func `A version without numbers is taken for the newest`(text: String) {
    #expect(ServerVersion(text) == nil)
    #expect(Self.known("Notification Daemon " + text).keepsExpired)
  }
}
