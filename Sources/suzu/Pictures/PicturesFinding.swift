// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import SystemFiles

/// What `suzu doctor` says about pictures of `suzu popups` in its terminal.
enum PicturesFinding {
  static let what = "pictures of suzu popups"

  /// Asks the terminal of an SSH login; nil elsewhere, and if `suzu popups` would print lines of text.
  static func find(on loop: EventLoop) async -> Finding? {
    guard DesktopAbsence.mayMatter(in: EnvironmentVariable.value), TerminalTraits.current.drawsBoxes(isPlain: false)
    else { return nil }
    var search = await GraphicsSearch.begin(.auto, on: loop)
    if let question = search.question, let terminal = ControllingTerminal(on: loop) {
      let conversation = TerminalConversation(terminal, on: loop)
      await ask(question, in: conversation, &search)
    }
    search.end()
    return finding(search.result)
  }

  private static func ask(
    _ question: String, in conversation: TerminalConversation, _ search: inout GraphicsSearch
  ) async {
    guard (try? conversation.begin(evenIfTyped: false)) == true else { return }
    defer { conversation.end() }
    guard conversation.terminal.write(Array(question.utf8)) else { return }
    let limit = conversation.limit(after: GraphicsSearch.limit)
    for await item in conversation.news {
      switch item {
      case .reply(.report(let report)):
        search.take(report)
        if case .attributes = report { return }
      case .interrupted(let signal):
        conversation.end()
        Process.end(by: signal)
      case .lost: return
      case .limit(let number) where number == limit: return
      default: break
      }
    }
  }

  static func finding(_ result: GraphicsSearch.Result) -> Finding {
    switch result {
    case .found(let way): Finding(what: what, state: .good, text: "drawn in this terminal with \(way.name)")
    case .none(let why): Finding(what: what, state: .degraded, text: "not drawn in this terminal: \(why)")
    case .open: Finding(what: what, state: .degraded, text: "not drawn in this terminal")
    }
  }
}
