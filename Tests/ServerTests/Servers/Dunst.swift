// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// dunst draws no buttons: a middle click invokes the default action, and a separate menu program shows the others. Its
/// numbers begin at 2. It draws on X, and on Wayland where the compositor has layers.
struct Dunst: Server {
  var isOnWayland = false
  var name: String { isOnWayland ? "dunst-wayland" : "dunst" }
  let package = "dunst"
  var programs: [String] {
    ["dunst", "dunstctl"]
      + (isOnWayland ? SwayScreen.programs : ["Xvfb", "openbox", "xdotool"])
  }

  var expected: Expectations {
    Expectations(
      banner: [], alert: [], bannerMenu: ["Choose…", "Join", "Late"],
      alertMenu: ["Choose…", "Join", "Late", "Notes", "Move"],
      drawing: .noted("dunst draws no buttons: a click opens the actions in a menu program that the user has set up"),
      straying: .absent("A click on it opens Suzu's list of the actions"),
      openingAsks: true,
      crowd: isOnWayland && version.hasPrefix("1.9.0")
        ? .absent("dunst 1.9.0 crashes on Wayland when one expires while another comes (dunst#1147)") : .there,
      history: .absent(
        "dunst shows past notifications again (`dunstctl history-pop`), but their actions do nothing"))
  }

  func makeScreen(in folder: TemporaryFolder) throws -> any Screen {
    isOnWayland ? try SwayScreen(in: folder) : try XScreen(in: folder)
  }

  func start(on desktop: Desktop) throws -> RunningProgram {
    let folder = desktop.session.folder
    // The package's configuration plus a script: dunst has no other way to report what it draws.
    let usual = try String(contentsOfFile: "/etc/xdg/dunst/dunstrc", encoding: .utf8)
    try folder.write(usual, to: "home/.config/dunst/dunstrc")
    let script = try folder.write(
      "#!/bin/sh\nprintf '%s|%s\\n' \"$2\" \"$3\" >>'\(folder.path("drawn"))'\n", to: "drawing", executable: true)
    let menu = try folder.write("#!/bin/sh\ncat >'\(folder.path("menu"))'\n", to: "dmenu", executable: true)
    try folder.write(
      "[global]\ndmenu = \(menu)\n[witness]\nsummary = \"*\"\nscript = \(script)\n",
      to: "home/.config/dunst/dunstrc.d/witness.conf")
    return try RunningProgram("dunst", environment: desktop.session.environment)
  }

  func popups(on desktop: Desktop) throws -> [Popup] {
    guard let box = try box(on: desktop) else { return [] }
    let count = Int(try desktop.run("dunstctl", "count", "displayed").filter(\.isNumber)) ?? 0
    let left = try titles(inHistoryOn: desktop)
    // All are in one window.
    let drawn = (desktop.session.folder.read("drawn") ?? "").split(separator: "\n").map { line in
      let parts = line.split(separator: "|", maxSplits: 1).map(String.init)
      // The script receives markup.
      return Popup(title: parts[0], body: parts.dropFirst().first.map(unescaped), box: box)
    }
    return drawn.filter { !left.contains($0.title) }.suffix(count)
  }

  /// The colours of its frames and grounds in the package's configuration.
  private static let colours: Set<UInt32> = [0xaaaaaa, 0xff0000, 0x222222, 0x285577, 0x900000]

  /// The window. On Wayland nothing lists it: it is found by its colours in the upper right corner, whose right margin
  /// has no text.
  private func box(on desktop: Desktop) throws -> Box? {
    if let screen = desktop.screen as? XScreen { return try screen.windows(ofClass: "Dunst").first }
    guard let pixels = try (desktop.screen as? SwayScreen)?.pixels() else { return nil }
    return pixels.stretches(inColumn: pixels.width - 17, of: Self.colours).first.map {
      Box(x: pixels.width - 319, y: $0.lowerBound, width: 309, height: $0.count)
    }
  }

  private func titles(inHistoryOn desktop: Desktop) throws -> Set<String> {
    struct History: Decodable {
      struct Text: Decodable { var data: String }
      struct Entry: Decodable { var summary: Text }
      var data: [[Entry]]
    }
    let text = try desktop.run("dunstctl", "history")
    let history = try JSONDecoder().decode(History.self, from: Data(text.utf8))
    return Set(history.data.joined().map(\.summary.data))
  }

  func press(_ button: Popup.Button, of popup: Popup, on desktop: Desktop) throws {
    throw TestFailure("dunst draws no buttons")
  }

  func open(_ popup: Popup, on desktop: Desktop) throws { try click(popup, button: 2, desktop) }

  func dismiss(_ popup: Popup, on desktop: Desktop) throws { try click(popup, button: 1, desktop) }

  private func click(_ popup: Popup, button: Int, _ desktop: Desktop) throws {
    // The first one is on top.
    guard let box = popup.box else { throw TestFailure("dunst shows nothing") }
    try desktop.screen.click(box.x + 20, box.y + 15, button: button)
  }

  func menu(of popup: Popup, on desktop: Desktop) throws -> [String] {
    try desktop.run("dunstctl", "context")
    let lines = try desktop.wait(for: "menu") { desktop.session.folder.read("menu").flatMap { $0.isEmpty ? nil : $0 } }
    // A line looks like: #Join (Stand-up) [2,join]
    return lines.split(separator: "\n").map { String($0.dropFirst().prefix { $0 != "(" }.dropLast()) }
  }
}

/// Resolves the entities of markup without tags.
func unescaped(_ markup: String) -> String {
  let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&#39;", "'"), ("&amp;", "&")]
  return entities.reduce(markup) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
}
