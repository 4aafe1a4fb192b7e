// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// Cinnamon shows one banner at a time with all buttons, moves it to its applet after four seconds, and keeps ten
/// notifications per app. It gives no reason if one is dismissed.
struct Cinnamon: Server {
  let name = "cinnamon"
  let package = "cinnamon"
  let programs = ["cinnamon", "Xvfb", "xdotool", "busctl"]

  var expected: Expectations {
    Expectations(
      banner: ["Join", "Late"], alert: ["Join", "Late", "Notes", "Move", "More…"], closesOnClick: false,
      // It draws late on a busy machine, and Suzu does not wait for that.
      expires: "3s",
      expiry: .noted("Cinnamon keeps expired notifications in its applet without reporting that: Suzu closes them"),
      staying: .noted("Cinnamon moves alerts to its applet, too"),
      critical: .noted(
        "Cinnamon shows a critical notification for ten seconds, and delays later ones: Suzu closes it"),
      history: .there)
  }

  // It reads its settings from dconf, which does not run here.
  let environment = ["GSETTINGS_BACKEND": "memory", "LIBGL_ALWAYS_SOFTWARE": "1"]

  var ownChecks: [Check] { [.stayingInList, .historyUntold] }

  func makeScreen(in folder: TemporaryFolder) throws -> any Screen {
    try SessionScreen(in: folder, managedBy: nil)
  }

  func start(on desktop: Desktop) throws -> RunningProgram {
    // Only Cinnamon itself must see its desktop: xdg-open would use GNOME's own browser.
    let environment = desktop.session.environment.merging(["XDG_CURRENT_DESKTOP": "X-Cinnamon"]) { $1 }
    return try RunningProgram("cinnamon", environment: environment)
  }

  // MARK: Reading

  /// An actor as the script below describes it.
  private struct Actor: Decodable {
    var label: String?
    var place: [Double]

    var box: Box? {
      guard place.count == 4, place[2] > 0, place[3] > 0 else { return nil }
      return Box(x: Int(place[0]), y: Int(place[1]), width: Int(place[2]), height: Int(place[3]))
    }
  }

  private struct Banner: Decodable {
    var title: String
    var body: String?
    var banner: Actor
    var buttons: [Actor]
    var cross: Actor
  }

  /// The close button is the last button of the table.
  private static let describe = """
    const tell = actor => ({
      label: actor.label ?? null,
      place: [...actor.get_transformed_position(), ...actor.get_transformed_size()],
    });
    const describe = it => ({
      title: it._titleLabel.clutter_text.text, body: it._bodyUrlHighlighter?.actor.clutter_text.text ?? null,
      banner: tell(it.actor), buttons: (it._actionArea?.get_children() ?? []).map(tell),
      cross: tell(it._table.get_children().filter(child => child instanceof imports.gi.St.Button).pop()),
    });
    """

  func popups(on desktop: Desktop) throws -> [Popup] {
    // State 2 is shown, 1 and 3 are moving. One that has just been closed has no texts any more.
    try items(
      """
      const tray = Main.messageTray;
      const it = tray._notification;
      return it && !it._destroyed && tray._notificationState === 2 ? [describe(it)] : [];
      """, on: desktop)
  }

  private func items(_ script: String, on desktop: Desktop) throws -> [Popup] {
    let text = try evaluate("(() => { \(Self.describe) \(script) })()", on: desktop)
    return try JSONDecoder().decode([Banner].self, from: Data(text.utf8)).map { banner in
      Popup(
        title: banner.title, body: banner.body, box: banner.banner.box,
        buttons: banner.buttons.map { Popup.Button(label: $0.label ?? "", box: $0.box) },
        cross: Popup.Button(label: "", box: banner.cross.box))
    }
  }

  /// Runs a script in Cinnamon. Returns its value as JSON.
  private func evaluate(_ script: String, on desktop: Desktop) throws -> String {
    struct Answer: Decodable {
      var isDone: Bool
      var value: String

      init(from decoder: any Decoder) throws {
        var values = try decoder.container(keyedBy: CodingKeys.self).nestedUnkeyedContainer(forKey: .data)
        isDone = try values.decode(Bool.self)
        value = try values.decode(String.self)
      }

      private enum CodingKeys: CodingKey { case data }
    }
    let text = try desktop.run(
      "busctl", "--address", desktop.session.bus.address, "--timeout=5", "--json=short", "call", "org.Cinnamon",
      "/org/Cinnamon", "org.Cinnamon", "Eval", "s", script)
    let answer = try JSONDecoder().decode(Answer.self, from: Data(text.utf8))
    try demand(answer.isDone, "cinnamon: \(answer.value)")
    return answer.value
  }

  // MARK: Pointing

  func press(_ button: Popup.Button, of popup: Popup, on desktop: Desktop) throws {
    guard let box = button.box else { throw TestFailure("'\(button.label)' is nowhere on the screen") }
    try click(box.center.x, box.center.y, desktop)
  }

  func open(_ popup: Popup, on desktop: Desktop) throws {
    guard let box = popup.box else { throw TestFailure("'\(popup.title)' is nowhere on the screen") }
    // On the icon.
    try click(box.x + 20, box.y + 20, desktop)
  }

  func dismiss(_ popup: Popup, on desktop: Desktop) throws {
    guard let cross = popup.cross else { throw TestFailure("there is no cross") }
    try press(cross, of: popup, on: desktop)
  }

  /// A click counts only if Cinnamon has seen the pointer on the button before it is pressed, and held down before it
  /// is let go, as with every hand.
  private func click(_ x: Int, _ y: Int, _ desktop: Desktop) throws {
    guard let screen = desktop.screen as? SessionScreen else { throw TestFailure("this is not Cinnamon's screen") }
    // Like a hand, the pointer never rests: Cinnamon does not see one that was there before the button.
    var step = 0
    try desktop.wait(for: "button under the pointer") {
      step = 1 - step
      try screen.point(x + step, y)
      return try hasButton(that: "hover", desktop) ? () : nil
    }
    try screen.hold()
    try desktop.wait(for: "pressed button") { try hasButton(that: "pressed", desktop) ? () : nil }
    try screen.letGo()
  }

  /// Whether a property of one of the buttons is true; a notification is a button as well.
  private func hasButton(that property: String, _ desktop: Desktop) throws -> Bool {
    let script = """
      (() => {
        const all = [Main.messageTray._notification, ...\(Self.applet).notifications];
        const within = actor => !actor ? [] : [actor, ...actor.get_children().flatMap(within)];
        return all.flatMap(it => within(it?.actor)).some(it => it instanceof imports.gi.St.Button && it.\(property));
      })()
      """
    return try evaluate(script, on: desktop) == "true"
  }

  private static let applet = "imports.ui.appletManager.getRunningInstancesForUuid('notifications@cinnamon.org')[0]"

  func openFromHistory(_ title: String, on desktop: Desktop) throws {
    try desktop.wait(for: "'\(title)' in the applet") {
      try kept(on: desktop).contains { $0.title == title } ? () : nil
    }
    _ = try evaluate("\(Self.applet)._openMenu()", on: desktop)
    // The menu slides in.
    try open(try desktop.atRest(title) { try kept(on: desktop) }, on: desktop)
  }

  /// Turns on *Do not disturb*.
  func beQuiet(on desktop: Desktop) throws {
    let settings = "new imports.gi.Gio.Settings({ schema_id: 'org.cinnamon.desktop.notifications' })"
    let set = try evaluate("\(settings).set_boolean('display-notifications', false)", on: desktop)
    try demand(set == "true", "cinnamon: \(set)")
  }

  /// Whether it dismisses what comes while *Do not disturb* is on, as Cinnamon 6.6 and later do.
  var dismissesWhenQuiet: Bool { !["5.", "6.0.", "6.2.", "6.4."].contains(where: version.hasPrefix) }

  /// What is in the applet.
  func kept(on desktop: Desktop) throws -> [Popup] {
    try items("return \(Self.applet).notifications.map(describe);", on: desktop)
  }
}
