// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// Plasma draws all buttons and a reply field, sends a token before a click, and reports a clicked notification as
/// closed by a call.
struct Plasma: AccessibleServer {
  let name = "plasma"
  let package = "plasma-workspace"
  let application = "plasmashell"
  /// Indexes the installed applications; its name and the session's have the number of KDE's generation.
  private let indexer = RunningProgram.path(of: "kbuildsycoca6") == nil ? "kbuildsycoca5" : "kbuildsycoca6"
  var programs: [String] { ["plasmashell", indexer, "Xvfb", "openbox", "xdotool", "import"] }
  let services = ["org.kde.ActivityManager", "org.kde.kglobalaccel"]

  /// 5.27 and 6.3 do; from 6.4 on, only of notifications without actions.
  private var tellsOfExpiry: Bool {
    ["4:5.", "4:6.0.", "4:6.1.", "4:6.2.", "4:6.3."].contains(where: version.hasPrefix)
  }

  /// The buttons of a popup whose sender has left the bus; nil if it is gone.
  func buttonsWithoutSender(of buttons: [String]) -> [String]? {
    if tellsOfExpiry { return buttons }
    return ["4:6.4.", "4:6.5.", "4:6.6."].contains(where: version.hasPrefix) ? nil : []
  }

  var expected: Expectations {
    Expectations(
      banner: ["Join", "Late"], alert: ["Join", "Late", "Notes", "Move", "More…"],
      expiry: tellsOfExpiry
        ? .there
        : .noted(
          "Plasma keeps expired notifications with actions in its list without reporting that: Suzu closes them"),
      critical: .noted("Plasma never lets critical notifications expire: Suzu closes them"), drawsReply: true,
      history: tellsOfExpiry
        ? .absent("Plasma's list shows expired notifications without buttons, and does not report clicks on them")
        : .there)
  }

  var ownChecks: [Check] { tellsOfExpiry ? [] : [.historyUntold] }

  var environment: [String: String] { ["QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1", "QT_QUICK_BACKEND": "software"] }

  func makeScreen(in folder: TemporaryFolder) throws -> any Screen { try SessionScreen(in: folder) }

  func start(on desktop: Desktop) throws -> RunningProgram {
    // The session's programs must not see KDE: xdg-open would use KDE's own browser.
    let own = [
      "XDG_CURRENT_DESKTOP": "KDE", "KDE_FULL_SESSION": "true", "KDE_SESSION_VERSION": String(indexer.suffix(1)),
      "LIBGL_ALWAYS_SOFTWARE": "1",
    ]
    let environment = desktop.session.environment.merging(own) { $1 }
    // Plasma keeps only what comes from an installed app.
    let entry = try String(
      contentsOf: Session.checkout.appending(path: "Assets/dev.suzu.Suzu.desktop"), encoding: .utf8)
    try desktop.session.folder.write(
      entry.replacingOccurrences(of: "Exec=suzu", with: "Exec=\(Session.programs)/suzu"),
      to: "home/.local/share/applications/dev.suzu.Suzu.desktop")
    let read = try RunningProgram.run(indexer, environment: environment, within: 60)
    try demand(read.status == 0, "\(indexer): \(read.errors)")
    return try RunningProgram("plasmashell", ["--no-respawn"], environment: environment)
  }

  /// The windows that contain a notification.
  func popups(on desktop: Desktop) throws -> [Popup] {
    let tree = try desktop.accessibility.get().tree()
    return tree.children.filter { $0.name == application }.flatMap { $0.all("frame") }.filter(\.showing)
      .compactMap(popup)
  }

  func popup(_ node: Accessibility.Node) -> Popup? {
    guard let box = node.box, let text = node.all("notification").first(where: \.showing) else { return nil }
    let all = node.all("push button").filter { $0.showing && $0.box != nil && !$0.name.isEmpty }
    let buttons = all.map { Popup.Button(label: $0.name, box: $0.box, node: $0.number) }
    // The head contains Plasma's own buttons.
    let head = text.box?.y ?? box.y
    let cross = buttons.first { $0.label == "Close" }
    let drawn = buttons.filter { ($0.box?.y ?? 0) > head && $0.node != cross?.node }
      .sorted { Self.place($0) < Self.place($1) }
    return Popup(
      title: text.name, body: text.all("text").first?.text.map(trimmed), box: box, buttons: drawn,
      cross: cross)
  }

  /// Removes the blank that Plasma adds to each text.
  private func trimmed(_ text: String) -> String { text.hasSuffix(" ") ? String(text.dropLast()) : text }

  /// Order by row: buttons that do not fit go to the next row.
  private static func place(_ button: Popup.Button) -> (Int, Int) { (button.box?.y ?? 0, button.box?.x ?? 0) }

  func open(_ popup: Popup, on desktop: Desktop) throws {
    guard let box = popup.box else { throw TestFailure("'\(popup.title)' is nowhere on the screen") }
    // Below its head.
    try desktop.screen.click(box.x + 16, box.y + 44, button: 1)
  }

  /// A click on a popup that is still moving may miss. A pointer that is there already does not move for the next
  /// click, and Plasma may not know what is under it: so it comes from outside each time.
  func dismiss(_ popup: Popup, on desktop: Desktop) throws {
    try desktop.wait(for: "end of '\(popup.title)'") {
      guard let there = try popups(on: desktop).first(where: { $0.title == popup.title }) else { return () }
      if let cross = there.cross {
        if let box = there.box { try (desktop.screen as? SessionScreen)?.point(max(0, box.x - 60), max(0, box.y - 60)) }
        try press(cross, of: there, on: desktop)
      }
      return nil
    }
  }

  /// If a reply is the only action, the field is visible at once instead of a button.
  func reply(_ text: String, to popup: Popup, on desktop: Desktop) throws {
    let box = try desktop.wait(for: "line to type in") { try line(on: desktop)?.box }
    try desktop.screen.click(box.center.x, box.center.y, button: 1)
    try desktop.wait(for: "line that takes what is typed") { try line(on: desktop)?.focused == true ? () : nil }
    try desktop.wait(for: "'\(text)' in the line") {
      if try line(on: desktop)?.text == text { return () }
      // A character without a key is mapped to one for a moment, and may be gone before it is looked up.
      try desktop.run("xdotool", "key", "ctrl+a")
      try desktop.run("xdotool", "type", "--delay", "50", text)
      return nil
    }
    try desktop.run("xdotool", "key", "Return")
  }

  /// The list hangs from a symbol in the panel, which is hidden while there is nothing unread. It shows the default
  /// action as a button.
  func openFromHistory(_ title: String, on desktop: Desktop) throws {
    if try button("Notifications", on: desktop) == nil {
      let arrow = try desktop.wait(for: "hidden symbols") { try button("Show hidden icons", on: desktop) }
      try desktop.accessibility.get().press(arrow.number)
    }
    let bell = try desktop.wait(for: "symbol of the list") { try button("Notifications", on: desktop) }
    try desktop.accessibility.get().press(bell.number)
    let view = try desktop.wait(for: "'\(title)' in the list") {
      try showing(on: desktop).first { node in
        node.role == "list item" && node.all.contains { $0.role == "heading" && $0.name == title }
      }?.all("push button").first { $0.showing && $0.name == "View" }
    }
    try desktop.accessibility.get().press(view.number)
  }

  private func button(_ name: String, on desktop: Desktop) throws -> Accessibility.Node? {
    try showing(on: desktop).first { $0.role == "push button" && $0.name.hasPrefix(name) }
  }

  private func showing(on desktop: Desktop) throws -> [Accessibility.Node] {
    let tree = try desktop.accessibility.get().tree()
    return tree.children.filter { $0.name == application }.flatMap { $0.all }.filter(\.showing)
  }

  private func line(on desktop: Desktop) throws -> Accessibility.Node? {
    let tree = try desktop.accessibility.get().tree()
    let frames = tree.children.filter { $0.name == application }.flatMap { $0.all("frame") }.filter(\.showing)
    let popup = frames.first { $0.all("notification").contains(where: \.showing) }
    // The first one is the text of the notification. Plasma 6 has the line in a pane.
    return popup?.children.last { $0.role == "text" && $0.box != nil }
      ?? popup?.all("layered pane").flatMap { $0.all("text") }.last { $0.box != nil }
  }
}
