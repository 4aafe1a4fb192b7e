// SPDX-License-Identifier: Apache-2.0
internal import EventLoop

/// Where popups are shown and answered, for a notification server to drive:
///
///     let loop = try EventLoop()
///     let screen = TerminalTraits.current.popupScreen(on: loop)
///     // On the loop, before any other thread starts:
///     try screen.start { event in
///       switch event {
///       case .invoked(let id, let key):   // emit ActionInvoked
///       case .replied(let id, let text):  // emit NotificationReplied
///       case .closed(let id, let reason): // emit NotificationClosed(id, reason.rawValue)
///       }
///     } end: { end in
///       // The terminal is itself again. Flush the bus, loop.stop().
///     }
///     screen.show(Popup(id: 3, summary: "Tea", actions: [("done", "Done")], expiry: .init(milliseconds: -1)))
///     screen.close(3)
///
/// Everything happens on the loop's thread. Events come in the order of the specification: what was invoked or
/// answered first, then that it is closed (unless resident). `close` is answered by an event as well. The screen takes
/// SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP and SIGCONT for itself and ignores SIGPIPE.
protocol PopupScreen: AnyObject {
  /// Takes the terminal; `tell` hears of events until `end`, which comes at most once and after which all is restored.
  func start(tell: @escaping (PopupEvent) -> Void, end: @escaping (PopupScreenEnd) -> Void) throws(EventLoopError)

  /// Shows `popup`, or puts it in the place of the one with its id.
  func show(_ popup: Popup)

  /// False: it is not open (any more).
  @discardableResult func close(_ id: UInt32) -> Bool

  /// A line of the server's own, such as why it does not have the bus name.
  func note(_ text: String)

  /// Restores the terminal. Nothing is told from then on.
  func stop()
}

/// Why a screen came to its end by itself.
enum PopupScreenEnd: Equatable, Sendable {
  /// The user asked for it.
  case quit
  case signal(Int32)
  /// The terminal was closed, or nobody reads the output.
  case lost
}

extension TerminalTraits {
  /// The whole screen where there is one, else lines of text.
  func popupScreen(on loop: EventLoop) -> any PopupScreen {
    isInteractive ? FullScreenPopups(theme: theme, on: loop) : PlainPopups(theme: theme, on: loop)
  }
}
