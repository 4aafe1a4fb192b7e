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
  var help: String {
    var lines = ["suzu \(name): \(summary)", "Usage: suzu \(name) \(synopsis)", ""]
    let width = shownFlags.map(\.form.count).max() ?? 0
    for (heading, flags) in paragraphs where !flags.isEmpty {
      if let heading { lines.append(heading) }
      for flag in flags {
        lines.append("  " + flag.form + String(repeating: " ", count: width - flag.form.count + 2) + flag.help)
      }
      lines.append("")
    }
    if !notes.isEmpty { lines += notes + [""] }
    lines.append("Examples:")
    lines += examples.map { "  " + $0 }
    return lines.joined(separator: "\n")
  }
}
