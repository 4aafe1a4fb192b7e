// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// Budgie closes every popup after six to twelve seconds, shows three at a time, and hides the text unless the user has
/// asked for it. Until 10.9 it draws on X, later on Wayland.
struct Budgie: AccessibleServer {
  let name = "budgie"
  let package = "budgie-core"
  let application = "budgie-daemon"
  let popupRole = "window"
  let programs = ["budgie-daemon", "Xvfb", "openbox", "xdotool"]

  private static let brief = "Budgie closes every notification after six to twelve seconds"

  var expected: Expectations {
    Expectations(
      banner: ["Join", "Late"], alert: ["Join", "Late", "Notes", "More…"],
      text: .noted("Budgie hides the text unless 'force-expanded' is on in its settings of the app"),
      expiry: .noted(Self.brief), staying: .absent(Self.brief), critical: .noted(Self.brief),
      history: .absent("Raven lists past notifications of Budgie without actions"))
  }

  // A file, because dconf does not run here.
  let environment = ["GSETTINGS_BACKEND": "keyfile"]

  func start(on desktop: Desktop) throws -> RunningProgram {
    try desktop.session.folder.write(
      "[org/gnome/desktop/notifications/application/dev-suzu-suzu]\nforce-expanded=true\n",
      to: "home/.config/glib-2.0/settings/keyfile")
    return try RunningProgram("budgie-daemon", environment: desktop.session.environment)
  }

  /// The text comes before the title, and has no place while it is hidden. The close button has a name.
  func popup(_ node: Accessibility.Node) -> Popup? {
    let labels = node.all("label")
    guard node.showing, let title = labels.last, title.box != nil, let box = node.box else { return nil }
    let body = labels.dropLast().first { $0.box != nil && $0.name != " " }
    let buttons = node.all("push button").map { Popup.Button(label: $0.name, box: $0.box, node: $0.number) }
    return Popup(
      title: title.name, body: body?.name, box: box, buttons: buttons.filter { $0.label != "Close" },
      cross: buttons.last { $0.label == "Close" })
  }

  func press(_ button: Popup.Button, of popup: Popup, on desktop: Desktop) throws {
    // A new popup first appears in another place if an earlier one is fading.
    let popup = try desktop.atRest(popup.title) { try popups(on: desktop) }
    let buttons = popup.buttons + (popup.cross.map { [$0] } ?? [])
    guard let box = buttons.first(where: { $0.label == button.label })?.box else {
      throw TestFailure("'\(button.label)' is nowhere on the screen")
    }
    try click(box.center.x, box.center.y, desktop)
  }

  func open(_ popup: Popup, on desktop: Desktop) throws {
    guard let box = try desktop.atRest(popup.title, in: { try popups(on: desktop) }).box else {
      throw TestFailure("'\(popup.title)' is nowhere on the screen")
    }
    // On the icon.
    try click(box.x + 40, box.y + 30, desktop)
  }

  /// The pointer leaves after the click, because a popup that appears under it would stay.
  private func click(_ x: Int, _ y: Int, _ desktop: Desktop) throws {
    try desktop.screen.click(x, y, button: 1)
    try (desktop.screen as? XScreen)?.point(0, 500)
  }
}
