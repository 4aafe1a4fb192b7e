// SPDX-License-Identifier: Apache-2.0

/// Completes a command line, using the same tables as help and argument parsing.
struct Completer: Equatable {
  struct Candidate: Equatable {
    var text: String
    /// A description, for shells that show one.
    var help = ""
  }

  /// The candidates that need no query.
  private(set) var candidates: [Candidate] = []
  /// Further candidates that must be queried.
  private(set) var rest: Completion = .nothing
  /// The typed part of the word.
  private(set) var typed = ""
  /// The part of the word before the completed one: `--zone=`.
  private(set) var prefix = ""
  /// The verb's earlier words.
  private(set) var words: [String] = []
  /// The value of `--app`, if given.
  private(set) var app: String?
  /// The value of `--user`, if given.
  private(set) var user: String?

  /// - Parameter line: the words after `suzu`; the last is the one at the cursor, and may be empty.
  init(_ line: [String], verbs: [Verb]) {
    typed = line.last ?? ""
    var line = line
    if takeUser(from: &line) { return }
    guard line.count > 1, line[0] != "help" else {
      guard line.count <= 2 else { return }
      if typed.hasPrefix("-") && line.count < 2 {
        add(["--help", "--version"].map { Candidate(text: $0) } + [Self.userFlag])
      } else {
        add(verbs.map { Candidate(text: $0.name, help: $0.summary) })
      }
      return
    }
    guard let verb = verbs.first(where: { $0.name == line[0] }) else { return }
    complete(line.dropFirst().dropLast(), verb)
  }

  private static let userFlag = Candidate(text: "--user", help: "choose the user whose desktop is used, as root")

  /// Removes `--user NAME`, which may stand before or after the verb; returns true if its name is being completed.
  private mutating func takeUser(from line: inout [String]) -> Bool {
    let end = line.firstIndex(of: "--") ?? line.endIndex
    guard let index = line[..<end].firstIndex(where: { $0 == "--user" || $0.hasPrefix("--user=") }) else {
      return false
    }
    let isAttached = line[index] != "--user"
    // The last word may be incomplete: `--user` may become `--user-info`.
    guard index < line.endIndex - 1 || isAttached else { return false }
    let value = isAttached ? line[index].dropFirst("--user=".count) : line[index + 1][...]
    let last = isAttached ? index : index + 1
    if last == line.endIndex - 1 {
      if isAttached { prefix = "--user=" }
      typed = String(value)
      rest = .users
      return true
    }
    user = String(value)
    line.removeSubrange(index...last)
    return false
  }

  private mutating func add(_ more: [Candidate]) { candidates += more.filter { $0.text.hasPrefix(prefix + typed) } }

  private mutating func complete(_ before: ArraySlice<String>, _ verb: Verb) {
    var areFlagsOver = false
    var pending: Flag?
    for word in before {
      if let flag = pending {
        note(flag, word)
        pending = nil
      } else if word == "--" {
        areFlagsOver = true
      } else if areFlagsOver || !word.hasPrefix("-") || word == "-" {
        words.append(word)
      } else {
        pending = openFlag(word, verb)
      }
    }
    if let flag = pending { return offer(flag.completion) }
    guard typed.hasPrefix("-"), !areFlagsOver else {
      return offer(verb.words.isEmpty ? .nothing : verb.words[min(words.count, verb.words.count - 1)])
    }
    if let equals = typed.firstIndex(of: "="), typed.hasPrefix("--") {
      let name = typed[..<equals].dropFirst(2)
      guard let flag = verb.flags.first(where: { $0.name == name && $0.value != nil }) else { return }
      prefix = String(typed[...equals])
      typed = String(typed[equals...].dropFirst())
      return offer(flag.completion)
    }
    add(verb.shownFlags.map { Candidate(text: "--" + $0.name, help: $0.help) })
    add(verb.shownFlags.compactMap { flag in flag.letter.map { Candidate(text: "-\($0)", help: flag.help) } })
    add([Self.userFlag, Candidate(text: "--help", help: "print the flags and examples")])
  }

  private mutating func note(_ flag: Flag, _ value: String) {
    if flag.name == "app" { app = value }
  }

  /// The flag whose value is the next word, if any.
  private mutating func openFlag(_ word: String, _ verb: Verb) -> Flag? {
    guard word.hasPrefix("--") else {
      var letters = word.dropFirst()
      while let letter = letters.popFirst() {
        guard let flag = verb.flags.first(where: { $0.letter == letter }) else { return nil }
        if flag.value != nil { return letters.isEmpty ? flag : nil }
      }
      return nil
    }
    let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let flag = verb.flags.first(where: { $0.name == parts[0] && $0.value != nil }) else { return nil }
    if parts.count == 1 { return flag }
    note(flag, String(parts[1]))
    return nil
  }

  private mutating func offer(_ completion: Completion) {
    if case .words(let known) = completion { return offer(known.map { Candidate(text: $0) }) }
    rest = completion
  }

  /// Adds candidates from a query.
  mutating func offer(_ told: [Candidate]) {
    add(told.map { Candidate(text: prefix + $0.text, help: $0.help) })
  }
}
