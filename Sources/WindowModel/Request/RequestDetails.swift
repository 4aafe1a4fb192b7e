// SPDX-License-Identifier: Apache-2.0
package import NotificationModel
internal import Zoneinfo

/// What a request says, line by line.
package struct RequestDetails: Hashable, Sendable {
  package struct Line: Hashable, Sendable {
    package let label: String
    package let text: String
  }

  package let title: String
  package let body: String?
  package let lines: [Line]
  /// The buttons that can be pressed: those of a notification that is on the screen.
  package let actions: [Button]

  package struct Button: Hashable, Sendable {
    package let id: String
    package let title: String
  }

  package init(_ row: ListedRequest, _ clock: LocalClock) {
    title = ShownText.line(row.title)
    // Breaks stay: there is room for several lines.
    body = row.text(of: "body").map { text in
      text.split(separator: "\n", omittingEmptySubsequences: false).prefix(60).map {
        ShownText.line(String($0), atMost: 2000)
      }
      .joined(separator: "\n")
    }
    var lines: [Line] = []
    func add(_ label: String, _ text: String?) {
      if let text, !text.isEmpty { lines.append(Line(label: label, text: text)) }
    }
    add("Next", row.next.flatMap { Instant(rfc3339: $0) }.map { clock.words($0) })
    if row.state != .pending {
      add("Came", (row.due ?? row.shown).flatMap { Instant(rfc3339: $0) }.map { clock.words($0) })
      add("Ended", ShownText.line(row.shownReason))
      add("Answer", row.reply.map { ShownText.line($0) })
      add("Outcome", row.outcome.map { ShownText.line($0.description) })
    }
    add("Repeats", UpcomingRow.repetition(of: row))
    add("Zone", row.text(of: "zone"))
    add("When", row.text(of: "on").map { ConditionText.words($0) })
    add("Subtitle", row.text(of: "subtitle").map { ShownText.line($0) })
    let buttons = Self.buttons(of: row)
    actions = row.state == .delivered ? buttons : []
    let titles = buttons.map { ShownText.isolated($0.title, atMost: 60) }.joined(separator: ", ")
    add("Buttons", titles.isEmpty ? row.text(of: "category").map { ShownText.line($0) } : titles)
    add("Opens", row.text(of: "url").map { ShownText.line($0) })
    add("Sound", row.text(of: "sound").map { ShownText.line($0) })
    add("App", ShownText.line(row.app))
    add("ID", ShownText.line(row.id))
    self.lines = lines
  }

  private static func buttons(of row: ListedRequest) -> [Button] {
    guard case .list(let actions)? = row.words["actions"] else { return [] }
    return actions.compactMap { action -> Button? in
      guard case .dictionary(let words) = action, case .text(let id)? = words["id"] else { return nil }
      guard case .text(let title)? = words["title"] else { return Button(id: id, title: id) }
      return Button(id: id, title: title)
    }
  }
}
