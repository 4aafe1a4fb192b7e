// SPDX-License-Identifier: Apache-2.0
internal import EventLoop

/// One thing that the command can do.
struct Verb {
  let name: String
  /// What stands behind the name.
  let synopsis: String
  /// One line for the list of verbs.
  let summary: String
  /// Everything it takes.
  let flags: [Flag]
  /// Its flags in paragraphs, each with a heading where it needs one.
  private let paragraphs: [(heading: String?, flags: [Flag])]
  /// What can stand in the places behind its name; the last is for all that follow.
  let words: [Completion]
  /// What flags alone do not tell.
  let notes: [String]
  /// Lines that a person could type.
  let examples: [String]
  /// Does it; returns the exit status.
  let run: @Sendable (Arguments, EventLoop) async throws -> Int32

  /// - Parameter moreFlags: a second paragraph of flags, with its heading.
  /// - Parameter shownFlags: the names of those that help shows; nil for all.
  init(
    name: String, synopsis: String, summary: String, flags: [Flag] = [],
    moreFlags: (heading: String, flags: [Flag])? = nil, shownFlags: Set<String>? = nil, words: [Completion] = [],
    notes: [String] = [], examples: [String], run: @escaping @Sendable (Arguments, EventLoop) async throws -> Int32
  ) {
    (self.name, self.synopsis, self.summary) = (name, synopsis, summary)
    self.flags = flags + (moreFlags?.flags ?? [])
    var paragraphs: [(heading: String?, flags: [Flag])] = [
      (nil, shownFlags.map { names in flags.filter { names.contains($0.name) } } ?? flags)
    ]
    if let moreFlags { paragraphs.append((moreFlags.heading, moreFlags.flags)) }
    self.paragraphs = paragraphs
    (self.words, self.notes, self.examples, self.run) = (words, notes, examples, run)
  }

  /// Those that help shows.
  var shownFlags: [Flag] { paragraphs.flatMap(\.flags) }

  /// What `--help` prints.
  var help: String { help(columns: nil) }

  /// The same for a terminal of that width.
  func help(columns: Int?) -> String {
    var page = HelpPage(columns: columns)
    page.add("suzu \(name): \(summary)")
    page.add("Usage: suzu \(name)" + (synopsis.isEmpty ? "" : " \(synopsis)"))
    page.addBlank()
    for (heading, flags) in paragraphs where !flags.isEmpty {
      if let heading { page.add(heading) }
      page.add(flags.map { ($0.form, $0.help) }, aligned: shownFlags.map(\.form.count).max() ?? 0)
      page.addBlank()
    }
    if !notes.isEmpty {
      page.add(paragraph: notes)
      page.addBlank()
    }
    page.add("Examples:")
    for example in examples { page.add(example: example) }
    return page.text
  }
}
