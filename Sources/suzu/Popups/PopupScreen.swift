// SPDX-License-Identifier: Apache-2.0
internal import EventLoop

/// Shows popups and receives the user's input for a notification server:
///
///     let loop = try EventLoop()
///     let screen = TerminalTraits.current.popupScreen(on: loop, graphics: GraphicsSearch(.auto))
///     // On the loop, before any other thread starts:
///     try screen.start { event in
///       switch event {
///       case .invoked(let id, let key):   // emit ActionInvoked
///       case .replied(let id, let text):  // emit NotificationReplied
///       case .closed(let id, let reason): // emit NotificationClosed(id, reason.rawValue)
///       }
///     } end: { end in
///       // The terminal is restored. Flush the bus, loop.stop().
///     }
///     screen.show(Popup(id: 3, summary: "Tea", actions: [("done", "Done")], expiry: .init(milliseconds: -1)))
///     screen.close(3)
///
/// Everything runs on the loop's thread. Events come in the order of the specification: an action or reply, then the
/// closing (unless resident). `close` also causes an event. The screen handles SIGINT, SIGTERM, SIGHUP, SIGWINCH,
/// SIGTSTP and SIGCONT and ignores SIGPIPE.
protocol PopupScreen: AnyObject {
  /// Takes over the terminal; calls `tell` for events until `end`, which is called at most once, after everything is
  /// restored.
  func start(tell: @escaping (PopupEvent) -> Void, end: @escaping (PopupScreenEnd) -> Void) throws(EventLoopError)

  /// Whether pictures are drawn, or may be: others need not be read.
  var drawsPictures: Bool { get }

  /// Shows `popup`, or replaces the one with its id.
  func show(_ popup: Popup, _ picture: PopupImage?)

  /// Closes a popup; returns false if it is not open.
  @discardableResult func close(_ id: UInt32) -> Bool

  /// Shows a message of the server itself, such as why it does not have the bus name.
  func note(_ text: String)

  /// Restores the terminal. No events follow.
  func stop()
}

/// Why a screen ended by itself.
enum PopupScreenEnd: Equatable, Sendable {
  /// The user quit.
  case quit
  case signal(Int32)
  /// The terminal was closed, or the reader of the output is gone.
  case lost
}

extension PopupScreen {
  /// Shows `popup` without a picture.
  func show(_ popup: Popup) { show(popup, nil) }
}

extension TerminalTraits {
  /// Whether the full screen is used: the terminal can, and lines of text are not wanted.
  func drawsBoxes(isPlain: Bool) -> Bool { isInteractive && !isPlain }

  /// The full screen on a capable terminal, otherwise lines of text.
  func popupScreen(on loop: EventLoop, isPlain: Bool = false, graphics: GraphicsSearch) -> any PopupScreen {
    drawsBoxes(isPlain: isPlain)
      ? FullScreenPopups(theme: theme, graphics: graphics, on: loop) : PlainPopups(theme: theme, on: loop)
  }
}
