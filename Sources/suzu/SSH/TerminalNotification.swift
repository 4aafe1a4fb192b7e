// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// A request in a form that a terminal can show. Pure: the same request and terminal give the same form.
struct TerminalNotification: Equatable {
  /// An identifier in the characters that OSC 99 allows; a later notification with the same one replaces this one.
  let wireID: String
  let title: String
  let body: String
  let appName: String
  /// Names in the icon theme, in the order of preference.
  let icons: [String]
  /// The freedesktop category.
  let type: String?
  let urgency: Int
  /// `silent`, `system` or a name in the sound theme; nil if the request has none.
  let sound: String?
  /// Milliseconds on the screen, 0 for no limit; nil lets the desktop decide.
  let limit: Int?
  /// The buttons that are shown, in order: their ids.
  let buttons: [String]
  let titles: [String]
  /// The keys of the request that have no effect there.
  let lost: [String]

  static let longestTitle = 1000
  static let longestBody = 4000
  static let longestButton = 100

  /// - Parameters:
  ///   - features: what the terminal can do with OSC 99; nil if it is told with another sequence.
  ///   - waits: whether the program waits for the answer: without it, a button does nothing.
  init(_ request: NotificationRequest, id: String, features: TerminalFeatures?, waits: Bool) {
    let content = request.content
    let known = features ?? TerminalFeatures.basic
    var lost: [String] = []
    func need(_ isAble: Bool, _ key: NotificationRequest.Key, if isGiven: Bool) {
      if isGiven && !isAble { lost.append(key.rawValue) }
    }
    wireID = Self.wireID(request.app.text, id)
    let text = content.markup ? content.body.map { PlainMarkup.text($0) } : content.body
    let progress = content.progress.map { "\($0) %" }
    let lines = [content.subtitle, text, progress].compactMap(\.self).map {
      PrintableText.block($0, atMost: Self.longestBody)
    }.filter { !$0.isEmpty }
    let headline = PrintableText.line(content.title, atMost: Self.longestTitle)
    // Without a title, the terminal would show its own name.
    let first = lines.first.map { PrintableText.line($0, atMost: Self.longestTitle) } ?? ""
    title = headline.isEmpty ? first : headline
    body = (headline.isEmpty ? Array(lines.dropFirst()) : lines).joined(separator: "\n")
    appName = PrintableText.line(content.appName ?? request.app.text, atMost: 100)
    need(known.hasBody, .body, if: !body.isEmpty)

    var icons: [String] = []
    if case .named(let name)? = content.icon { icons = Self.icons(name) }
    self.icons = features == nil ? [] : icons
    need(features != nil && !icons.isEmpty, .icon, if: content.icon != nil)
    need(false, .image, if: content.image != nil)
    type = content.category.map(\.text).flatMap { $0.contains(".") ? $0 : nil }
    need(features != nil && type != nil, .category, if: content.category != nil)
    urgency =
      switch content.level {
      case .passive: 0
      case .active, .timeSensitive: 1
      case .critical: 2
      }
    need(known.hasUrgency, .level, if: content.level != .active)
    sound =
      switch content.sound {
      case nil, .file: nil
      case .silent: "silent"
      case .standard: "system"
      case .named(let name): PrintableText.line(name, atMost: 60)
      }
    need(known.hasSounds && sound != nil, .sound, if: content.sound != nil)
    limit = Self.limit(content)
    need(known.expires, .expires, if: content.expires != nil)
    need(known.expires, .style, if: content.expires == nil && content.style == .alert && !waits)
    need(false, .badge, if: content.badge != nil)
    need(false, .thread, if: content.thread != nil)
    need(false, .hints, if: !content.hints.isEmpty)
    need(false, .url, if: content.url != nil)
    let offered = content.actions.filter { $0.id != Action.defaultID }
    let canPress = known.hasButtons && known.reportsClicks && waits
    buttons = canPress ? offered.map(\.id) : []
    titles = canPress ? offered.map { PrintableText.line($0.title, atMost: Self.longestButton) } : []
    need(canPress && content.actions.allSatisfy { $0.effect == nil && $0.input == nil }, .actions, if: !offered.isEmpty)
    self.lost = lost
  }

  /// The id and its app, if that is not the usual one. Other characters than those of OSC 99 are written as numbers.
  private static func wireID(_ app: String, _ id: String) -> String {
    var name = "suzu."
    for scalar in ((app == NotificationRequest.defaultApp ? "" : app + "/") + id).unicodeScalars {
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "-", ".": name.unicodeScalars.append(scalar)
      default: name += "_" + String(scalar.value, radix: 16) + "_"
      }
    }
    return name
  }

  /// The name, and the one that every terminal with OSC 99 knows for the same.
  private static func icons(_ name: String) -> [String] {
    let usual = [
      "dialog-error": "error", "dialog-warning": "warning", "dialog-information": "info", "dialog-question": "question",
      "help-browser": "help", "system-file-manager": "file-manager", "utilities-system-monitor": "system-monitor",
      "accessories-text-editor": "text-editor",
    ]
    return [PrintableText.line(name, atMost: 100)] + [usual[name]].compactMap(\.self)
  }

  private static func limit(_ content: NotificationRequest.Content) -> Int? {
    switch content.expires {
    case .never: 0
    case .after(let time):
      // A hundred years fit.
      Int(min(max(time.components.seconds, 0), 1 << 31)) * 1000
        + Int(time.components.attoseconds / 1_000_000_000_000_000)
    case nil: content.style == .alert ? 0 : nil
    }
  }
}
