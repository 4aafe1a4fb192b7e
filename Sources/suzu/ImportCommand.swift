// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import EventLoop
internal import Glibc
internal import NotificationModel

extension Verb {
  static let importing = Verb(
    name: "import", synopsis: "FILE… [flags]",
    summary: "import requests, categories and calendar reminders from files, all or none",
    flags: [
      Flag(
        "app", "APP", completing: .apps,
        "name the app that owns requests without one (default: \(NotificationRequest.defaultApp))"
      ),
      Flag(
        "skip", nil,
        "skip invalid alarms, and those that a request cannot express, with a warning; without it, they are errors"),
      Flag("trust", nil, "allow buttons that run programs, in a calendar that 'suzu export' wrote"),
    ],
    words: [.file],
    examples: [
      "suzu import reminders.json                       (JSON or a property list: requests or categories)",
      "suzu import ~/calendar.ics --skip                (iCalendar: an alarm becomes a request, its UID the id)",
      "suzu export | ssh other-machine suzu import -",
    ]
  ) { arguments, loop in
    guard !arguments.words.isEmpty else {
      throw CommandError.usage("no file given; use JSON, a property list or iCalendar (- is standard input)")
    }
    return try await ImportCommand(arguments).run(on: loop)
  }
}

/// `suzu import`: sends what the files contain to the center, all or none.
struct ImportCommand {
  private let files: ImportedFiles

  init(_ arguments: Arguments) throws(CommandError) { files = try ImportedFiles(arguments) }

  func run(on loop: EventLoop) async throws -> Int32 {
    for remark in files.remarks { Console.remark(PrintableText.line(remark, atMost: 400)) }
    for warning in files.warnings { Console.warn("import", PrintableText.line(warning, atMost: 400)) }
    if files.isEmpty {
      if Console.hasReader && files.remarks.isEmpty && files.warnings.isEmpty { Console.remark("nothing to import") }
      return EX_OK
    }
    let center = try await Center.connect(on: loop)
    // Requests may refer to the categories and the places, so those are first; if the requests are refused, the old
    // ones are restored.
    var before: [(app: String, categories: [Category])] = []
    var placesBefore: [NamedPlace]?
    var restored = RestoredCategoryFiles()
    do {
      try await restored.write(files.filed, for: center, on: loop)
      for (app, new) in files.categories.sorted(by: { $0.key < $1.key }) {
        let own = try await center.categories(app: app).filter { $0.file == nil }.map(\.category)
        let names = Set(new.map(\.id))
        try await center.setCategories(own.filter { !names.contains($0.id) } + new, app: app)
        before.append((app, own))
      }
      if !files.places.isEmpty {
        let named = try await center.places()
        try await center.setPlaces(
          named.filter { one in !files.places.contains { $0.name.isIdentical(to: one.name) } } + files.places)
        placesBefore = named
      }
      if !files.requests.isEmpty {
        Console.print(try await center.notify(files.requests).map(\.text).joined(separator: "\n"))
      }
    } catch {
      for (app, categories) in before { try? await center.setCategories(categories, app: app) }
      if let placesBefore { try? await center.setPlaces(placesBefore) }
      restored.remove()
      throw await located(error, center)
    }
    for one in files.apps {
      if one.isDecided { try await center.allow(app: one.app, one.allowed) }
      if one.delivery != nil || one.away != .show {
        try await center.configure(app: one.app, delivery: one.delivery, away: one.away)
      }
      if one.previews != .always { try await center.configure(app: one.app, previews: one.previews) }
    }
    for mute in files.mutes { try await center.mute(mute) }
    for one in files.quiet {
      try await center.setQuiet(one.edit(besides: try await center.quiet(app: one.app).hours), app: one.app)
    }
    tell(of: restored)
    return EX_OK
  }

  /// The center's error about one of the requests, `[3]: 'category' names …`, with the place in its file.
  private func located(_ error: any Error, _ center: Center) async -> any Error {
    guard let refusal = error as? SuzuError, refusal.code == .invalidRequest else {
      return RequestSize.error(error, of: files.requests, in: nil)
    }
    // The center counts only the requests of a list with several.
    var (number, problem) = (0, refusal.message)
    if problem.first == "[", let end = problem.firstIndex(of: "]") {
      number = Int(problem[..<end].dropFirst()) ?? -1
      problem = String(problem[end...].dropFirst(3))
    }
    guard files.origins.indices.contains(number), number > 0 || files.origins.count == 1 || problem != refusal.message
    else {
      return error
    }
    let message = await CategoryHint(center).message(
      problem, for: [files.requests[number]],
      otherwise: "; define it first, in ~/.config/suzu/categories.d or with 'suzu category set'")
    guard message.first == "'", let keyEnd = message.dropFirst().firstIndex(of: "'") else {
      return CommandError.data("\(files.origins[number]("")): \(message)")
    }
    let key = String(message[..<keyEnd].dropFirst())
    return CommandError.data(files.origins[number](key) + message[message.index(after: keyEnd)...])
  }

  /// Says what the import of a backup changed other than requests: the ids of those are printed.
  private func tell(of restored: RestoredCategoryFiles) {
    guard files.isBackup else { return }
    for (path, ids) in restored.written {
      let ids = ids.map { PrintableText.line($0, atMost: 60) }.joined(separator: ", ")
      Console.remark("wrote \(PrintableText.line(path, atMost: 200)): \(ids)")
    }
    for (app, new) in files.categories.sorted(by: { $0.key < $1.key }) {
      let ids = new.map { PrintableText.line($0.id, atMost: 60) }.joined(separator: ", ")
      Console.remark("categories of \(PrintableText.line(app, atMost: 60)): \(ids)")
    }
    if !files.apps.isEmpty {
      let names = files.apps.map { PrintableText.line($0.app, atMost: 60) }.joined(separator: ", ")
      Console.remark("settings of: \(names)")
    }
    if !files.places.isEmpty {
      let names = files.places.map { PrintableText.line($0.name, atMost: 60) }.joined(separator: ", ")
      Console.remark("places: \(names)")
    }
    if !files.mutes.isEmpty {
      let names = files.mutes.map { PrintableText.line($0.id.text, atMost: 60) }.joined(separator: ", ")
      Console.remark("muted: \(names)")
    }
    if !files.quiet.isEmpty {
      let names = files.quiet.map { $0.app.map { PrintableText.line($0, atMost: 60) } ?? "all apps" }.joined(
        separator: ", ")
      Console.remark("quiet hours of: \(names)")
    }
  }
}
