// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// GNOME Shell shows one banner at a time with three buttons, moves it to its list after a few seconds, and keeps three
/// per app.
struct Gnome: Server {
  let name = "gnome-shell"
  let package = "gnome-shell"
  let programs = ["gnome-shell", "gjs", "busctl", "convert", "setpriv"]
  // The owner of the bus name is not the shell, but a program that calls the shell.
  let services = ["org.gnome.Shell.Notifications"]

  var expected: Expectations {
    Expectations(
      banner: ["Join", "Late"], alert: ["Join", "Late", "More…"],
      expiry: .noted("GNOME Shell keeps expired notifications in its list without reporting that: Suzu closes them"),
      staying: .noted("GNOME Shell moves alerts to its list, too, unless they are critical"),
      critical: .noted(
        "GNOME Shell keeps a critical notification on the screen, and delays later ones: Suzu closes it"),
      history: .there)
  }

  var ownChecks: [Check] { [.stayingInList, .strayingBriefly, .historyUntold] }

  func makeScreen(in folder: TemporaryFolder) throws -> any Screen { try ShellScreen(in: folder) }

  func start(on desktop: Desktop) throws -> RunningProgram { try shell(desktop).start(in: desktop.session) }

  private func shell(_ desktop: Desktop) throws -> ShellScreen {
    guard let screen = desktop.screen as? ShellScreen else { throw TestFailure("this is not GNOME's screen") }
    return screen
  }

  /// An actor as the script below describes it.
  private struct Actor: Decodable {
    var label: String?
    var place: [Double?]

    var box: Box? {
      let numbers = place.compactMap { $0.map { Int($0) } }
      guard numbers.count == 4, numbers[2] > 0, numbers[3] > 0 else { return nil }
      return Box(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
  }

  private static let describe = """
    const tell = actor => ({
      label: actor.label ?? null,
      place: [...actor.get_transformed_position(), ...actor.get_transformed_size()],
    });
    """

  private struct Banner: Decodable {
    var title: String
    var body: String?
    var isOpen: Bool
    var banner: Actor
    var buttons: [Actor]
    var cross: Actor
  }

  /// The banner on the screen, if any.
  private func banner(on desktop: Desktop) throws -> Banner? {
    // State 2 is shown, 3 is hiding. Buttons unfold under the pointer. Without pointer motion nothing expires, because
    // the shell assumes that the user is away.
    let text = try shell(desktop).evaluate(
      """
      (() => {
        \(Self.describe)
        const tray = Main.messageTray, banner = tray._banner;
        global.step = -(global.step ?? 1);
        global.finger.notify_relative_motion(0, global.step, 0);
        if (!banner?.notification || tray._notificationState < 2) return [];
        const isOpen = banner.expanded && banner._actionBin.scale_y === 1;
        return [{
          title: banner.notification.title, body: (banner.bodyLabel ?? banner._bodyLabel)?.clutter_text.text ?? null, isOpen, banner: tell(banner),
          // It moved into a header in GNOME 46.
          cross: tell(banner._closeButton ?? banner._header.closeButton),
          buttons: (banner._buttonBox?.get_children() ?? []).map(tell),
        }];
      })()
      """)
    return try JSONDecoder().decode([Banner].self, from: Data(text.utf8)).first
  }

  func popups(on desktop: Desktop) throws -> [Popup] {
    // A new banner has no place until it is drawn.
    guard let banner = try banner(on: desktop), banner.banner.box != nil else { return [] }
    let buttons = banner.buttons.map { Popup.Button(label: $0.label ?? "", box: banner.isOpen ? $0.box : nil) }
    let cross = Popup.Button(label: "", box: banner.isOpen ? banner.cross.box : nil)
    return [Popup(title: banner.title, body: banner.body, box: banner.banner.box, buttons: buttons, cross: cross)]
  }

  /// Moves the pointer onto the banner and returns it unfolded.
  private func unrolled(_ popup: Popup, on desktop: Desktop) throws -> Popup {
    guard let box = popup.box else { throw TestFailure("'\(popup.title)' is nowhere on the screen") }
    try shell(desktop).point(box.center.x, box.y + 30)
    return try desktop.wait(for: "unrolled '\(popup.title)'") {
      try popups(on: desktop).first { found in
        found.title == popup.title && found.cross?.box != nil && found.buttons.allSatisfy { $0.box != nil }
      }
    }
  }

  func press(_ button: Popup.Button, of popup: Popup, on desktop: Desktop) throws {
    let popup = try unrolled(popup, on: desktop)
    guard let box = popup.buttons.first(where: { $0.label == button.label })?.box else {
      throw TestFailure("'\(button.label)' is not there")
    }
    try desktop.screen.click(box.center.x, box.center.y, button: 1)
  }

  func open(_ popup: Popup, on desktop: Desktop) throws {
    guard let box = popup.box else { throw TestFailure("'\(popup.title)' is nowhere on the screen") }
    try desktop.screen.click(box.center.x, box.y + 30, button: 1)
  }

  func dismiss(_ popup: Popup, on desktop: Desktop) throws {
    guard let box = try unrolled(popup, on: desktop).cross?.box else { throw TestFailure("there is no cross") }
    try desktop.screen.click(box.center.x, box.center.y, button: 1)
  }

  func openFromHistory(_ title: String, on desktop: Desktop) throws {
    let shell = try shell(desktop)
    try shell.evaluate("Main.panel.statusArea.dateMenu.menu.open(false);")
    _ = try desktop.wait(for: "'\(title)' in the list") { try kept(on: desktop)[title] }
    // GNOME 48 stacks those of an app, and a click on a stack only spreads it.
    try shell.evaluate(
      """
      const view = Main.panel.statusArea.dateMenu._messageList._messageView;
      const group = view?.messages.find(group =>
        [...(group._notificationToMessage?.keys() ?? [])].some(it => it.title === \(Self.quoted(title))));
      if (group?._notificationToMessage.size > 1 && !group.expanded) group.emit('expand-toggle-requested');
      """)
    var last: Box?
    let box = try desktop.wait(for: "'\(title)' at rest") { () -> Box? in
      let found = try kept(on: desktop)[title]
      defer { last = found }
      return found == last ? found : nil
    }
    try shell.click(box.center.x, box.center.y, button: 1)
  }

  /// A text as a script has it.
  private static func quoted(_ text: String) -> String {
    (try? String(decoding: JSONEncoder().encode(text), as: UTF8.self)) ?? "null"
  }

  /// The notifications in the list below the clock.
  func kept(on desktop: Desktop) throws -> [String: Box] {
    let text = try shell(desktop).evaluate(
      """
      (() => {
        \(Self.describe)
        const list = Main.panel.statusArea.dateMenu._messageList;
        // GNOME 48 groups them by app.
        const messages = list._notificationSection?._messages ??
          list._messageView.messages.flatMap(group => [...(group._notificationToMessage?.values() ?? [])]);
        return messages.map(message => ({ ...tell(message), label: message.notification.title }));
      })()
      """)
    let messages = try JSONDecoder().decode([Actor].self, from: Data(text.utf8))
    return messages.reduce(into: [:]) { kept, message in kept[message.label ?? ""] = message.box }
  }

  /// The titles of the shell's notifications, by the name of the app that it took them for.
  func sources(on desktop: Desktop) throws -> [String: Set<String>] {
    struct Source: Decodable {
      var title: String
      var notifications: Set<String>
    }
    let text = try shell(desktop).evaluate(
      """
      Main.messageTray.getSources().map(source =>
        ({ title: source.title, notifications: source.notifications.map(it => it.title) }))
      """)
    return try JSONDecoder().decode([Source].self, from: Data(text.utf8))
      .reduce(into: [:]) { $0[$1.title] = $1.notifications }
  }

  /// Takes a picture of the list below the clock.
  func photographList(to file: String, on desktop: Desktop) throws {
    try shell(desktop).evaluate("Main.panel.statusArea.dateMenu.menu.open(false);")
    var last: [String: Box]?
    try desktop.wait(for: "list at rest") {
      let now = try kept(on: desktop)
      defer { last = now }
      return !now.isEmpty && now == last ? () : nil
    }
    let text = try shell(desktop).evaluate(
      "(() => { \(Self.describe) return tell(Main.panel.statusArea.dateMenu._messageList); })()")
    guard let box = try JSONDecoder().decode(Actor.self, from: Data(text.utf8)).box else {
      throw TestFailure("the list is nowhere on the screen")
    }
    try desktop.screen.photograph(box, to: file)
  }

  func photograph(_ popups: [Popup], to file: String, on desktop: Desktop) throws {
    guard let popup = popups.first, let box = try unrolled(popup, on: desktop).box else { return }
    try desktop.screen.photograph(box, to: file)
  }
}
