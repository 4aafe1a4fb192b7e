// SPDX-License-Identifier: Apache-2.0

/// A flag of a verb.
struct Flag {
  /// The name without dashes.
  let name: String
  /// The short form.
  let letter: Character?
  /// The placeholder for the value in help; nil if the flag takes none.
  let value: String?
  /// One line of help.
  let help: String
  /// The possible values, for completion and suggestions.
  let completion: Completion
  /// Whether it may be given several times, each time with another value.
  let isList: Bool

  init(
    _ name: String, letter: Character? = nil, _ value: String? = nil, completing completion: Completion = .nothing,
    isList: Bool = false, _ help: String
  ) {
    self.name = name
    self.letter = letter
    self.value = value
    self.completion = completion
    self.isList = isList
    self.help = help
  }

  /// The form in help: `-n, --limit N`.
  var form: String {
    (letter.map { "-\($0), " } ?? "") + "--" + name + (value.map { " " + $0 } ?? "")
  }
}

/// Flags of one subject, under a heading in help.
struct FlagGroup {
  let heading: String
  let flags: [Flag]

  init(_ heading: String, _ flags: [Flag]) {
    self.heading = heading
    self.flags = flags
  }
}

/// What a shell completes for a value or a word.
enum Completion: Equatable {
  case nothing
  /// A fixed list of words.
  case words([String])
  /// Completed by the shell.
  case file
  /// Completed by the center: ids of pending or shown requests or both, or of the history; actions of the id in the
  /// first word; registered categories, alone or with freedesktop's.
  case pendingIDs, shownIDs, ids, pastIDs, actions, apps, registeredCategories, categories
  /// Completed from the system: time zones, users, and the launcher's apps and actions (all or only those switched on,
  /// depending on the verb's first word; files for 'import').
  case zones, users, launchables
}
