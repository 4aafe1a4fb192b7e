// SPDX-License-Identifier: Apache-2.0

/// The simple commands of a shell's command line, as far as they can be told without running it.
struct ShellLine {
  /// A program and its arguments.
  struct Command: Equatable {
    var words: [String] = []
    /// The files that its output goes to.
    var outputs: [String] = []
    /// Whether it reads the output of the command before it.
    var isPiped = false
  }

  private(set) var commands: [Command] = []
  private var current = Command()
  private var word: String?
  /// Whether the next word is a file for the output.
  private var isOutput = false
  private var depth: Int

  /// How deep one shell may call another.
  private static let deepest = 4
  /// Longer lines are not looked at: no person reads them either.
  static let longest = 64 << 10

  init(_ text: String) { self.init(text, depth: 0) }

  private init(_ text: String, depth: Int) {
    self.depth = depth
    split(Substring(text.prefix(Self.longest)))
  }

  private mutating func split(_ text: Substring) {
    var rest = text
    var quote: Character?
    // What ends each open substitution, and the quote around it.
    var open: [(end: Character, quote: Character?)] = []
    while let character = rest.popFirst() {
      switch (character, quote) {
      case ("\\", nil), ("\\", "\""):
        if let next = rest.popFirst(), next != "\n" { add(next) }
      case (_, let around?) where character == around: quote = nil
      // A substitution runs in double quotes, too.
      case ("$", let around) where around != "'" && rest.first == "(":
        rest.removeFirst()
        endCommand(isPiped: false)
        open.append((")", quote))
        quote = nil
      case ("`", let around) where around != "'":
        endCommand(isPiped: false)
        if open.last?.end == "`" {
          quote = open.removeLast().quote
        } else {
          open.append(("`", quote))
          quote = nil
        }
      case (")", nil) where open.last?.end == ")":
        endCommand(isPiped: false)
        quote = open.removeLast().quote
      case (_, .some): add(character)
      case ("'", nil), ("\"", nil):
        quote = character
        word = word ?? ""
      case ("#", nil) where word == nil: rest = rest.drop { $0 != "\n" }
      case (";", nil), ("&", nil), ("\n", nil), ("(", nil), (")", nil),
        ("{", nil) where word == nil, ("}", nil) where word == nil:
        if character == "&", rest.first == ">" { continue }
        endCommand(isPiped: false)
      case ("|", nil):
        // `||` begins another command, and `|&` is a pipe, too.
        let isOr = rest.first == "|"
        if isOr || rest.first == "&" { rest.removeFirst() }
        endCommand(isPiped: !isOr)
      case (">", nil):
        // `2>&1` names no file.
        if let digits = word, digits.allSatisfy(\.isNumber) { word = nil }
        endWord()
        if rest.first == ">" || rest.first == "|" { rest.removeFirst() }
        if rest.first == "&" {
          rest = rest.dropFirst().drop { $0.isNumber || $0 == "-" }
        } else {
          isOutput = true
        }
      case ("<", nil): endWord()
      case (_, nil) where character.isWhitespace: endWord()
      default: add(character)
      }
    }
    endCommand(isPiped: false)
  }

  private mutating func add(_ character: Character) { word = (word ?? "") + String(character) }

  private mutating func endWord() {
    guard let ended = word else { return }
    word = nil
    if isOutput { current.outputs.append(ended) } else { current.words.append(ended) }
    isOutput = false
  }

  private mutating func endCommand(isPiped: Bool) {
    endWord()
    isOutput = false
    let ended = current
    current = Command(isPiped: isPiped)
    guard !ended.words.isEmpty || !ended.outputs.isEmpty else { return }
    commands.append(ended)
    guard depth < Self.deepest, let inner = ended.innerLine else { return }
    commands += ShellLine(inner, depth: depth + 1).commands
  }
}

extension ShellLine.Command {
  /// The programs that only start another one, with the flags of theirs that take a value.
  private static let starters: [String: Set<String>] = [
    "sudo": ["-u", "-g", "-h", "-p", "-C", "-D"], "doas": ["-u", "-C"], "env": ["-u", "-C", "-S"], "nohup": [],
    "time": [], "nice": ["-n"], "ionice": ["-c", "-n"], "timeout": ["-s", "-k"],
    "xargs": ["-I", "-n", "-P", "-L", "-d"],
    "command": [], "exec": [], "builtin": [], "setsid": [], "stdbuf": ["-o", "-i", "-e"], "then": [], "do": [],
    "else": [],
    "if": [], "while": [], "!": [],
  ]

  static let shells: Set<String> = ["sh", "bash", "dash", "zsh", "ksh", "fish", "ash"]

  private static func name(_ word: String) -> String { word.split(separator: "/").last.map(String.init) ?? word }

  /// The names of the programs that start the last one, and of that, with its arguments.
  var program: (starters: [String], name: String, arguments: [String]) {
    var rest = words[...]
    var starters: [String] = []
    while let word = rest.first {
      // An assignment for the program.
      if word.contains("="), word.first?.isLetter == true || word.first == "_", !word.hasPrefix("-") {
        rest.removeFirst()
        continue
      }
      guard let flags = Self.starters[Self.name(word)] else { break }
      starters.append(Self.name(word))
      rest.removeFirst()
      while let flag = rest.first, flag.hasPrefix("-") {
        rest.removeFirst()
        if flags.contains(flag), !rest.isEmpty { rest.removeFirst() }
      }
      // The time limit.
      if starters.last == "timeout", rest.first?.first?.isNumber == true { rest.removeFirst() }
    }
    return (starters, rest.first.map(Self.name) ?? "", Array(rest.dropFirst()))
  }

  /// The command line that it gives to a shell: that of `sh -c`, `eval` and `ssh`.
  fileprivate var innerLine: String? {
    let (_, name, arguments) = program
    if name == "eval" { return arguments.joined(separator: " ") }
    if Self.shells.contains(name) || name == "su",
      let flag = arguments.firstIndex(where: { $0.hasPrefix("-") && !$0.hasPrefix("--") && $0.hasSuffix("c") })
    {
      return arguments[arguments.index(after: flag)...].first
    }
    if name == "find", let exec = arguments.firstIndex(where: { ["-exec", "-execdir", "-ok"].contains($0) }) {
      return arguments[arguments.index(after: exec)...].prefix { $0 != ";" && $0 != "+" }.joined(separator: " ")
    }
    if name == "ssh" { return arguments.drop { $0.hasPrefix("-") }.dropFirst().joined(separator: " ") }
    return nil
  }
}
