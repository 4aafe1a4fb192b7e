// SPDX-License-Identifier: Apache-2.0
internal import Freedesktop

/// How the notification server shows notifications, as findings of `suzu doctor`.
struct ServerFindings {
  private let server: ServerTraits
  private let settings: ServerSettings
  private let canAsk: Bool
  private let canPrompt: Bool

  /// - Parameters:
  ///   - canAsk: whether a program that shows a list of choices is installed.
  ///   - canPrompt: whether a program that asks for a line of text is installed.
  init(_ server: ServerTraits, _ settings: ServerSettings = ServerSettings(), canAsk: Bool, canPrompt: Bool) {
    self.server = server
    self.settings = settings
    self.canAsk = canAsk
    self.canPrompt = canPrompt
  }

  /// All findings, in the order in which a user notices them.
  var all: [Finding] {
    [quiet, text, progress, buttons, press, replies, sound, expiry, memory, room].compactMap { $0 }
  }

  /// *Do not disturb*, where the server tells; what is sent meanwhile counts as delivered all the same.
  private var quiet: Finding? {
    guard settings.isQuiet == true else { return nil }
    return degraded(
      "do not disturb",
      server.known.losesWhileQuiet
        ? "on: notifications are neither shown nor kept; turn it off in the settings of the desktop"
        : "on: notifications are not shown until it is off")
  }

  private var progress: Finding {
    server.known.hidesTextsOfProgress
      ? degraded("progress", "as text, because the server draws a bar alone, without title and text")
      : good("progress", "sent to the server; most draw a bar")
  }

  private var text: Finding {
    switch (server.can(.body), server.can(.bodyMarkup)) {
    case (false, _): degraded("text", "title only")
    case (true, false): degraded("text", "plain; bold, italic and underlined are shown as plain text")
    case (true, true): good("text", "plain, bold, italic and underlined")
    }
  }

  private var buttons: Finding {
    let list = canAsk ? "" : ", and neither 'suzu-window' nor zenity, which show lists, is installed"
    switch server.buttons {
    case nil: return good("buttons", "no limit")
    case 0? where !server.can(.actions):
      return degraded(
        "buttons", "none" + (canAsk ? ": an alert opens a dialog, a banner offers no actions" : list))
    case 0?:
      return degraded(
        "buttons", "none drawn" + (canAsk ? "; a click on the notification shows them in a list" : list))
    case let count?:
      return degraded(
        "buttons", "at most \(count)" + (canAsk ? "; the last one becomes 'More…' if there are more" : list))
    }
  }

  private var press: Finding? {
    switch server.known.press {
    case .counts where server.known.drawsDefault:
      good("click on the notification", "\(meaning); this is a button as well")
    case .counts: server.can(.actions) ? good("click on the notification", meaning) : nothing
    case .middleCounts:
      degraded("click on the notification", "with the middle button, \(meaning); the left button closes it")
    case .closes: degraded("click on the notification", "closes it; a separate button \(meaning)")
    case .nothing: nothing
    }
  }

  private var meaning: String { "opens its URL or its app, or does its only action" }

  private var nothing: Finding { degraded("click on the notification", "does nothing") }

  private var replies: Finding {
    if server.can(.inlineReply) { return good("replies", "in the notification itself") }
    return canPrompt
      ? good("replies", "in a dialog")
      : degraded("replies", "none: none of 'suzu-window', zenity and kdialog is installed")
  }

  private var sound: Finding {
    good("sound", server.can(.sound) ? "the server plays it" : "Suzu plays it")
  }

  private var expiry: Finding? {
    if server.known.tellsOfExpiry { return nil }
    return degraded(
      "expiry",
      "reported only with '--expires': others count as delivered in the server's list, and 'notify --wait' keeps waiting"
    )
  }

  private var memory: Finding {
    // Such a server would fill up with expired notifications, so those are sent as transient.
    server.can(.persistence) && !server.known.keepsExpired
      ? good("unread notifications", "the server keeps them")
      : degraded("unread notifications", "expired ones are not kept; see 'suzu history'")
  }

  private var room: Finding? {
    guard let room = server.known.room else { return nil }
    return degraded("visible at the same time", "at most \(room.limit)" + (room.isPerApp ? " per app" : ""))
  }

  private func good(_ what: String, _ text: String) -> Finding {
    Finding(what: what, state: .good, text: text, isOfServer: true)
  }
  private func degraded(_ what: String, _ text: String) -> Finding {
    Finding(what: what, state: .degraded, text: text, isOfServer: true)
  }
}
