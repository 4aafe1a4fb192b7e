// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests a real Flatpak app, behind the real proxy, with the real center and the real portal.
@Suite(
  .serialized, .onOwnThread, .timeLimit(.minutes(3)),
  .enabled(if: FlatpakApp.isPossible, "no flatpak here, or it may not make namespaces"))
struct FlatpakTests {
  private static let hasPortal = RealPortal.missing.isEmpty

  @Test func `A Flatpak app notifies only as itself`() throws {
    let session = try Session()
    let app = try FlatpakApp("org.example.Tea", talkingTo: ["dev.suzu.Center"], in: session)
    func ask(_ member: String, _ arguments: String...) throws -> (status: Int32, output: String, errors: String) {
      try app.call("dev.suzu.Center", "/dev/suzu/Center", "dev.suzu.Center1." + member, arguments)
    }
    let popups = try session.start("popups")
    #expect(try session.suzu("apps", "allow", app.id).status == 0)
    let taken = try ask("Notify", "{'title': <'from the box'>, 'id': <'i'>}")
    #expect(taken.status == 0 && taken.output == "('i',)\n", "\(taken.errors)")
    #expect(popups.readLines(until: "from")?.first == "#1 from the box")
    #expect(try session.suzu("history", "--json").output.contains("\"app\":\"org.example.Tea\""))
    for (member, argument) in [
      ("Notify", "{'title': <'x'>, 'app': <'dev.suzu.Suzu'>}"), ("Notify", "{'title': <'x'>, 'app': <'org.example'>}"),
      ("Notify", "{'title': <'x'>, 'actions': <[{'id': <'a'>, 'run': <['true']>}]>}"), ("Watch", "true"),
    ] {
      let refused = try ask(member, argument)
      #expect(refused.status != 0 && refused.errors.contains("dev.suzu.Error.AccessDenied"), "\(refused)")
    }
  }

  @Test func `A Flatpak app without the permission to talk to the center does not reach it`() throws {
    let session = try Session()
    let app = try FlatpakApp("org.example.Tea", in: session)
    let refused = try app.call(
      "dev.suzu.Center", "/dev/suzu/Center", "dev.suzu.Center1.Notify", ["{'title': <'x'>}"])
    #expect(refused.status != 0 && refused.errors.contains("org.freedesktop.DBus.Error.ServiceUnknown"), "\(refused)")
    #expect(try session.process(of: "dev.suzu.Center") == nil)
  }

  // The portal's own notifications go to the server beside those of the center.
  @Test(.enabled(if: hasPortal, "no xdg-desktop-portal with its GTK part here"))
  func `The portal's notification of a Flatpak app is shown by the server in the terminal`() throws {
    let folder = try TemporaryFolder()
    let (screen, variables) = try RealPortal.prepare(folder)
    defer { screen.kill() }
    let session = try Session(services: RealPortal.commands, variables: variables, in: folder)
    let app = try FlatpakApp("org.example.Tea", in: session)
    let popups = try session.start("popups")
    #expect(try session.awaitOwner(of: "org.freedesktop.Notifications"))
    func ask(_ member: String, _ arguments: String...) throws -> (status: Int32, output: String, errors: String) {
      try app.call("org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop", member, arguments)
    }
    let notification = "org.freedesktop.portal.Notification"
    let button = "'label': <'Pour'>, 'action': <'app.pour'>"
    let added = try ask(
      notification + ".AddNotification", "one",
      "{'title': <'Tea'>, 'body': <'It is ready'>, 'buttons': <[{\(button)}]>}")
    #expect(added.status == 0, "\(added.errors)")
    func shown() -> [String]? { popups.readLines(until: "Pour")?.map { $0.trimmingCharacters(in: .whitespaces) } }
    #expect(shown() == ["#1 Tea", "It is ready", "[1] Pour"])
    // Keys of the portal's second version: 1.16 refuses them; 1.20 has that version, but its GTK part does not, for
    // which the portal drops them.
    let newer = try ask(
      notification + ".AddNotification", "two",
      "{'title': <'Milk'>, 'body': <'Plain'>, 'buttons': <[{\(button), 'purpose': <'im.reply-with-text'>}]>, "
        + "'category': <'im.received'>, 'display-hint': <['transient']>, 'markup-body': <'<b>Bold</b>'>}")
    if newer.status == 0 {
      #expect(shown()?.suffix(3) == ["#2 Milk", "Plain", "[1] Pour"])
    } else {
      #expect(newer.errors.contains("Error.InvalidArgument"), "\(newer.errors)")
    }
  }
}
