// SPDX-License-Identifier: Apache-2.0
internal import Calendars
internal import CenterClient
internal import EventLoop
internal import Glibc
internal import NotificationModel

extension Verb {
  static let exporting = Verb(
    name: "export", synopsis: "[FILE] [flags]", summary: "write pending requests to a file for 'suzu import'",
    flags: [
      Flag(
        "app", "APP", completing: .apps,
        "export only this app (default: all apps; with --categories \(NotificationRequest.defaultApp))"
      ),
      Flag("ics", nil, "write iCalendar instead of JSON"),
      Flag("categories", nil, "write the app's categories instead, as JSON"),
      Flag(
        "everything", nil,
        "write all requests, all categories (also those in files), the settings of 'suzu apps', the places, what is "
          + "muted, and quiet hours, as JSON"),
    ],
    words: [.file],
    examples: [
      "suzu export reminders.json",
      "suzu export --ics ~/reminders.ics",
      "suzu export --categories --app org.example.Tea",
      "suzu export --everything suzu.json",
    ]
  ) { arguments, loop in
    if arguments.words.count > 1 { throw CommandError.usage("unexpected argument '\(arguments.words[1])'") }
    if arguments.has("ics"), arguments.has("categories") {
      throw CommandError.usage("'--ics' and '--categories' cannot be combined: iCalendar has no categories")
    }
    if arguments.has("everything"), let other = ["ics", "categories", "app"].first(where: arguments.has) {
      throw CommandError.usage("'--everything' and '--\(other)' cannot be combined")
    }
    try await ExportCommand(arguments: arguments).run(on: loop)
    return EX_OK
  }
}

/// `suzu export`: writes the pending requests in a form that does not depend on when it is read again.
struct ExportCommand {
  let arguments: Arguments

  func run(on loop: EventLoop) async throws {
    // Loaded before the center is asked, because it may not be installed.
    let library = arguments.has("ics") ? try ICalLibrary.load() : nil
    let center = try await Center.connect(on: loop)
    if arguments.has("categories") {
      let app = arguments.value("app") ?? NotificationRequest.defaultApp
      let own = try await center.categories(app: app).filter { $0.file == nil }.map(\.category.plain.json)
      return try write("{\"app\":\(PlainValue.text(app).json),\"categories\":[" + own.joined(separator: "\n,") + "]}\n")
    }
    var rows: [ListedRequest] = []
    var cursor: ListingCursor?
    repeat {
      let page = try await center.pending(
        app: arguments.value("app") ?? "", after: cursor, limit: ListingPrinter.page)
      rows += page
      cursor = page.next
    } while cursor != nil
    if let library {
      let isNamed = rows.contains { row in
        if case .place(.named)? = (try? row.request())?.schedule.occasions?.condition.subject { true } else { false }
      }
      return try writeCalendar(rows, library, isNamed ? try await center.places() : [])
    }
    let requests = try rows.map { row throws(CommandError) in
      do throws(RequestError) { return try row.settledRequest() } catch {
        throw .data("'\(PrintableText.line(row.id, atMost: 120))' cannot be read: \(error)")
      }
    }
    if arguments.has("everything") {
      return try write(
        ExportedEverything.text(
          of: requests, try await center.categories(), try await center.apps(), try await center.places(),
          try await center.mutes(), [try await center.quiet()] + (try await center.quietApps()),
          ownFilesIn: try? CategoryFolder().path))
    }
    try write("[" + requests.map(\.json).joined(separator: "\n,") + "]\n")
  }

  private func writeCalendar(
    _ rows: [ListedRequest], _ library: ICalLibrary, _ places: [NamedPlace]
  ) throws(CommandError) {
    var writer = CalendarWriter(library: library, clock: LocalTime.current(), places: places)
    for row in rows { try writer.add(row) }
    guard let text = writer.text else {
      throw CommandError(message: "libical could not write this calendar", status: EX_SOFTWARE)
    }
    if !writer.unsupported.isEmpty {
      let ids = writer.unsupported.prefix(5).map { "'\(PrintableText.line($0, atMost: 60))'" }.joined(separator: ", ")
      let more = writer.unsupported.count > 5 ? " and \(writer.unsupported.count - 5) more" : ""
      Console.warn("export", "other calendar programs show only the next date of \(ids)\(more)")
    }
    try write(text)
  }

  private func write(_ text: String) throws(CommandError) {
    guard let name = arguments.words.first, name != "-" else {
      // Keeps the line ends of the file format.
      Console.print(String(text.dropLast()) + (text.hasSuffix("\r\n") ? "\r" : ""))
      return
    }
    try Console.replace(name, with: text)
  }
}
