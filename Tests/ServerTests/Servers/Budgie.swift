// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// Budgie closes every popup after six to twelve seconds, shows three at a time, and hides the text unless the user has
/// asked for it. Until 10.9 it draws on X, later on Wayland.
struct Budgie: AccessibleServer {
  let name = "budgie"
  let package = "budgie-core"
  let application = "budgie-daemon"
  let popupRole = "window"
  var programs: [String] {
    ["budgie-daemon"]
      + (isOnWayland ? SwayScreen.programs : ["Xvfb", "openbox", "xdotool"])
  }

  private var isOnWayland: Bool { !["10.7.", "10.8.", "10.9."].contains(where: version.hasPrefix) }

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

  func makeScreen(in folder: TemporaryFolder) throws -> any Screen {
    isOnWayland ? try SwayScreen(in: folder) : try XScreen(in: folder)
  }

  func start(on desktop: Desktop) throws -> RunningProgram {
    try desktop.session.folder.write(
      "[org/gnome/desktop/notifications/application/dev-suzu-suzu]\nforce-expanded=true\n",
      to: "home/.config/glib-2.0/settings/keyfile")
    return try RunningProgram("budgie-daemon", environment: desktop.session.environment)
  }

  func popups(on desktop: Desktop) throws -> [Popup] {
    let tree = try desktop.accessibility.get().tree()
    let found = tree.children.filter { $0.name == application }.flatMap { $0.all(popupRole) }.compactMap(popup)
    return isOnWayland ? try placed(found, on: desktop) : found
  }

  private static let ground: UInt32 = 0x161616, width = 400

  /// Positions on Wayland are relative to the popup's window. The windows are on the right of the screen, each below
  /// the one before; in a column beside the icons, a popup has the colour of its ground. Without a position if it
  /// fades.
  private func placed(_ popups: [Popup], on desktop: Desktop) throws -> [Popup] {
    guard let screen = desktop.screen as? SwayScreen, !popups.isEmpty else { return popups }
    let left = SwayScreen.width - Self.width
    let drawn = try screen.pixels().stretches(inColumn: left + 20, of: [Self.ground]).filter { $0.count > 30 }
    guard drawn.count == popups.count else { return popups.map { $0.moved(by: nil) } }
    return zip(popups, drawn).map { popup, stretch in popup.moved(by: (left, stretch.lowerBound - 2)) }
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

  /// A popup that fades in has no place yet.
  func photograph(_ popups: [Popup], to file: String, on desktop: Desktop) throws {
    let boxes = try popups.compactMap { try desktop.atRest($0.title) { try self.popups(on: desktop) }.box }
    guard let first = boxes.first else { throw TestFailure("nothing to take a picture of") }
    try desktop.screen.photograph(boxes.dropFirst().reduce(first) { $0.union($1) }, to: file)
  }

  /// The pointer leaves after the click, because a popup that appears under it would stay.
  private func click(_ x: Int, _ y: Int, _ desktop: Desktop) throws {
    try desktop.screen.click(x, y, button: 1)
    try (desktop.screen as? XScreen)?.point(0, 500)
  }
}
