// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import SystemFiles

/// What `suzu doctor` says about the terminal of an SSH session.
enum TerminalFinding {
  static let what = "this terminal"

  /// Asks the terminal; nil outside of SSH, or if there is a desktop or no terminal.
  static func find(on loop: EventLoop) async -> Finding? {
    guard DesktopAbsence.mayMatter(in: EnvironmentVariable.value), await DesktopAbsence.find(on: loop) != nil else {
      return nil
    }
    do {
      switch try await NotifyingTerminal.find(reads: false, on: loop) {
      case .found(let terminal):
        terminal.conversation.end()
        return finding(terminal)
      case .unable(let why): return Finding(what: what, state: .degraded, text: why)
      case .absent: return nil
      case .interrupted(let signal): Process.end(by: signal)
      }
    } catch {
      return Finding(what: what, state: .degraded, text: (error as? CommandError)?.message ?? "\(error)")
    }
  }

  private static func finding(_ terminal: NotifyingTerminal) -> Finding {
    var text = "\(terminal.text), shows the notifications of this SSH session: "
    switch terminal.sequence {
    case .osc99: text += terminal.features.text
    case .osc777: text += "title and body"
    case .osc9: text += "one line"
    }
    let isWhole = terminal.sequence == .osc99 && terminal.features.hasButtons && terminal.features.reportsClicks
    if !isWhole { text += "; no buttons, and no answers" }
    return Finding(what: what, state: .good, text: text)
  }
}
