// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// awesome is a window manager that shows notifications itself. It draws a line for each action in any order, and
/// reports positions through a Lua query.
struct Awesome: Server {
  let name = "awesome"
  let package = "awesome"
  let programs = ["awesome", "awesome-client", "Xvfb", "xdotool"]

  var expected: Expectations {
    Expectations(
      banner: ["Join", "Late"], alert: ["Join", "Late", "Notes", "Move", "More…"], keepsOrder: false,
      drawing: .noted("awesome draws buttons in no particular order"))
  }

  func makeScreen(in folder: TemporaryFolder) throws -> any Screen { try XScreen(in: folder, managedBy: nil) }

  func start(on desktop: Desktop) throws -> RunningProgram {
    try RunningProgram("awesome", environment: desktop.session.environment)
  }

  /// Prints popups as `popup X Y WIDTH HEIGHT`, and their texts as `text X Y WIDTH HEIGHT|TEXT`, relative to the popup.
  private static let question = """
    local lines = {}
    local function walk(place)
      local widget = place:get_widget()
      if widget.text then
        local x, y, width, height = place:get_matrix_to_device():transform_rectangle(0, 0, place:get_size())
        local text = widget.text:gsub("\\n", "|")
        lines[#lines + 1] = string.format("text %d %d %d %d|%s", x, y, width, height, text)
      end
      for _, below in ipairs(place:get_children()) do walk(below) end
    end
    for _, corners in pairs(require("naughty").notifications) do
      for _, corner in pairs(corners) do
        for _, popup in ipairs(corner) do
          local box = popup.box:geometry()
          local places = popup.box._drawable._widget_hierarchy
          if places and popup.box.visible then
            lines[#lines + 1] = string.format("popup %d %d %d %d", box.x, box.y, box.width, box.height)
            walk(places)
          end
        end
      end
    end
    return "\\n" .. table.concat(lines, "\\n") .. "\\n"
    """

  /// Runs Lua in awesome, and returns what it prints: nothing if awesome has been killed.
  func evaluate(_ lua: String, on desktop: Desktop) throws -> String {
    try RunningProgram.run("awesome-client", [lua], environment: desktop.session.environment).output
  }

  func popups(on desktop: Desktop) throws -> [Popup] {
    var popups: [Popup] = []
    for line in try evaluate(Self.question, on: desktop).split(separator: "\n") {
      let parts = line.split(separator: "|", maxSplits: 2)
      let words = parts[0].split(separator: " ")
      let numbers = words.dropFirst().compactMap { Int($0) }
      guard numbers.count == 4 else { continue }
      var box = Box(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
      if words[0] == "popup" {
        popups.append(Popup(title: "", box: box))
      } else if words[0] == "text", parts.count >= 2, let last = popups.indices.last, let frame = popups[last].box {
        box.x += frame.x
        box.y += frame.y
        if popups[last].title.isEmpty {
          popups[last].title = String(parts[1])
          popups[last].body = parts.dropFirst(2).first.map(String.init)
        } else {
          // Skip the symbol before each label.
          popups[last].buttons.append(Popup.Button(label: String(parts[1].drop { $0 == "☛" || $0 == " " }), box: box))
        }
      }
    }
    return popups
  }

  func press(_ button: Popup.Button, of popup: Popup, on desktop: Desktop) throws {
    guard let box = button.box else { throw TestFailure("'\(button.label)' is nowhere on the screen") }
    try desktop.screen.click(box.center.x, box.center.y, button: 1)
  }

  func open(_ popup: Popup, on desktop: Desktop) throws { try click(popup, button: 1, desktop) }

  /// The right button dismisses; the left one would invoke the default action.
  func dismiss(_ popup: Popup, on desktop: Desktop) throws { try click(popup, button: 3, desktop) }

  private func click(_ popup: Popup, button: Int, _ desktop: Desktop) throws {
    guard let box = popup.box else { throw TestFailure("'\(popup.title)' is nowhere on the screen") }
    try desktop.screen.click(box.x + 12, box.y + 12, button: button)
  }
}
