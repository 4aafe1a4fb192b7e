// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import SystemFiles

/// A terminal that shows notifications, and how it is told.
///
/// Confined to the loop's thread.
final class NotifyingTerminal {
  let conversation: TerminalConversation
  let sequence: NotificationSequence
  let features: TerminalFeatures
  let passage: TerminalPassage
  /// The terminal's own words; nil if it says nothing.
  let version: String?

  /// The result of the search.
  enum Search {
    case found(NotifyingTerminal)
    /// There is no terminal at all.
    case absent
    /// There is one, but it shows no notifications, for this reason.
    case unable(String)
    /// A signal wants to end the process.
    case interrupted(Int32)
  }

  /// The variable that names the sequence, for a terminal that neither answers nor is known.
  static let variable = "SUZU_TERMINAL"

  private init(
    _ conversation: TerminalConversation, _ sequence: NotificationSequence, _ features: TerminalFeatures?,
    _ passage: TerminalPassage, _ version: String?
  ) {
    (self.conversation, self.sequence, self.features) = (conversation, sequence, features ?? .basic)
    (self.passage, self.version) = (passage, version)
  }

  /// Whether it hands back an answer.
  var answers: Bool { sequence == .osc99 && features.reportsClicks && conversation.isReading }

  /// For messages: `kitty(0.41.1), OSC 99`.
  var text: String {
    (version.map { $0 + ", " } ?? "") + sequence.name + (passage == .tmux ? " through tmux" : "")
  }

  /// Finds the terminal of this process, and asks it.
  ///
  /// - Parameter reads: whether its answers are read to the end: then what was typed before does not matter.
  static func find(reads: Bool, on loop: EventLoop) async throws -> Search {
    let environment = ChildProcess.inheritedEnvironment()
    let chosen = try chosen(in: environment)
    if chosen == .some(nil) { return .unable("\(variable) is 'none'") }
    guard let terminal = ControllingTerminal(on: loop) else { return .absent }
    let type = environment["TERM"]
    if chosen == nil, KnownTerminal.isPlain(type) {
      return .unable("a terminal of the type '\(PrintableText.line(type ?? "", atMost: 60))' shows no notifications")
    }
    let conversation = TerminalConversation(terminal, on: loop)
    let sequence = chosen ?? nil
    if EnvironmentVariable.value(of: "TMUX") != nil {
      return try await throughTmux(conversation, environment, sequence, reads: reads)
    }
    if EnvironmentVariable.value(of: "STY") != nil, chosen == nil {
      return .unable("GNU screen passes no notifications on")
    }
    return try await direct(conversation, environment, sequence, reads: reads)
  }

  /// The sequence that the user chose: nil for none, and none inside for the word `none`.
  private static func chosen(in environment: [String: String]) throws(CommandError) -> NotificationSequence?? {
    guard let word = environment[variable], !word.isEmpty else { return nil }
    if word == "none" { return .some(nil) }
    if let sequence = NotificationSequence(rawValue: word) { return sequence }
    let known = NotificationSequence.allCases.map(\.rawValue).joined(separator: ", ")
    throw .data("'\(variable)=\(PrintableText.line(word, atMost: 60))' must be \(known) or none")
  }

  private static func direct(
    _ conversation: TerminalConversation, _ environment: [String: String], _ chosen: NotificationSequence?, reads: Bool
  ) async throws -> Search {
    var answer = TerminalProbe.Answer()
    if reads || chosen == nil || chosen == .osc99, try conversation.begin(evenIfTyped: reads) {
      switch await TerminalProbe.ask(conversation, through: .direct) {
      case .answer(let given): answer = given
      case .interrupted(let signal): return .interrupted(signal)
      }
    }
    let isBehindTmux =
      answer.features == nil
      && KnownTerminal.isMultiplexer(type: environment["TERM"], version: answer.version)
    let passage = isBehindTmux ? TerminalPassage.tmux : .direct
    let known =
      isBehindTmux
      ? KnownTerminal.named(in: environment.filter { $0.key == "LC_TERMINAL" })
      : answer.version.flatMap(KnownTerminal.answering) ?? KnownTerminal.named(in: environment)
    guard let sequence = chosen ?? (answer.features == nil ? known?.sequence : .osc99) else {
      conversation.end()
      return .unable(
        isBehindTmux
          ? "tmux is between this machine and the terminal; set SUZU_TERMINAL there to osc99, osc777 or osc9, whichever it "
            + "shows, and run 'tmux set -g allow-passthrough on' where tmux runs"
          : "\(name(answer, environment)) is not known to show notifications; set SUZU_TERMINAL to osc99, osc777 or osc9 if "
            + "it does")
    }
    return .found(NotifyingTerminal(conversation, sequence, answer.features, passage, answer.version))
  }

  private static func name(_ answer: TerminalProbe.Answer, _ environment: [String: String]) -> String {
    let type = PrintableText.line(environment["TERM"] ?? "", atMost: 60)
    return answer.version.map { "the terminal '\($0)'" } ?? "a terminal of the type '\(type)'"
  }

  /// tmux knows its terminal, and types the terminal's answers into the pane in front: so it is asked for both.
  private static func throughTmux(
    _ conversation: TerminalConversation, _ environment: [String: String], _ chosen: NotificationSequence?, reads: Bool
  ) async throws -> Search {
    guard let pane = await TmuxPane.ask(environment, on: conversation.loop) else {
      return .unable("tmux does not answer 'tmux display-message'")
    }
    guard pane.isAttached else { return .unable("no terminal shows this tmux session") }
    guard pane.passes else {
      return .unable(
        "tmux passes no notifications on from here; run 'tmux set -g allow-passthrough on', or 'all' for windows that are "
          + "not in front")
    }
    var features: TerminalFeatures?
    if pane.isInFront, reads || chosen == nil || chosen == .osc99, try conversation.begin(evenIfTyped: reads) {
      switch await TerminalProbe.ask(conversation, through: .tmux) {
      case .answer(let given): features = given.features
      case .interrupted(let signal): return .interrupted(signal)
      }
    }
    let known = KnownTerminal.answering(pane.version) ?? KnownTerminal.named(in: ["TERM": pane.type])
    let version = pane.version.isEmpty ? pane.type : pane.version
    guard let sequence = chosen ?? (features == nil ? known?.sequence : .osc99) else {
      conversation.end()
      return .unable(
        "the terminal '\(version)' behind tmux is not known to show notifications; set SUZU_TERMINAL to osc99, osc777 or "
          + "osc9 if it does")
    }
    return .found(NotifyingTerminal(conversation, sequence, features, .tmux, version))
  }

  // MARK: Showing

  /// Sends a notification; throws if the terminal does not take it.
  func show(_ notification: TerminalNotification, reports: Bool) throws(CommandError) {
    let bytes = notification.bytes(sequence, features: features, reports: reports, through: passage)
    guard conversation.terminal.write(bytes) else {
      throw .unavailable("the terminal takes no output; press Ctrl-Q if Ctrl-S has stopped it")
    }
  }
}
