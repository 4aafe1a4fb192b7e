// SPDX-License-Identifier: Apache-2.0

/// A notification to be drawn by this server.
///
/// All texts are sanitized here, once (``PrintableText``), so that none can control the terminal.
struct Popup: Sendable, Equatable {
  enum Urgency: Sendable { case low, normal, critical }

  enum Expiry: Sendable, Equatable {
    case never
    case after(Duration)
    /// Five seconds; never for critical ones.
    case serverChoice

    /// From the protocol: -1 lets the server decide, 0 means never.
    init(milliseconds: Int32) {
      switch milliseconds {
      case ..<0: self = .serverChoice
      case 0: self = .never
      default: self = .after(.milliseconds(Int64(milliseconds)))
      }
    }
  }

  struct Action: Sendable, Equatable {
    /// The key as received; it is returned to the sender and never drawn.
    let key: String
    let label: String

    init(key: String, label: String) {
      self.key = key
      let label = PrintableText.line(label, atMost: 200)
      self.label = label.isEmpty ? PrintableText.line(key, atMost: 200) : label
    }
  }

  /// A text reply that the sender asks for.
  struct Reply: Sendable, Equatable {
    let label: String
    let placeholder: String
    let submit: String
  }

  static let clickKey = "default"
  static let replyKey = "inline-reply"

  let id: UInt32
  let appName: String
  /// Never empty.
  let summary: String
  /// Lines separated by `\n`; markup is drawn literally, because this server advertises plain text.
  let body: String
  /// The numbered buttons; the first has number 1.
  let buttons: [Action]
  /// The action of a click on the notification itself, if any.
  let click: Action?
  let reply: Reply?
  let urgency: Urgency
  let progress: Int?
  /// Stays open after an action.
  let isResident: Bool
  let expiry: Expiry

  /// `actions` in the order of the protocol, including ``clickKey`` and ``replyKey``.
  init(
    id: UInt32, appName: String = "", summary: String, body: String = "", actions: [(key: String, label: String)] = [],
    replyPlaceholder: String = "", replySubmit: String = "", urgency: Urgency = .normal, progress: Int? = nil,
    isResident: Bool = false, expiry: Expiry = .serverChoice
  ) {
    self.id = id
    self.appName = PrintableText.line(appName, atMost: 100)
    let title = PrintableText.line(summary, atMost: 1000)
    self.summary = title.isEmpty ? (self.appName.isEmpty ? "Notification" : self.appName) : title
    self.body = PrintableText.block(body, atMost: 10_000)
    // For a repeated key, the first label counts.
    var known: Set<String> = []
    let offered = actions.filter { known.insert($0.key).inserted }.map { Action(key: $0.key, label: $0.label) }
    buttons = offered.filter { $0.key != Self.clickKey && $0.key != Self.replyKey }
    click = actions.first { $0.key == Self.clickKey }
      .map { Action(key: $0.key, label: PrintableText.line($0.label, atMost: 200).isEmpty ? "Open" : $0.label) }
    reply = actions.first { $0.key == Self.replyKey }
      .map { action in
        Reply(
          label: Self.text(action.label, or: "Reply"), placeholder: Self.text(replyPlaceholder, or: ""),
          submit: Self.text(replySubmit, or: "Send"))
      }
    self.urgency = urgency
    self.progress = progress.map { min(max($0, 0), 100) }
    self.isResident = isResident
    self.expiry = expiry
  }

  private static func text(_ raw: String, or fallback: String) -> String {
    let text = PrintableText.line(raw, atMost: 200)
    return text.isEmpty ? fallback : text
  }

  /// How long the popup stays; nil if it does not expire.
  var lifetime: Duration? {
    switch expiry {
    case .never: nil
    case .after(let duration): duration
    case .serverChoice: urgency == .critical ? nil : .seconds(5)
    }
  }
}

/// An event that the sender of a popup receives.
enum PopupEvent: Sendable, Equatable {
  case invoked(UInt32, key: String)
  case replied(UInt32, text: String)
  case closed(UInt32, PopupCloseReason)
}

/// Why a popup was closed, with the numbers of the freedesktop specification.
enum PopupCloseReason: UInt32, Sendable {
  case expired = 1
  case dismissed = 2
  /// The sender closed it.
  case withdrawn = 3
}
