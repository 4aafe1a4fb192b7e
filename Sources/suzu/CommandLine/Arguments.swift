// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// The arguments of a verb, split into flags and words.
struct Arguments {
  private(set) var words: [String] = []
  private var values: [String: [String]] = [:]
  /// The flags that were given by letter.
  private var letters: Set<Character> = []
  /// Each flag as it was typed last: `--count` or `-n`.
  private var forms: [String: String] = [:]
  /// The flag whose value stands directly before a word, by the index of the word.
  private(set) var flagsBefore: [Int: String] = [:]
  /// That value, by the index of the word.
  private(set) var valuesBefore: [Int: String] = [:]
  /// Whether the last of several values of a flag counts, and any text may be a value, as in GLib's programs.
  private let isLenient: Bool
  /// The verb, for advice; empty if it is not known.
  private let verb: String
  /// All that was typed behind the verb.
  let raw: [String]
  /// The words behind `--`; nil if there is none.
  private(set) var wordsBehindDashes: [String]?

  /// Splits `raw` by the verb's flags. Only `--` ends the flags.
  init(
    _ raw: some Sequence<String>, flags: [Flag], of verb: String = "", isLenient: Bool = false
  ) throws(CommandError) {
    self.isLenient = isLenient
    self.verb = verb
    self.raw = Array(raw)
    var rest = self.raw[...]
    var last: String?
    while let word = rest.popFirst() {
      if word == "--" {
        words += rest
        wordsBehindDashes = Array(rest)
        return
      }
      // A single dash is a word: it stands for standard input.
      guard word.hasPrefix("-"), word != "-" else {
        flagsBefore[words.count] = last
        valuesBefore[words.count] = last.flatMap { values[$0]?.last }
        last = nil
        words.append(word)
        continue
      }
      let flag = word.hasPrefix("--") ? try takeName(word, flags, &rest) : try takeLetters(word, flags, &rest)
      last = flag?.value == nil ? nil : flag?.name
    }
  }

  /// Parses `--limit 5` and `--limit=5`.
  private mutating func takeName(
    _ word: String, _ flags: [Flag], _ rest: inout ArraySlice<String>
  ) throws(CommandError) -> Flag {
    let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let flag = flags.first(where: { $0.name == name }) else {
      throw .unknownFlag(
        word, name, flags, of: verb, value: parts.count > 1 ? String(parts[1]) : rest.first { !$0.hasPrefix("-") })
    }
    forms[name] = "--" + name
    try take(flag, attached: parts.count > 1 ? String(parts[1]) : nil, flags, &rest)
    return flag
  }

  /// Parses `-n 5`, `-n5`, and combined letters like getopt: `-qn5`.
  private mutating func takeLetters(
    _ word: String, _ flags: [Flag], _ rest: inout ArraySlice<String>
  ) throws(CommandError) -> Flag? {
    var left = word.dropFirst()
    // `-in 5m` would set the icon 'n', and show the title '5m'.
    if !isLenient, left.count > 1, flags.contains(where: { $0.name == left }) {
      throw .usage("'\(word)' is not an option; did you mean '-\(word)'?")
    }
    var last: Flag?
    while let letter = left.popFirst() {
      guard let flag = flags.first(where: { $0.letter == letter }) else {
        throw .unknownFlag(word, String(word.dropFirst()), flags, of: verb, in: raw)
      }
      letters.insert(letter)
      forms[flag.name] = "-\(letter)"
      let attached = flag.value == nil || left.isEmpty ? nil : String(left)
      try take(flag, attached: attached, flags, &rest)
      last = flag
      if attached != nil { break }
    }
    return last
  }

  private mutating func take(
    _ flag: Flag, attached: String?, _ flags: [Flag], _ rest: inout ArraySlice<String>
  ) throws(CommandError) {
    guard let placeholder = flag.value else {
      try refuseValue(attached, of: flag, rest)
      values[flag.name, default: []].append("")
      return
    }
    // `--every --count 3` lacks a value; `--every=--count` has one.
    let isFlag = rest.first.map { next in !isLenient && flags.contains { next == "--" + $0.name } } ?? false
    guard let value = attached ?? (isFlag ? nil : rest.popFirst()) else {
      throw .usage("'--\(flag.name)' needs a value: --\(flag.name) \(placeholder)")
    }
    if !isLenient, !flag.isList, let other = values[flag.name]?.first {
      let texts = [other, value].map { "'\(PrintableText.line($0, atMost: 60))'" }
      throw .usage("'--\(flag.name)' is given twice: \(texts.joined(separator: " and "))")
    }
    values[flag.name, default: []].append(value)
  }

  /// Refuses a value of a flag that takes none. A number after `--repeat`, behind a title, is no body either.
  private func refuseValue(
    _ attached: String?, of flag: Flag, _ rest: ArraySlice<String>
  ) throws(CommandError) {
    let next = flag.name == "repeat" && !words.isEmpty ? rest.first : nil
    if flag.name == "repeat", let text = attached ?? next, Int(text) == nil, (try? Duration.parse(text)) != nil {
      throw .usage("'--repeat' takes no value; write --every \(PrintableText.line(text, atMost: 60))")
    }
    let number = (attached ?? next).flatMap { Int($0) }
    if flag.name == "repeat", let number, number > 0 {
      throw .usage("'--repeat' takes no value; for \(number) dates add --count \(number)")
    }
    if attached != nil { throw .usage("'--\(flag.name)' takes no value") }
  }

  func has(_ name: String) -> Bool { values[name] != nil }
  /// The flag as the user typed it, `--count` or `-n`; nil if it is missing.
  func typed(_ name: String) -> String? { forms[name] }
  /// Whether the flag was given by letter.
  func has(letter: Character) -> Bool { letters.contains(letter) }
  /// The flag's value; the last one counts.
  func value(_ name: String) -> String? { values[name]?.last }
  func all(_ name: String) -> [String] { values[name] ?? [] }

  /// A positive integer; nil if the flag is missing.
  func count(_ name: String) throws(CommandError) -> Int? {
    guard let text = value(name) else { return nil }
    guard let count = Int(text), count > 0 else {
      throw .data("'--\(name) \(PrintableText.line(text, atMost: 60))' must be a positive integer")
    }
    return count
  }

  /// Rejects all words, for verbs that take only flags.
  func refuseWords() throws(CommandError) { try refuseWords(after: 0) }

  /// Rejects words beyond `count`.
  func refuseWords(after count: Int) throws(CommandError) {
    guard words.count > count else { return }
    throw .usage("unexpected argument '\(PrintableText.line(words[count], atMost: 60))'")
  }
}

extension CommandError {
  fileprivate static func unknownFlag(
    _ word: String, _ name: String, _ flags: [Flag], of verb: String, value: String? = nil, in raw: [String] = []
  ) -> CommandError {
    let typed = word.split(separator: "=", maxSplits: 1).first ?? ""
    let name = String(name.prefix { $0 != "=" })
    let isNotifySend = verb == NotifyCommand.notifySendName
    if isNotifySend, name == "user" { return .usage("'--user' is for root's 'suzu notify', not for 'notify-send'") }
    let near =
      GuessedWords.advice(onFlag: name, among: flags, of: verb, value: value).map { "; \($0)" }
      ?? joined(word, flags).map { "; did you mean '\($0)'?" }
      ?? suggestion(for: name, among: flags.map(\.name) + (isNotifySend ? ["help"] : ["help", "user"])) { "--\($0)" }
    // The user may have meant a text that begins with a dash.
    let takesID = ["cancel", "dismiss", "show", "edit", "respond", "why"].contains(verb) && !word.hasPrefix("--")
    let hint =
      near.isEmpty && takesID
      ? "; for an id that begins with a dash, write \(behindDashes(word, verb, raw))"
      : near.isEmpty && typed.contains(" ") ? "; put -- before a text that begins with a dash" : near
    return .usage("'\(PrintableText.line(String(typed), atMost: 60))' is not an option\(hint)")
  }

  /// The command line with an id that begins with a dash, and the words that follow it, behind two dashes.
  private static func behindDashes(_ id: String, _ verb: String, _ raw: [String]) -> String {
    let index = raw.firstIndex(of: id) ?? raw.endIndex
    let words = raw[index...].dropFirst().prefix { !$0.hasPrefix("-") }
    let others = raw[..<index] + raw[index...].dropFirst(1 + words.count)
    return
      (["suzu", verb] + others.map(CommandWords.quoted) + ["--", CommandWords.quoted(id)]
      + words.map(CommandWords.quoted)).joined(separator: " ")
  }

  /// `--in 5m` for `--in5m`.
  private static func joined(_ word: String, _ flags: [Flag]) -> String? {
    let text = word.drop { $0 == "-" }
    let name = text.prefix { $0.isLetter || $0 == "-" }
    let value = text.dropFirst(name.count)
    guard value.first?.isNumber == true, flags.contains(where: { $0.name == name && $0.value != nil }) else {
      return nil
    }
    return "--\(name) \(PrintableText.line(String(value), atMost: 60))"
  }
}

/// `; did you mean '…'?` if the word is a misspelling of a known one, otherwise empty.
func suggestion(for word: String, among known: [String], as form: (String) -> String = { $0 }) -> String {
  word.misspelling(ofOneOf: known).map { "; did you mean '\(form($0))'?" } ?? ""
}
