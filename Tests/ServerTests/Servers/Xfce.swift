// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// xfce4-notifyd draws all actions, the default one as the first button; a click on the text only closes. Since 0.9 it
/// draws on Wayland, too, where the compositor has layers.
struct Xfce: AccessibleServer {
  var isOnWayland = false
  var name: String { isOnWayland ? "xfce4-notifyd-wayland" : "xfce4-notifyd" }
  let package = "xfce4-notifyd"
  let application = "xfce4-notifyd"
  let popupRole = "frame"
  let obeysAccessibility = true
  private let program = libraryProgram("xfce4/notifyd/xfce4-notifyd")
  var programs: [String] {
    [program] + (isOnWayland ? SwayScreen.programs : ["Xvfb", "openbox", "xdotool"])
  }
  var services: [String] { ["org.xfce.Xfconf"] }

  var expected: Expectations {
    Expectations(
      banner: ["Close", "Join", "Late"], alert: ["Join", "Late", "Notes", "Move", "More…"],
      opening: .noted("xfce4-notifyd draws the default action as a button; a click on the text only closes it"),
      straying: .absent("A click is how a notification of xfce4-notifyd is dismissed"),
      critical: .noted("xfce4-notifyd never lets critical notifications expire: Suzu closes them"))
  }

  func makeScreen(in folder: TemporaryFolder) throws -> any Screen {
    isOnWayland ? try SwayScreen(in: folder) : try XScreen(in: folder)
  }

  func popups(on desktop: Desktop) throws -> [Popup] {
    let found = try accessiblePopups(on: desktop)
    guard let pixels = try (desktop.screen as? SwayScreen)?.pixels() else { return found }
    // AT-SPI knows no places on Wayland. A single popup is what stands out from the ground in the upper right corner.
    let box = found.count == 1 ? pixels.box(atColumn: pixels.width - 100, on: SwayScreen.ground) : nil
    return found.map { popup in
      var popup = popup
      popup.box = box
      return popup
    }
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
