// SPDX-License-Identifier: Apache-2.0

/// How much a request could destroy, as a hint for the reader of a notification. It protects against nothing: a command
/// can hide what it does.
struct Risk: Equatable {
  enum Level: String, Comparable, CaseIterable {
    case none, low, medium, high

    static func < (left: Level, right: Level) -> Bool { rank(left) < rank(right) }

    private static func rank(_ level: Level) -> Int { allCases.firstIndex(of: level) ?? 0 }
  }

  /// What is known about a program.
  struct Rule {
    let programs: Set<String>
    /// An argument that must be there.
    let word: String?
    /// Flags of which one must be there; none means any.
    let flags: Set<String>
    let risk: Risk

    init(_ programs: Set<String>, word: String? = nil, flags: Set<String> = [], _ level: Level, _ reason: String) {
      (self.programs, self.word, self.flags) = (programs, word, flags)
      risk = Risk(level, reason)
    }

    func fits(_ program: String, _ arguments: [String]) -> Bool {
      // `mkfs.ext4`
      guard programs.contains(program) || programs.contains(String(program.prefix { $0 != "." })) else { return false }
      if let word, !arguments.contains(word) { return false }
      return flags.isEmpty || arguments.contains { argument in flags.contains { Self.has($0, in: argument) } }
    }

    /// Whether an argument is a flag, has it among its letters (`-rf`), or gives it a value (`--force=yes`).
    private static func has(_ flag: String, in argument: String) -> Bool {
      if argument == flag { return true }
      if flag.hasPrefix("--") { return flag.count > 2 && argument.hasPrefix(flag + "=") }
      guard flag.count == 2, flag.first == "-", let letter = flag.last else { return false }
      return argument.first == "-" && !argument.hasPrefix("--") && argument.dropFirst().contains(letter)
        && argument.dropFirst().allSatisfy(\.isLetter)
    }
  }

  struct Reason: Equatable {
    let level: Level
    let text: String
  }

  /// The worst come first.
  private(set) var reasons: [Reason] = []

  var level: Level { reasons.first?.level ?? .none }

  /// No known risk.
  init() {}

  init(_ level: Level, _ reason: String) { reasons = [Reason(level: level, text: reason)] }

  /// One line for the notification; nil if there is nothing to say.
  var line: String? {
    level == .none ? nil : "Risk: \(level.rawValue): " + reasons.prefix(3).map(\.text).joined(separator: ", ")
  }

  private mutating func add(_ other: Risk) {
    for reason in other.reasons where !reasons.contains(reason) {
      let place = reasons.firstIndex { $0.level < reason.level } ?? reasons.endIndex
      reasons.insert(reason, at: place)
    }
  }
}

extension Risk {
  /// The risk of what a tool is to do.
  init(of request: HookRequest) {
    var risk = Risk()
    if let command = request.command {
      risk.add(Risk(ofCommand: command, in: request.folder))
    } else {
      risk.add(Risk(ofStatementsIn: request.what))
    }
    if let file = request.file, Self.writers.contains(request.tool.lowercased()) {
      risk.add(Risk(ofWriting: file, in: request.folder))
    }
    self = risk
  }

  /// The risk of a shell's command line.
  init(ofCommand text: String, in folder: String?) {
    var risk = Risk()
    if text.utf8.count > ShellLine.longest { risk.add(Risk(.high, "is too long to be looked at")) }
    risk.add(Risk(ofStatementsIn: text))
    var wasFromNetwork = false
    for command in ShellLine(text).commands {
      let (starters, name, arguments) = command.program
      if starters.contains(where: { ["sudo", "doas"].contains($0) }) {
        risk.add(Risk(.high, "acts as root"))
      }
      if let rule = Self.rules.first(where: { $0.fits(name, arguments) }) { risk.add(rule.risk) }
      if command.isPiped, wasFromNetwork, Self.runners.contains(name) {
        risk.add(Risk(.high, "runs what it downloads"))
      }
      wasFromNetwork = Self.downloaders.contains(name) || command.isPiped && wasFromNetwork
      let targets = command.outputs + (name == "tee" ? arguments.filter { !$0.hasPrefix("-") } : [])
      for file in targets { risk.add(Risk(ofWriting: file, in: folder)) }
    }
    self = risk
  }

  /// The risk of what a database would be told.
  private init(ofStatementsIn text: String) {
    self.init()
    let words = text.prefix(ShellLine.longest).lowercased().split { !$0.isLetter }
    for (statement, reason) in Self.statements where Self.contains(statement, in: words) {
      add(Risk(.high, reason))
    }
  }

  private static let downloaders: Set<String> = ["curl", "wget", "base64", "http"]
  private static let runners = ShellLine.Command.shells.union(["python", "python3", "perl", "ruby", "node", "php"])

  private static func contains(_ statement: [String], in words: [Substring]) -> Bool {
    zip(words, words.dropFirst()).contains { $0 == statement[0] && $1 == statement[1] }
  }

  /// The risk of writing a file.
  init(ofWriting file: String, in folder: String?) {
    if ["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty"].contains(file) {
      self.init()
    } else if Self.systemFolders.contains(where: file.hasPrefix)
      || Self.delicateParts.contains(where: ("/" + file).contains)
    {
      self.init(.high, "changes files of the system or of your account")
    } else if Self.isOutside(file, folder) {
      self.init(.medium, "writes outside of the folder")
    } else {
      self.init()
    }
  }

  private static func isOutside(_ file: String, _ folder: String?) -> Bool {
    if file.hasPrefix("~") || file.split(separator: "/").contains("..") { return true }
    guard file.hasPrefix("/") else { return false }
    if file.hasPrefix("/tmp/") { return false }
    guard let folder else { return true }
    return file != folder && !file.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
  }
}
