// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

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

  init(_ name: String, letter: Character? = nil, _ value: String? = nil, _ help: String) {
    self.name = name
    self.letter = letter
    self.value = value
    self.help = help
  }

  /// As help shows it: `-n, --limit N`.
  var form: String {
    (letter.map { "-\($0), " } ?? "") + "--" + name + (value.map { " " + $0 } ?? "")
  }
}

/// The words behind a verb, sorted into flags and the rest.
struct Arguments {
  private(set) var words: [String] = []
  private var values: [String: [String]] = [:]

  /// Sorts `raw` by the flags that the verb knows. `--` ends the flags; so does nothing else.
  init(_ raw: some Sequence<String>, flags: [Flag]) throws(CommandError) {
    var rest = Array(raw)[...]
    while let word = rest.popFirst() {
      if word == "--" {
        words += rest
        return
      }
      // A lone dash is a word: it stands for standard input.
      guard word.hasPrefix("-"), word != "-" else {
        words.append(word)
        continue
      }
      let (flag, attached) = try Self.flag(word, among: flags)
      values[flag.name, default: []].append(try Self.value(of: flag, attached, &rest))
    }
  }

  /// `--limit`, `--limit=5`, `-n`, `-n5`; there is no `-abc` for several.
  private static func flag(_ word: String, among flags: [Flag]) throws(CommandError) -> (Flag, attached: String?) {
    guard word.hasPrefix("--") else {
      let letter = word.dropFirst().first
      let rest = word.dropFirst(2)
      guard let flag = flags.first(where: { $0.letter != nil && $0.letter == letter }),
        rest.isEmpty || flag.value != nil
      else { throw .usage("'\(word)' is not an option") }
      return (flag, rest.isEmpty ? nil : String(rest))
    }
    let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let flag = flags.first(where: { $0.name == name }) else { throw unknown(name, among: flags) }
    return (flag, parts.count > 1 ? String(parts[1]) : nil)
  }

  private static func value(
    of flag: Flag, _ attached: String?, _ rest: inout ArraySlice<String>
  ) throws(CommandError) -> String {
    guard let placeholder = flag.value else {
      if attached != nil { throw .usage("'--\(flag.name)' takes no value") }
      return ""
    }
    guard let value = attached ?? rest.popFirst() else {
      throw .usage("'--\(flag.name)' needs a value: --\(flag.name) \(placeholder)")
    }
    return value
  }

  private static func unknown(_ name: String, among flags: [Flag]) -> CommandError {
    .usage("'--\(name)' is not an option" + suggestion(for: name, among: flags.map(\.name)) { "--\($0)" })
  }

  func has(_ name: String) -> Bool { values[name] != nil }
  /// Of a flag that is given twice the last counts.
  func value(_ name: String) -> String? { values[name]?.last }
  func all(_ name: String) -> [String] { values[name] ?? [] }

  /// A number from 1 on; nil where the flag is not there.
  func count(_ name: String) throws(CommandError) -> Int? {
    guard let text = value(name) else { return nil }
    guard let count = Int(text), count > 0 else {
      throw .usage("'--\(name) \(text)' must be a whole number from 1 on")
    }
    return count
  }

  /// For verbs that take flags only.
  func refuseWords() throws(CommandError) {
    if let word = words.first { throw .usage("'\(word)' is one word too many") }
  }
}

/// `; did you mean '…'?`, where one of the known words is near.
func suggestion(for word: String, among known: [String], as form: (String) -> String = { $0 }) -> String {
  let near = known.map { (word: $0, distance: $0.distance(to: word)) }.filter { $0.distance <= 2 }
  guard let nearest = near.min(by: { ($0.distance, $0.word) < ($1.distance, $1.word) }) else { return "" }
  return "; did you mean '\(form(nearest.word))'?"
}
