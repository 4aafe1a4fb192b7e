// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Glibc

/// Whether the user looks at the terminal of this program, as far as that can be known without asking the terminal: an
/// answer of the terminal would arrive as if it were typed.
struct TerminalFocus {
  let environment: [String: String]
  let loop: EventLoop
  private static let limit: Duration = .seconds(1)

  /// Nil if it cannot be known, as on Wayland and over SSH.
  func isInFront() async -> Bool? {
    if let pane = environment["TMUX_PANE"], environment["TMUX"]?.isEmpty == false {
      return await isInFront(pane: pane)
    }
    guard environment["SSH_CONNECTION"] == nil, environment["DISPLAY"]?.isEmpty == false,
      let window = environment["WINDOWID"].flatMap(Self.number), window != 0,
      let output = await answer(["xprop", "-root", "-notype", "_NET_ACTIVE_WINDOW"])
    else { return nil }
    return Self.activeWindow(output).map { $0 == window }
  }

  /// tmux knows which of its panes is shown, and what the terminal around it reports of the focus if its option
  /// `focus-events` is on.
  private func isInFront(pane: String) async -> Bool? {
    let format = "#{pane_active}#{window_active} #{focus-events} #{session_attached} #{client_flags}"
    guard let output = await answer(["tmux", "display-message", "-p", "-t", pane, format]) else { return nil }
    return Self.isInFront(tmux: output)
  }

  /// - Parameter tmux: the line that tmux prints.
  static func isInFront(tmux output: String) -> Bool? {
    let parts = output.split(whereSeparator: \.isWhitespace).map(String.init)
    guard parts.count >= 3 else { return nil }
    if parts[0] != "11" || parts[2] == "0" { return false }
    guard parts[1] == "1" || parts[1] == "on", parts.count > 3 else { return nil }
    return parts[3].split(separator: ",").contains("focused")
  }

  /// - Parameter output: of `xprop`: `_NET_ACTIVE_WINDOW: window id # 0x3a00007`.
  static func activeWindow(_ output: String) -> UInt64? {
    output.split(whereSeparator: { $0.isWhitespace || $0 == "," }).lazy.filter { $0.hasPrefix("0x") }
      .compactMap { UInt64($0.dropFirst(2), radix: 16) }.first
  }

  private static func number(_ text: String) -> UInt64? {
    text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text)
  }

  private func answer(_ words: [String]) async -> String? {
    let answer = await ChildProcess.ask(ChildProcess.Command(words, limit: Self.limit), on: loop)
    guard case .exited(0, _) = answer.ending else { return nil }
    return answer.output
  }
}
