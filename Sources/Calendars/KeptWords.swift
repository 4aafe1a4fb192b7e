// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import SystemFiles

/// The original request that Suzu stored in an exported calendar, including words that iCalendar lacks.
package struct KeptWords {
  package static let name = "X-SUZU-REQUEST"
  /// The parameter with the exported `DTSTART`.
  package static let start = "X-SUZU-START"

  private(set) var words: [String: PlainValue]
  /// Whether the times still apply: the event has not been moved since.
  let saysWhen: Bool

  init?(_ event: CalendarEvent, _ library: ICalLibrary, trusts: Bool) throws(CalendarError) {
    guard let line = event.item.line(Self.name) else { return nil }
    guard let json = PercentCoding.decodedText(line.value), let value = try? JSONReader.read(json),
      case .dictionary(let kept) = value
    else { throw CalendarError(line, "this was not written by 'suzu export'") }
    let request: NotificationRequest
    do throws(RequestError) { request = try NotificationRequest(kept) } catch { throw CalendarError(line, "\(error)") }
    // A calendar from another person must not run programs.
    guard trusts || !request.content.actions.contains(where: { if case .run? = $0.effect { true } else { false } })
    else {
      throw CalendarError(line, "a button runs a program; use --trust if the file is your own")
    }
    words = kept
    saysWhen = line.parameters[Self.start] == event.item.line("DTSTART")?.value
    guard !saysWhen else { return }
    for key in Schedule.keys.subtracting(["missed", "grace", "wake"]) { words[key] = nil }
  }
}
