// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// xfce4-notifyd draws all actions, the default one as the first button; a click on the text only closes.
struct Xfce: AccessibleServer {
  let name = "xfce4-notifyd"
  let package = "xfce4-notifyd"
  let application = "xfce4-notifyd"
  let popupRole = "frame"
  let obeysAccessibility = true
  private let program = libraryProgram("xfce4/notifyd/xfce4-notifyd")
  var programs: [String] { [program, "Xvfb", "openbox", "xdotool"] }
  var services: [String] { ["org.xfce.Xfconf"] }

  var expected: Expectations {
    Expectations(
      banner: ["Close", "Join", "Late"], alert: ["Join", "Late", "Notes", "Move", "More…"],
      opening: .noted("xfce4-notifyd draws the default action as a button; a click on the text only closes it"),
      straying: .absent("A click is how a notification of xfce4-notifyd is dismissed"),
      critical: .noted("xfce4-notifyd never lets critical notifications expire: Suzu closes them"))
  }

  func start(on desktop: Desktop) throws -> RunningProgram {
    try RunningProgram(program, environment: desktop.session.environment)
  }

  func open(_ popup: Popup, on desktop: Desktop) throws {
    guard let button = popup.buttons.first else { throw TestFailure("no button for the default action") }
    try press(button, of: popup, on: desktop)
  }

  func dismiss(_ popup: Popup, on desktop: Desktop) throws {
    guard let box = popup.box else { throw TestFailure("'\(popup.title)' is nowhere on the screen") }
    try desktop.screen.click(box.x + 20, box.y + 20, button: 1)
  }
}
