// SPDX-License-Identifier: Apache-2.0

/// A flag of a verb.
struct Flag {
  /// Without its dashes.
  let name: String
  /// Its name with a single dash.
  let letter: Character?
  /// What stands for its value in help; nil where it has none.
  let value: String?
  /// One line of help.
  let help: String
  /// What its value can be, for those who complete it and for those who mistype it.
  let completion: Completion

  init(
    _ name: String, letter: Character? = nil, _ value: String? = nil, completing completion: Completion = .nothing,
    _ help: String
  ) {
    self.name = name
    self.letter = letter
    self.value = value
    self.completion = completion
    self.help = help
  }

  /// As help shows it: `-n, --limit N`.
  var form: String {
    (letter.map { "-\($0), " } ?? "") + "--" + name + (value.map { " " + $0 } ?? "")
  }
}

/// What a shell offers where a value or a word is to be typed.
enum Completion: Equatable {
  case nothing
  /// One of these and no other.
  case words([String])
  /// The shell knows how.
  case file
  /// The center does: ids of what is pending, on the screen, or either; the actions of the id in the verb's first word;
  /// registered categories, alone or with freedesktop's kinds.
  case pendingIDs, shownIDs, ids, actions, apps, registeredCategories, categories
  /// The machine does: time zones, whose desktop may be meant, and the launcher's apps and actions (all of them, or what
  /// is switched on, as the verb's first word wants it; files, where that is 'import').
  case zones, users, launchables
}
