// SPDX-License-Identifier: Apache-2.0
internal import Calendars
internal import CenterClient
internal import NotificationModel
internal import Triggers
internal import Zoneinfo

/// What the files of `suzu import` contain: all of them are read and checked before anything is sent.
struct ImportedFiles {
  private(set) var requests: [[String: PlainValue]] = []
  /// Where each request comes from: the file, the place in it, and the path of the key there.
  private(set) var origins: [(_ key: String) -> String] = []
  /// The categories by app.
  private(set) var categories: [String: [Category]] = [:]
  /// The files of categories, in an export of everything.
  private(set) var filed: [ExportedEverything.CategoryFile] = []
  /// What the user decided about apps, in an export of everything.
  private(set) var apps: [AppSettings] = []
  /// The places that the user named, in an export of everything.
  private(set) var places: [NamedPlace] = []
  /// What is muted, in an export of everything.
  private(set) var mutes: [Mute] = []
  private(set) var quiet: [ExportedQuiet] = []

  /// Whether a file is an export of everything.
  private(set) var isBackup = false
  private(set) var remarks: [String] = []
  /// What the files have and the center does not get.
  private(set) var warnings: [String] = []
  /// The titles of the requests whose time has passed.
  private var past: [String] = []

  /// Whether they contain nothing to be sent.
  var isEmpty: Bool {
    requests.isEmpty && categories.isEmpty && filed.isEmpty && apps.isEmpty && places.isEmpty && mutes.isEmpty
      && quiet.isEmpty
  }

  private let app: String
  private let skips: Bool
  private let trusts: Bool
  private let clock: LocalTime
  private var library: ICalLibrary?

  init(_ arguments: Arguments) throws(CommandError) {
    app = arguments.value("app") ?? NotificationRequest.defaultApp
    // All requests of a calendar get it, and an export with it could not be imported.
    do throws(RequestError) { try TextChecks.check(["app": .text(app)]) } catch {
      throw .data(TypedKeys(arguments).text(error.description))
    }
    (skips, trusts) = (arguments.has("skip"), arguments.has("trust"))
    clock = LocalTime.current()
    for name in arguments.words {
      let bytes: [UInt8]
      do throws(CommandError) { bytes = try Console.read(name) } catch {
        throw Self.complaint(aboutCron: name).map { .data("a file is expected, not a line for cron; use \($0)") }
          ?? error
      }
      let file = name == "-" ? "standard input" : name
      if CalendarComponent.recognizes(bytes) {
        try takeCalendar(bytes, file)
      } else {
        try takeDocument(bytes, file)
      }
    }
    if !past.isEmpty { warnings.append("skipped because their time has passed: \(Self.named(past))") }
  }

  /// What to do with a line for cron; nil if the text is something else.
  private static func complaint(aboutCron text: String) -> String? {
    guard let line = CronLine(text) else { return nil }
    return line.translation.map { "suzu notify TITLE --every \(CommandWords.quoted($0))" }
  }

  /// What to do with a crontab; nil if the file is something else.
  private static func complaint(aboutCrontab bytes: [UInt8]) -> String? {
    guard bytes.count <= 100_000, let text = String(validating: bytes, as: UTF8.self) else { return nil }
    let lines = text.split(whereSeparator: \.isNewline)
    guard let line = lines.first(where: { CronLine(String($0))?.command != nil }) else { return nil }
    return complaint(aboutCron: String(line))
  }

  /// The number of these requests, and the first titles.
  static func named(_ titles: [String]) -> String {
    var different: [String] = []
    for title in titles where !different.contains(title) { different.append(title) }
    let names = different.prefix(3).map { "'\(PrintableText.line($0, atMost: 60))'" }.joined(separator: ", ")
    return "\(titles.count) (\(names)\(different.count > 3 ? " and others" : ""))"
  }

  private mutating func takeDocument(_ bytes: [UInt8], _ file: String) throws(CommandError) {
    let document: PlainDocument
    do throws(DocumentError) { document = try PlainDocument(bytes) } catch {
      if let remedy = Self.complaint(aboutCrontab: bytes) {
        throw .data("\(file) is a crontab; make a request for each line: \(remedy)")
      }
      throw .data(error.line(about: file))
    }
    if ExportedEverything.recognizes(document.value) { return try takeEverything(document, file) }
    // An export of nothing.
    if document.value == .list([]) {
      remarks.append("\(file): the list has no requests")
      return
    }
    let requests: RequestDocument
    do throws(DocumentError) {
      if Self.holdsCategories(document.value) { return try takeCategories(document) }
      requests = try RequestDocument(document)
    } catch {
      throw .data(error.line(about: file))
    }
    try takeRequests(requests, file)
  }

  private mutating func takeCategories(_ document: PlainDocument) throws(DocumentError) {
    let read = try CategoryDocument(document)
    try add(read.categories, of: read.app ?? app, document)
  }

  private mutating func add(
    _ new: [Category], of owner: String, _ document: PlainDocument
  ) throws(DocumentError) {
    let names = Set(new.map(\.id))
    if let twice = categories[owner]?.first(where: { names.contains($0.id) }) {
      throw document.error(RequestError("", "'\(twice.id)' is in an earlier file as well"))
    }
    categories[owner, default: []] += new
  }

  private mutating func takeEverything(_ document: PlainDocument, _ file: String) throws(CommandError) {
    do {
      let read = try ExportedEverything(document)
      do throws(RequestError) {
        try RepeatedIDs.check(
          read.requests.map(owned), path: { ExportedEverything.path("id", ofRequest: $0) }, place: document.place)
      } catch {
        throw document.error(error)
      }
      for (owner, new) in read.categories { try add(new, of: owner, document) }
      isBackup = true
      filed += read.filed
      apps += read.apps
      places += read.places
      quiet += read.quiet
      // The others have ended.
      mutes += read.mutes.filter { $0.until > clock.now.seconds }
      for (number, words) in read.requests.enumerated() {
        let words = owned(words)
        func path(_ key: String) -> String { ExportedEverything.path(key, ofRequest: number) }
        let checked: NotificationRequest
        do throws(RequestError) { checked = try NotificationRequest(words) } catch {
          throw document.error(RequestError(path(error.key), error.problem, isAboutKey: error.isAboutKey))
        }
        try takeScheduled(words, checked, number, document, file)
      }
    } catch let error as DocumentError {
      throw .data(error.line(about: file))
    } catch {
      throw error as? CommandError ?? .data("\(file): \(error)")
    }
  }

  /// The request with its app.
  private func owned(_ words: [String: PlainValue]) -> [String: PlainValue] {
    words["app"] == nil ? words.merging(["app": .text(app)]) { $1 } : words
  }

  private mutating func takeScheduled(
    _ words: [String: PlainValue], _ checked: NotificationRequest, _ number: Int,
    _ document: PlainDocument, _ file: String
  ) throws(CommandError) {
    func located(_ key: String) -> String {
      file + (document.place(of: RequestError(key, "")).map { ", \($0)" } ?? "")
    }
    do throws(TriggerError) {
      try take(words, checked) { key in
        let path = ExportedEverything.path(key, ofRequest: number)
        return located(path) + ": '\(path)'"
      }
    } catch {
      if let problem = clock.problem { throw problem }
      let key = ExportedEverything.path(error.key, ofRequest: number)
      throw .data("\(located(key)): \(error.about(key).description)")
    }
  }

  /// Categories have actions but no title.
  private static func holdsCategories(_ value: PlainValue) -> Bool {
    switch value {
    case .list(let values): values.first.map(holdsCategories) ?? false
    case .dictionary(let words):
      words["categories"] != nil
        || words["title"] == nil && words["body"] == nil && words["id"] != nil
          && ["actions", "minimal", "default", "customDismiss", "type"].contains { words[$0] != nil }
    default: false
    }
  }

  private mutating func takeRequests(
    _ document: RequestDocument, _ file: String
  ) throws(CommandError) {
    do throws(RequestError) {
      try RepeatedIDs.check(document.requests.map(owned), path: { "[\($0)].id" }, place: document.place)
    } catch {
      throw .data("\(file)\(document.place(of: error).map { ", \($0)" } ?? ""): \(error.description)")
    }
    for (number, words) in document.requests.enumerated() {
      let words = owned(words)
      func complaint(_ error: RequestError, _ text: String) -> CommandError {
        .data("\(file)\(document.place(of: error).map { ", \($0)" } ?? ""): \(text)")
      }
      let checked: NotificationRequest
      do throws(RequestError) {
        checked = try document.check(words, number: number)
        do throws(RequestError) {
          try TextChecks.check(words)
          try TextChecks.checkDate(words)
        } catch {
          throw RequestError((document.isList ? "[\(number)]." : "") + error.key, error.problem)
        }
      } catch {
        throw complaint(error, error.description)
      }
      do throws(TriggerError) {
        try take(words, checked) { key in
          let path = (document.isList ? "[\(number)]." : "") + key
          let place = document.place(of: RequestError(path, "")).map { ", \($0)" } ?? ""
          return "\(file)\(place): '\(path)'"
        }
      } catch {
        if let problem = clock.problem { throw problem }
        let wrong = document.error(about: error.key, number: number)
        throw complaint(wrong, error.about(wrong.key).description)
      }
    }
  }

  private mutating func takeCalendar(_ bytes: [UInt8], _ file: String) throws(CommandError) {
    let library = if let library { library } else { try ICalLibrary.load() }
    self.library = library
    do throws(CalendarError) {
      let read = try CalendarReader(
        bytes, library: library, app: app, skips: skips, trusts: trusts, local: LocalTime.rulesForTables)
      warnings += read.warnings.map { "\(file): \($0)" }
      if !read.withoutAlarm.isEmpty {
        warnings.append("\(file): skipped because they have no alarm: \(Self.named(read.withoutAlarm))")
      }
      for reminder in read.reminders {
        let checked: NotificationRequest
        do throws(RequestError) { checked = try NotificationRequest(reminder.words) } catch {
          throw CalendarError(line: reminder.line, "\(error)")
        }
        do throws(TriggerError) {
          try take(reminder.words, checked) { "\(file), line \(reminder.line): '\($0)'" }
        } catch {
          throw CalendarError(line: reminder.line, "\(error)")
        }
      }
    } catch {
      if let problem = clock.problem { throw problem }
      let hint = error.canBeSkipped ? "; use --skip to skip it" : ""
      throw .data("\(file), line \(error.line), column \(error.column): \(error.problem)\(hint)")
    }
  }

  /// Requests in the past are named and not sent: they would never be shown.
  private mutating func take(
    _ words: [String: PlainValue], _ checked: NotificationRequest, from origin: @escaping (_ key: String) -> String
  ) throws(TriggerError) {
    do throws(TriggerError) {
      if !checked.schedule.isNow { _ = try checked.schedule.trigger(made: clock.now, rules: clock.rules) }
      requests.append(words)
      origins.append(origin)
    } catch {
      guard error.code == .inThePast else { throw error }
      past.append(checked.content.title.isEmpty ? checked.content.body ?? "" : checked.content.title)
    }
  }
}
