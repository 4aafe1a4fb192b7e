// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// notify-osd shows one bubble at a time, which ignores the pointer: it cannot be clicked.
struct NotifyOSD: Server {
  let name = "notify-osd"
  let package = "notify-osd"
  private let program = libraryProgram("notify-osd")
  var programs: [String] { [program, "Xvfb", "openbox", "xcompmgr", "xdotool"] }
  let environment = ["GSETTINGS_BACKEND": "memory"]

  private static let untouchable = "The bubbles of notify-osd ignore the pointer"

  var expected: Expectations {
    Expectations(
      banner: [], alert: [],
      drawing: .noted(
        "notify-osd draws no buttons: for an alert, Suzu opens a list of the actions by itself"),
      text: .absent("A test cannot read the text on a bubble of notify-osd"),
      reaching: .noted("notify-osd shows each bubble for ten seconds, even if it was answered"),
      opening: .absent(Self.untouchable), straying: .absent(Self.untouchable), asksAtOnce: true,
      dismissal: .absent(Self.untouchable),
      expiry: .noted("notify-osd shows every notification for ten seconds"),
      staying: .absent("notify-osd would turn an alert into a modal dialog; the list that Suzu opens stays instead"),
      critical: .absent("notify-osd shows every notification for ten seconds"), clearsAtOnce: false, tellsTitles: false,
      showsOne: true)
  }

  // Its bubbles are translucent, which needs a compositor.
  func makeScreen(in folder: TemporaryFolder) throws -> any Screen { try XScreen(in: folder, mixedBy: "xcompmgr") }

  func start(on desktop: Desktop) throws -> RunningProgram {
    try RunningProgram(program, environment: desktop.session.environment)
  }

  /// There is one at most, and its text cannot be read: it is the notification posted last.
  func popups(on desktop: Desktop) throws -> [Popup] {
    guard let screen = desktop.screen as? XScreen, let box = try screen.windows(ofClass: "notify-osd").first else {
      return []
    }
    return [Popup(title: desktop.lastTitle, box: box)]
  }

  func press(_ button: Popup.Button, of popup: Popup, on desktop: Desktop) throws {
    throw TestFailure(Self.untouchable)
  }

  func open(_ popup: Popup, on desktop: Desktop) throws { throw TestFailure(Self.untouchable) }

  func dismiss(_ popup: Popup, on desktop: Desktop) throws { throw TestFailure(Self.untouchable) }
}
