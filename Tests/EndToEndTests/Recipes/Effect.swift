// SPDX-License-Identifier: Apache-2.0

/// The expected effect of a recipe, and what it needs beforehand.
struct Effect: Sendable {
  /// A step during the recipe, or a check.
  enum Step: Sendable {
    /// These notifications are shown next, in any order.
    case posted([String])
    /// Notifications with this title follow each other, until one is drawn as the pattern says. The center may leave
    /// out those between, because a newer one has replaced them.
    case latest(String, String)
    /// The drawn notification: title, body, labels, urgency, value, icon, with bars in between; a pattern.
    case shown(String, String)
    /// Presses an action of the notification with this title.
    case press(String, String)
    /// The same, and then waits for this outcome of it.
    case chosen(String, String, String)
    /// A program was run with these arguments: the next line of the stand-ins.
    case ran(String)
    /// The next line that the recipe prints; a pattern for the whole line.
    case line(String)
    /// The center has answered a call of this method.
    case answered(String)
    /// Presses Ctrl-C, or ends the recipe.
    case interrupt, terminate
    /// Unlocks the session, of an effect with ``Effect/isLocked``.
    case unlock
    /// This line is spoken next, in an effect that needs Speech Dispatcher.
    case spoken(String)
    /// A line for the shell, and a pattern to find in its output.
    case shell(String, String)
    /// Runs the recipe once more.
    case again

    static func posted(_ titles: String...) -> Step { .posted(titles) }
    /// Shows all pending notifications now.
    static let now: Step = .shell("now", "")
  }

  /// Texts that occur in this recipe and in no other one of the document.
  let key: [String]
  /// Shell lines to run before the recipe.
  var given = ""
  /// The expected result of those lines.
  var ready: [Step] = []
  /// Files in the home.
  var files: [String: String] = [:]
  var hasServer = true
  /// Whether the bus of the session is also that of the system, for services that the shell lines start.
  var hasSystemBus = false
  /// Whether it runs as under cron, without any variable of the desktop, on a machine with a user 'anna'.
  var isWithoutDesktop = false
  /// Whether the session is locked at first.
  var isLocked = false
  /// A requirement such as `python3-gi`; without it the recipe is skipped, and the reason is printed.
  var needs: Need?
  var during: [Step] = []
  /// In a recipe with prompts, the parts of the printed output that differ from run to run, such as dates: they may
  /// have other letters and digits, but as many.
  var varying: [String] = []
  /// A pattern for the whole output, except for the last line end and the lines that ``Step/line(_:)`` took.
  var prints = ""
  /// The same for the error output.
  var complains = ""
  var status: Int32 = 0
  var after: [Step] = []

  enum Need: String, Sendable {
    case python3 = "python3-gi and python3-dbus"
    case libical = "libical3"
    case speechDispatcher = "speech-dispatcher"
    case bubblewrap = "bubblewrap, and the permission to make namespaces"
  }

  init(
    _ key: String..., given: String = "", ready: [Step] = [], files: [String: String] = [:], hasServer: Bool = true,
    hasSystemBus: Bool = false, isWithoutDesktop: Bool = false, isLocked: Bool = false, needs: Need? = nil,
    varying: [String] = [],
    during: [Step] = [], prints: String = "", complains: String = "", status: Int32 = 0, after: [Step] = []
  ) {
    self.key = key
    self.hasSystemBus = hasSystemBus
    (self.given, self.ready, self.files, self.hasServer) = (given, ready, files, hasServer)
    (self.isWithoutDesktop, self.isLocked) = (isWithoutDesktop, isLocked)
    (self.needs, self.during, self.prints, self.varying) = (needs, during, prints, varying)
    (self.complains, self.status, self.after) = (complains, status, after)
  }

  /// A pattern for a generated id.
  static let id = "[a-z0-9]{10}"
}
