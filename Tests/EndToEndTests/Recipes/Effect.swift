// SPDX-License-Identifier: Apache-2.0

/// The expected effect of a recipe, and what it needs beforehand.
struct Effect: Sendable {
  /// What happens on the way, or is looked at.
  enum Step: Sendable {
    /// These are shown next, in any order.
    case posted([String])
    /// It looked so: title, body, labels, urgency, value, icon, with bars in between; a pattern.
    case shown(String, String)
    /// The action's button of what was shown under this title.
    case press(String, String)
    /// A program was run, with these words: the next line of the stand-ins.
    case ran(String)
    /// The next line that the recipe prints; a pattern for all of it.
    case line(String)
    /// The center has answered a call of this method.
    case answered(String)
    /// The user presses Ctrl-C, or ends it.
    case interrupt, terminate
    /// A line for the shell, and a pattern that is found in what it prints.
    case shell(String, String)
    /// The recipe once more.
    case again

    static func posted(_ titles: String...) -> Step { .posted(titles) }
    /// Shows all pending notifications now.
    static let now: Step = .shell("now", "")
  }

  /// Texts that stand in the recipe meant, and in no other of the document.
  let key: [String]
  /// Lines for the shell.
  var given = ""
  /// What comes of those.
  var ready: [Step] = []
  /// In the home.
  var files: [String: String] = [:]
  var hasServer = true
  /// The word that must be there, such as `python3-gi`; else it is left out by name.
  var needs: Need?
  var during: [Step] = []
  /// A pattern for everything that it prints, but for the last line's end and what ``Step/line(_:)`` took.
  var prints = ""
  /// The same for its error output.
  var complains = ""
  var status: Int32 = 0
  var after: [Step] = []

  enum Need: String, Sendable {
    case python3 = "python3-gi and python3-dbus"
    case libical = "libical3"
  }

  init(
    _ key: String..., given: String = "", ready: [Step] = [], files: [String: String] = [:], hasServer: Bool = true,
    needs: Need? = nil,
    during: [Step] = [], prints: String = "", complains: String = "", status: Int32 = 0, after: [Step] = []
  ) {
    self.key = key
    (self.given, self.ready, self.files, self.hasServer) = (given, ready, files, hasServer)
    (self.needs, self.during, self.prints) = (needs, during, prints)
    (self.complains, self.status, self.after) = (complains, status, after)
  }

  /// Where a made-up id is printed.
  static let id = "[a-z0-9]{10}"
}
