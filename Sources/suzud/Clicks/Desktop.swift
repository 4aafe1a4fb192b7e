// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Freedesktop
internal import NotificationModel

/// The functions of the desktop that the center needs, other than its notification server, by subject. A test replaces
/// them. The defaults deny every caller, unlock nothing and start nothing.
struct Desktop: Sendable {
  /// The rights of a caller; nil if it could not be identified this time, but may be at its next call.
  var identify: @Sendable (Caller) async -> Rights? = { _ in Rights.none }
  var session = Session()
  var quiet = Quiet()
  var dialogs = Dialogs()
  var apps = Apps()
  var urls = URLs()
  var signs = Signs()
}

extension Desktop {
  /// The lock of the session.
  struct Session: Sendable {
    var isLocked: @Sendable () async -> Bool = { true }
    /// Waits until the session is unlocked; returns false if that takes longer than the given time.
    var unlocked: @Sendable (Duration) async -> Bool = { _ in false }
  }

  /// *Do not disturb* of the notification server.
  struct Quiet: Sendable {
    /// Whether it is on; nil if the server does not tell.
    var isOn: @Sendable () async -> Bool? = { nil }
    /// Waits until it is off; returns false if that takes longer than the given time.
    var ended: @Sendable (Duration) async -> Bool = { _ in true }
  }

  /// Dialogs in windows of their own.
  struct Dialogs: Sendable {
    /// The result of asking for a line of text.
    enum Reply: Sendable {
      case text(String)
      case cancelled
      /// The dialog could not be shown.
      case unavailable(String)
    }

    /// The result of showing a list.
    enum Choice: Sendable {
      /// The index of the chosen label.
      case chosen(Int)
      case cancelled
      /// The list could not be shown.
      case unavailable(String)
    }

    /// Why a list cannot be shown if no program for it is installed.
    static let noList = "no program that shows a list is installed: install 'suzu-window' or zenity"

    /// Whether a program that shows lists is installed.
    var canAsk: @Sendable () -> Bool = { false }
    var choose: @Sendable (DialogHeading, _ labels: [String], _ token: String?) async -> Choice = { _, _, _ in
      .unavailable("no dialog program is installed")
    }
    var prompt: @Sendable (DialogHeading, Action.Input, _ token: String?) async -> Reply = { _, _, _ in
      .unavailable("no dialog program is installed")
    }
  }

  /// Installed apps, and programs that are started for them.
  struct Apps: Sendable {
    /// Whether the app with this id can receive actions over the bus, which starts it.
    var isActivatable: @Sendable (_ app: String) async -> Bool = { _ in false }
    /// Sends a response to the app over the bus; returns nil if the app takes no actions.
    var activate: @Sendable (_ app: String, _ action: String, Response, _ token: String?) async -> Outcome? = {
      _, _, _, _ in nil
    }
    /// Whether the bus can start the app, and its desktop entry says that it changes pushes.
    var changesPushes: @Sendable (_ app: String) -> Bool = { _ in false }
    /// The result of letting the bus start an app.
    enum Start: Sendable {
      case started, failed
      /// It runs already: it is about to attach, or to end.
      case runs
    }
    /// Lets the bus start the app, without anything to do for it.
    var start: @Sendable (_ app: String) async -> Start = { _ in .failed }
    /// The name in the app's desktop entry; nil if it has none.
    var name: @Sendable (_ app: String) -> String? = { _ in nil }
    /// Whether there is a desktop entry with this id.
    var isInstalled: @Sendable (_ app: String) -> Bool = { _ in false }
    /// Launches the desktop entry `id`, or the action `id:action` of it.
    var launch: @Sendable (_ entry: String, _ token: String?) async -> Outcome = { _, _ in
      .failed("launching is not available")
    }
    /// Moves a program that was started for an app into a scope of its own, so that it outlives the center.
    var takeOut: @Sendable (_ app: String, _ process: Int32) -> Void = { _, _ in }
  }

  struct URLs: Sendable {
    /// Which URLs may be opened.
    var policy: @Sendable () -> URLPolicy = { URLPolicy() }
    /// Opens a URL in a portal; if nil, the opener program is run, as outside a sandbox.
    var open: (@Sendable (_ url: String, _ token: String?, URLPolicy) async -> URLOpener.Ending)?
  }

  /// Badges, sounds and speech.
  struct Signs: Sendable {
    /// Sets the badge of the app's launcher; 0 removes it.
    var setBadge: @Sendable (_ app: String, Int) -> Void = { _, _ in }
    /// Plays a sound of the theme or a file, if the notification server does not.
    var play: @Sendable (_ sound: String) -> Void = { _ in }
    /// Speaks a text.
    var speak: @Sendable (_ text: String, Speaker.Urgency) async -> Speaker.Ending = { _, _ in .notInstalled }
  }
}
