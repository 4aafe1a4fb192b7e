// SPDX-License-Identifier: Apache-2.0
internal import EventLoop

/// What is between this program and the terminal.
enum TerminalPassage: Equatable {
  /// Nothing that changes a sequence.
  case direct
  /// tmux, which passes on what is wrapped for it.
  case tmux

  /// The bytes that arrive at the terminal as `sequence`.
  func wrapped(_ sequence: String) -> [UInt8] {
    switch self {
    case .direct: Array(sequence.utf8)
    case .tmux: Array(("\u{1B}Ptmux;" + sequence.replacing("\u{1B}", with: "\u{1B}\u{1B}") + "\u{1B}\\").utf8)
    }
  }
}

/// What tmux says about the pane that this program runs in.
struct TmuxPane: Equatable {
  /// Whether the terminal's answers come to this pane: they are typed into the one in front.
  let isInFront: Bool
  /// Whether sequences for the terminal may pass.
  let passes: Bool
  /// Whether there is a terminal that shows the session.
  let isAttached: Bool
  /// The terminal that tmux runs in: its answer to XTVERSION, and its `TERM`. Empty without one.
  let version, type: String
  /// Whether tmux draws sixel pictures of its panes on that terminal: from 3.4 on, if it was built so.
  let drawsSixel: Bool

  /// What tmux is asked for.
  static let format =
    "#{window_active}#{pane_active}\t#{allow-passthrough}\t#{client_termtype}\t#{client_termname}\t#{session_attached}"
    + "\t#{client_termfeatures}"

  /// Reads tmux's answer. Versions before 3.3 pass everything, and have no option for it; of two panes, only the one in
  /// a window in front passes with `on`.
  init?(_ answer: String) {
    let parts = answer.split(separator: "\n").first?.split(separator: "\t", omittingEmptySubsequences: false) ?? []
    guard parts.count == 6 else { return nil }
    isAttached = parts[4] != "0"
    isInFront = parts[0] == "11" && isAttached
    // 3.3 prints a flag, later versions a word.
    passes =
      switch parts[1] {
      case "", "all": true
      case "on", "1": parts[0].hasPrefix("1")
      default: false
      }
    version = PrintableText.line(String(parts[2]), atMost: 60)
    type = PrintableText.line(String(parts[3]), atMost: 60)
    drawsSixel = parts[5].split(separator: ",").contains("sixel")
  }

  /// Asks tmux; nil if it does not answer.
  static func ask(_ environment: [String: String], on loop: EventLoop) async -> TmuxPane? {
    let pane = environment["TMUX_PANE"].map { ["-t", $0] } ?? []
    let command = ChildProcess.Command(["tmux", "display-message", "-p"] + pane + [format], limit: .seconds(2))
    let answer = await ChildProcess.ask(command, longest: 4096, on: loop)
    guard case .exited(0, _) = answer.ending, let output = answer.output else { return nil }
    return TmuxPane(output)
  }
}
