// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Freedesktop
internal import NotificationModel

/// What the center needs of the desktop besides its notification server, by subject. Each is a function, so that a test
/// can be the desktop. A desktop of which nothing else is said lets nobody in, unlocks nothing and starts nothing.
struct Desktop: Sendable {
  /// What a caller may do; nil: it could not be identified this time, and may be the next time.
  var identify: @Sendable (Caller) async -> Rights? = { _ in Rights.none }
  var session = Session()
  var dialogs = Dialogs()
  var apps = Apps()
  var urls = URLs()
  var signs = Signs()
}

extension Desktop {
  /// The lock of the session.
  struct Session: Sendable {
    var isLocked: @Sendable () async -> Bool = { true }
    /// Whether the session is unlocked within that time.
    var unlocked: @Sendable (Duration) async -> Bool = { _ in false }
  }

  /// What asks the user in windows of their own.
  struct Dialogs: Sendable {
    /// What came of asking for a line of text.
    enum Reply: Sendable {
      case text(String)
      case cancelled
      /// There is nothing to ask with.
      case unavailable(String)
    }

    /// Whether lists can be shown to choose from.
    var canAsk: @Sendable () -> Bool = { false }
    /// Which of the labels was chosen; nil: none. Where the list cannot be shown it is `instead`.
    var choose: @Sendable (DialogHeading, _ labels: [String], _ token: String?, _ instead: Int?) async -> Int? = {
      _, _, _, _ in nil
    }
    var prompt: @Sendable (DialogHeading, Action.Input, _ token: String?) async -> Reply = { _, _, _ in
      .unavailable("there is nothing to ask with")
    }
  }

  /// Apps that are installed, and programs that were started for them.
  struct Apps: Sendable {
    /// Whether the app of that id can be told of an action over the bus, which starts it.
    var isActivatable: @Sendable (_ app: String) async -> Bool = { _ in false }
    /// Tells it of a response; nil: it takes no actions.
    var activate: @Sendable (_ app: String, _ action: String, Response, _ token: String?) async -> Outcome? = {
      _, _, _, _ in nil
    }
    /// What the user knows the app by; nil: it has no desktop entry.
    var name: @Sendable (_ app: String) -> String? = { _ in nil }
    /// Whether there is a desktop entry of that id.
    var isInstalled: @Sendable (_ app: String) -> Bool = { _ in false }
    /// Starts what the entry, `id` or `id:action`, stands for.
    var launch: @Sendable (_ entry: String, _ token: String?) async -> Outcome = { _, _ in .failed("nothing launches") }
    /// Gives a program that was started for an app a place of its own, where it outlives us.
    var takeOut: @Sendable (_ app: String, _ process: Int32) -> Void = { _, _ in }
  }

  struct URLs: Sendable {
    /// Which may be opened.
    var policy: @Sendable () -> URLPolicy = { URLPolicy() }
    /// Opens one; nil: by the opener, as outside of a sandbox.
    var open: (@Sendable (_ url: String, _ token: String?, URLPolicy) async -> URLOpener.Ending)?
  }

  /// What is seen and heard besides notifications.
  struct Signs: Sendable {
    /// The number on the app's launcher; 0 takes it away.
    var setBadge: @Sendable (_ app: String, Int) -> Void = { _, _ in }
    /// Plays a theme's sound or a file, where the notification server does not.
    var play: @Sendable (_ sound: String) -> Void = { _ in }
  }
}
