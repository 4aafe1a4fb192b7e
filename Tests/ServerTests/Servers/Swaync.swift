// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// SwayNotificationCenter draws all buttons in one row, keeps everything in a panel, reports closing twice, and never
/// reports expiry.
struct Swaync: Server {
  let name = "swaync"
  let package = "sway-notification-center"
  /// The user's settings; nil for those of the package.
  var settings: String?
  let programs = ["swaync", "swaync-client"] + SwayScreen.programs

  var expected: Expectations {
    Expectations(
      banner: ["Join", "Late"], alert: ["Join", "Late", "Notes", "Move", "More…"],
      text: version.hasPrefix("0.7.") ? .absent("A test cannot read the text that swaync 0.7 draws") : .there,
      expiry: .noted("swaync keeps expired notifications in its panel without reporting that: Suzu closes them"),
      staying: .noted("swaync moves alerts from the screen to its panel, like all notifications"),
      critical: .noted("swaync never lets critical notifications expire: Suzu closes them"), history: .there)
  }

  // It reads its settings from dconf, which does not run here.
  var environment: [String: String] { ["GSETTINGS_BACKEND": "memory"] }

  var ownChecks: [Check] { [.stayingInList, .historyUntold] }

  func makeScreen(in folder: TemporaryFolder) throws -> any Screen { try SwayScreen(in: folder) }

  /// Whether it has a line for replies, which is off by default.
  var hasReplyLine: Bool { !["0.7.", "0.8."].contains(where: version.hasPrefix) }

  func start(on desktop: Desktop) throws -> RunningProgram {
    // The reader takes a second to start, in which a brief popup would come and go unseen.
    _ = try desktop.accessibility.get().tree()
    if let settings { try desktop.session.folder.write(settings, to: "home/.config/swaync/config.json") }
    return try RunningProgram("swaync", environment: desktop.session.environment)
  }

  func popups(on desktop: Desktop) throws -> [Popup] {
    try items(inPanel: false, on: desktop)
  }

  /// The notifications in the panel or on the screen. Positions are relative to the window: that of the popups is in
  /// the upper right corner, that of the panel covers the screen.
  private func items(inPanel: Bool, on desktop: Desktop) throws -> [Popup] {
    let frames = try desktop.accessibility.get().tree().children.filter { $0.name == "swaync" }
      .flatMap { $0.all("frame") }.filter(\.showing)
    return frames.flatMap { frame -> [Popup] in
      guard let window = frame.box, (window.width >= SwayScreen.width) == inPanel else { return [] }
      let left = SwayScreen.width - window.width
      let items = frame.all("list item").filter(\.showing)
      return isDrawnByGTK4 ? stacked(items, inPanel: inPanel) : items.compactMap { popup($0, movedBy: left) }
    }
  }

  /// From 0.12 on it is drawn by GTK 4, which tells sizes and no positions.
  private var isDrawnByGTK4: Bool { !["0.7.", "0.8.", "0.9.", "0.10.", "0.11."].contains { version.hasPrefix($0) } }

  /// The items lie below one another on the right of the screen, in the panel below its head. The close button is in
  /// the corner.
  private func stacked(_ items: [Accessibility.Node], inPanel: Bool) -> [Popup] {
    var top = inPanel ? 140 : 0
    return items.compactMap { item in
      let labels = item.all("label").filter { $0.showing && !$0.name.isEmpty }.map(\.name)
      guard let size = item.box, let title = labels.first else { return nil }
      let box = Box(x: SwayScreen.width - 500, y: top, width: 500, height: size.height)
      top += size.height
      let named = item.all("push button").filter { $0.showing && !$0.name.isEmpty }
      let buttons = named.map { Popup.Button(label: $0.name, node: $0.number) }
      let others = labels.filter { label in !named.contains { $0.name == label } }
      let cross = Popup.Button(label: "", box: Box(x: box.x + box.width - 49, y: box.y + 11, width: 32, height: 32))
      // The age stands between the title and the text, but not at once.
      return Popup(title: title, body: others.count > 1 ? others.last : nil, box: box, buttons: buttons, cross: cross)
    }
  }

  /// In swaync 0.7 the text is the first button, named by the title. In 0.11 there are labels: the title, its age, and
  /// the text.
  private func popup(_ node: Accessibility.Node, movedBy left: Int) -> Popup? {
    func place(_ node: Accessibility.Node) -> Box? {
      node.box.map { Box(x: $0.x + left, y: $0.y, width: $0.width, height: $0.height) }
    }
    let all = node.all("push button").filter(\.showing)
    let buttons = all.map { Popup.Button(label: $0.name, box: place($0), node: $0.number) }
    let named = buttons.filter { !$0.label.isEmpty }
    let labels = node.all("label").filter(\.showing).map(\.name)
    if let title = labels.first, !title.isEmpty, let box = place(node) {
      return Popup(
        title: title, body: labels.dropFirst(2).first, box: box, buttons: named,
        cross: buttons.first { $0.label.isEmpty })
    }
    guard let text = named.first, text.box != nil, let box = place(node) else { return nil }
    return Popup(
      title: text.label, box: box, buttons: Array(named.dropFirst()), cross: buttons.first { $0.label.isEmpty })
  }

  func press(_ button: Popup.Button, of popup: Popup, on desktop: Desktop) throws {
    if isDrawnByGTK4, let node = button.node { return try desktop.accessibility.get().press(node) }
    guard let box = button.box else { throw TestFailure("'\(button.label)' is nowhere on the screen") }
    try desktop.screen.click(box.center.x, box.center.y, button: 1)
  }

  func open(_ popup: Popup, on desktop: Desktop) throws {
    guard let box = popup.box else { throw TestFailure("'\(popup.title)' is nowhere on the screen") }
    // Beside the close button, above the others. One without a text is as low as its title.
    try desktop.screen.click(box.x + 40, box.y + 20, button: 1)
  }

  func dismiss(_ popup: Popup, on desktop: Desktop) throws {
    guard let box = popup.box, let screen = desktop.screen as? SwayScreen else { return }
    // The close button appears under the pointer.
    try screen.pointer.move(box.x + 40, box.y + 20)
    let cross = try desktop.wait(for: "cross") {
      try popups(on: desktop).first { $0.title == popup.title }?.cross.flatMap { $0.box == nil ? nil : $0 }
    }
    try press(cross, of: popup, on: desktop)
  }

  func reply(_ text: String, to popup: Popup, on desktop: Desktop) throws {
    // The line's own button is beside it; another one opens Suzu's dialog.
    let (line, button) = try desktop.wait(for: "line to type in") { try replyLine(on: desktop) }
    let accessibility = try desktop.accessibility.get()
    try accessibility.type(text, into: line.number)
    try accessibility.press(button.number)
  }

  private func replyLine(on desktop: Desktop) throws -> (line: Accessibility.Node, button: Accessibility.Node)? {
    let all = try desktop.accessibility.get().tree().children.filter { $0.name == "swaync" }.flatMap { $0.all }
    for node in all {
      if let line = node.children.first(where: { $0.role == "text" && $0.showing }),
        let button = node.children.first(where: { $0.role == "push button" && $0.showing })
      {
        return (line, button)
      }
    }
    return nil
  }

  func openFromHistory(_ title: String, on desktop: Desktop) throws {
    try desktop.run("swaync-client", "--open-panel")
    let kept = try desktop.wait(for: "'\(title)' in the panel") {
      try items(inPanel: true, on: desktop).first { $0.title == title }
    }
    // The panel slides in.
    var last: Pixels?
    try desktop.wait(for: "panel at rest") {
      let now = try (desktop.screen as? SwayScreen)?.pixels()
      defer { last = now }
      return now == last ? () : nil
    }
    try open(kept, on: desktop)
  }
}
