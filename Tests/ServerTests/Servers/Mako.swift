// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// mako draws no buttons and no hint of them; a click invokes the default action. Notifications without a time stay.
struct Mako: Server {
  let name = "mako"
  let package = "mako-notifier"
  let programs = ["mako", "makoctl", "busctl"] + SwayScreen.programs

  var expected: Expectations {
    Expectations(
      banner: [], alert: [], bannerMenu: ["Choose…", "Join", "Late"],
      alertMenu: ["Choose…", "Join", "Late", "Notes", "Move"],
      drawing: .noted("mako draws no buttons: a click opens the actions in a menu program that the user has set up"),
      straying: .absent("A click on it opens Suzu's list of the actions"),
      openingAsks: true,
      staying: .noted("mako keeps every notification without an expiry time on the screen, banners too"),
      history: .there)
  }

  var ownChecks: [Check] { [.stayingAmongOthers] }

  func makeScreen(in folder: TemporaryFolder) throws -> any Screen { try SwayScreen(in: folder) }

  func start(on desktop: Desktop) throws -> RunningProgram {
    try RunningProgram("mako", environment: desktop.session.environment)
  }

  private struct List: Decodable {
    struct Value<T: Decodable>: Decodable { var data: T }
    struct Entry: Decodable {
      var id: Value<UInt32>
      var summary: Value<String>
      var body: Value<String>
    }
    var data: [[Entry]]
  }

  /// The number shown at once; a line below them counts the others.
  private static let most = 5

  func popups(on desktop: Desktop) throws -> [Popup] {
    // The list and the screen may differ for a moment.
    let end = ContinuousClock.now + .seconds(10)
    while ContinuousClock.now < end {
      let entries = try entries(on: desktop)
      let boxes = try self.boxes(on: desktop)
      if boxes.count == min(entries.count, Self.most + 1) {
        return zip(entries.prefix(Self.most), boxes).map { entry, box in
          Popup(title: entry.summary.data, body: unescaped(entry.body.data), box: box)
        }
      }
    }
    throw TestFailure("mako did not draw its list within 10 seconds")
  }

  /// The newest comes first, in the list and on the screen.
  private func entries(on desktop: Desktop) throws -> [List.Entry] {
    // `makoctl list` prints JSON in mako 1.7, and other text in 1.10.
    let list = try desktop.run(
      "busctl", "--address", desktop.session.bus.address, "--json=short", "call", "org.freedesktop.Notifications",
      "/fr/emersion/Mako", "fr.emersion.Mako", "ListNotifications")
    return try JSONDecoder().decode(List.self, from: Data(list.utf8)).data.flatMap { $0 }
  }

  private static let border: UInt32 = 0x4c7899, ground: UInt32 = 0x285577

  /// In the upper right corner, one below the other; the right margin has no text.
  private func boxes(on desktop: Desktop) throws -> [Box] {
    guard let screen = desktop.screen as? SwayScreen else { return [] }
    let pixels = try screen.pixels()
    return pixels.stretches(inColumn: pixels.width - 14, of: [Self.border, Self.ground]).map {
      Box(x: pixels.width - 310, y: $0.lowerBound, width: 300, height: $0.count)
    }
  }

  func press(_ button: Popup.Button, of popup: Popup, on desktop: Desktop) throws {
    throw TestFailure("mako draws no buttons")
  }

  func open(_ popup: Popup, on desktop: Desktop) throws { try click(popup, button: 1, desktop) }

  func dismiss(_ popup: Popup, on desktop: Desktop) throws { try click(popup, button: 3, desktop) }

  private func click(_ popup: Popup, button: Int, _ desktop: Desktop) throws {
    guard let box = popup.box else { throw TestFailure("'\(popup.title)' is nowhere on the screen") }
    try desktop.screen.click(box.center.x, box.center.y, button: button)
  }

  func menu(of popup: Popup, on desktop: Desktop) throws -> [String] {
    guard let entry = try entries(on: desktop).first(where: { $0.summary.data == popup.title }) else { return [] }
    let file = desktop.session.folder.path("menu")
    // A program without arguments: makoctl 1.10 takes all options for its own.
    let program = try desktop.session.folder.write("#!/bin/sh\ncat >'\(file)'\n", to: "print", executable: true)
    // Its exit status says that nothing was chosen.
    _ = try desktop.session.run("makoctl", "menu", "-n", "\(entry.id.data)", program)
    return (desktop.session.folder.read("menu") ?? "").split(separator: "\n").map(String.init)
  }

  func openFromHistory(_ title: String, on desktop: Desktop) throws {
    try desktop.run("makoctl", "restore")
    try open(try desktop.popup(title), on: desktop)
  }
}
