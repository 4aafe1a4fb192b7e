// SPDX-License-Identifier: Apache-2.0

/// One notification on this server's screen, as its sender described it.
///
/// All its text is cleaned here, once (``PrintableText``): behind this door nothing can steer a terminal.
struct Popup: Sendable, Equatable {
  enum Urgency: Sendable { case low, normal, critical }

  enum Expiry: Sendable, Equatable {
    case never
    case after(Duration)
    /// Five seconds; a critical one stays.
    case serverChoice

    /// From the wire: -1 leaves it to the server, 0 is never.
    init(milliseconds: Int32) {
      switch milliseconds {
      case ..<0: self = .serverChoice
      case 0: self = .never
      default: self = .after(.milliseconds(Int64(milliseconds)))
      }
    }
  }

  struct Action: Sendable, Equatable {
    /// Goes back to the sender as it came; it is never drawn.
    let key: String
    let label: String

    init(key: String, label: String) {
      self.key = key
      let label = PrintableText.line(label, atMost: 200)
      self.label = label.isEmpty ? PrintableText.line(key, atMost: 200) : label
    }
  }

  /// A text answer that the sender asks for.
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
  /// Lines divided by `\n`; drawn literally, markup or not, because plain text is what we advertise.
  let body: String
  /// What is drawn as numbered buttons: the first has number 1.
  let buttons: [Action]
  /// What a click on the notification itself does, if it was offered.
  let click: Action?
  let reply: Reply?
  let urgency: Urgency
  let progress: Int?
  /// Stays open after an action.
  let isResident: Bool
  let expiry: Expiry

  /// `actions` in the order of the wire, ``clickKey`` and ``replyKey`` among them.
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
    // A key that is offered twice would be two buttons for one thing; the first label is the sender's word.
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

  /// How long it stays; nil: until somebody acts.
  var lifetime: Duration? {
    switch expiry {
    case .never: nil
    case .after(let duration): duration
    case .serverChoice: urgency == .critical ? nil : .seconds(5)
    }
  }
}

/// What the sender of a popup wants to hear of.
enum PopupEvent: Sendable, Equatable {
  case invoked(UInt32, key: String)
  case replied(UInt32, text: String)
  case closed(UInt32, PopupCloseReason)
}

/// Why a popup left the screen; the numbers are those of the freedesktop specification.
enum PopupCloseReason: UInt32, Sendable {
  case expired = 1
  case dismissed = 2
  /// Its sender called for it.
  case withdrawn = 3
}
