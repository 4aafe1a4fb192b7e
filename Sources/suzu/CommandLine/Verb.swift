// SPDX-License-Identifier: Apache-2.0
internal import EventLoop

/// A command of `suzu`, such as `notify`.
struct Verb {
  let name: String
  /// The arguments after the name, for help.
  let synopsis: String
  /// One line for the list of verbs.
  let summary: String
  /// All flags.
  let flags: [Flag]
  /// The flags in help, in groups with optional headings.
  private let groups: [(heading: String?, flags: [Flag])]
  /// Completions of the words after the name; the last one applies to all further words.
  let words: [Completion]
  /// Explanations beyond the flags.
  let notes: [String]
  /// Example command lines.
  let examples: [String]
  /// Runs the command; returns the exit status.
  let run: @Sendable (Arguments, EventLoop) async throws -> Int32

  /// - Parameter groups: more flags, in groups with headings.
  /// - Parameter shownFlags: the names of the flags in help; nil for all.
  init(
    name: String, synopsis: String, summary: String, flags: [Flag] = [],
    groups: [FlagGroup] = [], shownFlags: Set<String>? = nil, words: [Completion] = [],
    notes: [String] = [], examples: [String], run: @escaping @Sendable (Arguments, EventLoop) async throws -> Int32
  ) {
    (self.name, self.synopsis, self.summary) = (name, synopsis, summary)
    self.flags = flags + groups.flatMap(\.flags)
    let ungrouped = shownFlags.map { names in flags.filter { names.contains($0.name) } } ?? flags
    self.groups = [(nil, ungrouped)] + groups.map { ($0.heading, $0.flags) }
    (self.words, self.notes, self.examples, self.run) = (words, notes, examples, run)
  }

  /// The flags in help.
  var shownFlags: [Flag] { groups.flatMap(\.flags) }

  /// Whether all its arguments are flags, so that the word `help` can only mean its help.
  var takesNoWords: Bool { ["", "[flags]"].contains(synopsis) || synopsis.hasPrefix("[--") }

  /// The output of `--help`.
  var help: String { help(columns: nil) }

  /// The help text wrapped to a terminal's width.
  func help(columns: Int?) -> String {
    var page = HelpPage(columns: columns)
    page.add("suzu \(name): \(summary)")
    page.add("Usage: suzu \(name)" + (synopsis.isEmpty ? "" : " \(synopsis)"))
    page.addBlank()
    for (heading, flags) in groups where !flags.isEmpty {
      if let heading { page.add(heading + ":") }
      page.add(flags.map { ($0.form, $0.help) }, aligned: flags.map(\.form.count).max() ?? 0)
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
