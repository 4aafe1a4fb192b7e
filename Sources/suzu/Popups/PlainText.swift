// SPDX-License-Identifier: Apache-2.0

/// The output format of ``PlainPopups``: stable, for people, `grep` and programs.
enum PlainText {
  static func lines(for popup: Popup) -> [String] {
    var lines = ["#\(popup.id) \(popup.summary)"]
    var origin = popup.appName.isEmpty ? "" : "from \(popup.appName)"
    if popup.urgency == .critical { origin += origin.isEmpty ? "CRITICAL" : ", CRITICAL" }
    var details = popup.body.isEmpty ? [] : popup.body.split(separator: "\n", omittingEmptySubsequences: false)
    if let progress = popup.progress { details.append("\(progress)%") }
    var choices = popup.buttons.enumerated().map { "[\($0.offset + 1)] \($0.element.label)" }
    if let click = popup.click { choices.append("[open] \(click.label)") }
    if let reply = popup.reply {
      choices.append("[reply] \(reply.label)" + (reply.placeholder.isEmpty ? "" : " (\(reply.placeholder))"))
    }
    if !choices.isEmpty { details.append(Substring(choices.joined(separator: "  "))) }
    if !origin.isEmpty { details.append(Substring(origin)) }
    lines += details.map { "    \($0)" }
    return lines
  }

  static func line(for event: PopupEvent) -> String {
    switch event {
    case .invoked(let id, let key):
      key == Popup.clickKey ? "#\(id) opened" : "#\(id) pressed: \(PrintableText.line(key, atMost: 200))"
    case .replied(let id, let text): "#\(id) replied: \(PrintableText.line(text, atMost: ReplyDraft.longest))"
    case .closed(let id, .expired): "#\(id) closed: expired"
    case .closed(let id, .dismissed): "#\(id) closed: dismissed"
    case .closed(let id, .withdrawn): "#\(id) closed: withdrawn"
    }
  }
}
