// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// dunst draws no buttons: a middle click invokes the default action, and a separate menu program shows the others. Its
/// numbers begin at 2.
struct Dunst: Server {
  let name = "dunst"
  let package = "dunst"
  let programs = ["dunst", "dunstctl", "Xvfb", "openbox", "xdotool"]

  var expected: Expectations {
    Expectations(
      banner: [], alert: [], bannerMenu: ["Choose…", "Join", "Late"],
      alertMenu: ["Choose…", "Join", "Late", "Notes", "Move"],
      drawing: .noted("dunst draws no buttons: a click opens the actions in a menu program that the user has set up"),
      straying: .absent("A click on it opens Suzu's list of the actions"),
      openingAsks: true,
      history: .absent(
        "dunst shows past notifications again (`dunstctl history-pop`), but their actions do nothing"))
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
    guard let screen = desktop.screen as? XScreen, let box = try screen.windows(ofClass: "Dunst").first else {
      return []
    }
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
