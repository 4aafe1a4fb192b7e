// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// A flag of a verb.
struct Flag {
  /// Without its dashes.
  let name: String
  /// What stands for its value in help; nil where it has none.
  let value: String?
  /// One line of help.
  let help: String

  init(_ name: String, _ value: String? = nil, _ help: String) {
    self.name = name
    self.value = value
    self.help = help
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
      guard word.hasPrefix("--") else {
        // A lone dash is a word: it stands for standard input.
        guard !word.hasPrefix("-") || word == "-" else { throw .usage("'\(word)' is not an option") }
        words.append(word)
        continue
      }
      let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      guard let flag = flags.first(where: { $0.name == name }) else { throw Self.unknown(name, among: flags) }
      values[name, default: []].append(try Self.value(of: flag, parts.count > 1 ? String(parts[1]) : nil, &rest))
    }
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
}

/// `; did you mean '…'?`, where one of the known words is near.
func suggestion(for word: String, among known: [String], as form: (String) -> String = { $0 }) -> String {
  let near = known.map { (word: $0, distance: $0.distance(to: word)) }.filter { $0.distance <= 2 }
  guard let nearest = near.min(by: { ($0.distance, $0.word) < ($1.distance, $1.word) }) else { return "" }
  return "; did you mean '\(form(nearest.word))'?"
}
