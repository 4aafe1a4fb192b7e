// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// What an alarm says: its own words and those of its event or task.
struct AlarmText {
  let item: CalendarComponent
  let alarm: CalendarComponent
  let values: CalendarValues

  /// Default descriptions, in lower case, by Apple, Exchange, Google, Thunderbird (in three languages) and khal.
  private static let phrases: Set<String> = [
    "reminder", "event reminder", "this is an event reminder", "alarm", "default mozilla description",
    "mozilla standardbeschreibung", "description par défaut mozilla", "none",
  ]

  /// - Parameter isKept: whether the file is our own, in which the description repeats the title.
  func words(isKept: Bool) -> [String: PlainValue] {
    let description = values.text(alarm.line("DESCRIPTION"))
    let title = values.text(item.line("SUMMARY")) ?? description ?? "Reminder"
    var words: [String: PlainValue] = ["title": .text(title)]
    // In our own files the description repeats the title, and only one of them may have been edited.
    let isPhrase = Self.phrases.contains(description?.lowercased() ?? "")
    let own = isKept || description == title || isPhrase ? nil : description
    // The text of the alarm comes first: its author wrote it for this moment.
    let whole = values.text(item.line("DESCRIPTION"))
    let body = [values.text(item.line("LOCATION")), own, whole == own ? nil : whole].compactMap(\.self)
    if !body.isEmpty { words["body"] = .text(body.joined(separator: "\n")) }
    if let url = item.line("URL")?.value, (try? NotificationRequest(["title": .text("x"), "url": .text(url)])) != nil {
      words["url"] = .text(url)
    }
    if alarm.line("ACTION")?.value.uppercased() == "AUDIO" { words["sound"] = .text("default") }
    return words
  }
}
