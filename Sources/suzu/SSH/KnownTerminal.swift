// SPDX-License-Identifier: Apache-2.0

/// What the documentation of a terminal says about notifications, for terminals that do not answer the question of OSC
/// 99.
struct KnownTerminal: Equatable {
  let name: String
  /// How its answer to XTVERSION begins.
  let answer: String
  /// How the value of `TERM` begins, which SSH carries over.
  let type: String
  /// The value of `TERM_PROGRAM`, or of `LC_TERMINAL`, which many SSH configurations carry over.
  var program: String?
  let sequence: NotificationSequence

  static let all = [
    // Before 0.36, kitty shows title and body, and does not answer.
    KnownTerminal(name: "kitty", answer: "kitty(", type: "xterm-kitty", program: "kitty", sequence: .osc99),
    // From 1.18 on, foot answers the question of OSC 99.
    KnownTerminal(name: "foot", answer: "foot(", type: "foot", sequence: .osc777),
    // https://ghostty.org/docs/vt/osc/9
    KnownTerminal(name: "Ghostty", answer: "ghostty ", type: "xterm-ghostty", program: "ghostty", sequence: .osc9),
    // https://wezterm.org/config/lua/config/notification_handling.html
    KnownTerminal(name: "WezTerm", answer: "WezTerm ", type: "wezterm", program: "WezTerm", sequence: .osc777),
    // https://iterm2.com/documentation-escape-codes.html
    KnownTerminal(name: "iTerm2", answer: "iTerm2 ", type: "iterm2", program: "iTerm2", sequence: .osc9),
  ]

  /// The terminal that calls itself this, in answer to XTVERSION.
  static func answering(_ version: String) -> KnownTerminal? { all.first { version.hasPrefix($0.answer) } }

  /// The terminal that the environment names.
  static func named(in environment: [String: String]) -> KnownTerminal? {
    for variable in ["TERM_PROGRAM", "LC_TERMINAL"] {
      guard let program = environment[variable], !program.isEmpty else { continue }
      let name = program == "iTerm.app" ? "iTerm2" : program
      if let known = all.first(where: { $0.program == name }) { return known }
    }
    let type = environment["TERM"] ?? ""
    return all.first { type.hasPrefix($0.type) }
  }

  /// Whether a terminal of this type must get no sequence that it might print: it may not know where one ends.
  static func isPlain(_ type: String?) -> Bool {
    guard let type, !type.isEmpty else { return true }
    return ["dumb", "linux", "vt", "ansi", "eterm", "emacs", "cons", "network", "unknown"].contains {
      type.hasPrefix($0)
    }
  }

  /// Whether a multiplexer says that it is one: it, and not the terminal, answers most questions.
  static func isMultiplexer(type: String?, version: String?) -> Bool {
    if let version { return version.hasPrefix("tmux ") }
    return ["screen", "tmux"].contains { type?.hasPrefix($0) == true }
  }
}
