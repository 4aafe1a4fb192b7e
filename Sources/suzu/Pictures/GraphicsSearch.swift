// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import SystemFiles

/// How a terminal is told to draw a picture.
enum GraphicsProtocol: String, Sendable {
  case kitty, sixel

  /// For messages.
  var name: String {
    switch self {
    case .kitty: "kitty's graphics protocol"
    case .sixel: "sixel"
    }
  }
}

/// Finds out whether the terminal draws pictures: it is asked, and may not answer, or not tell the truth.
struct GraphicsSearch: Sendable {
  enum Choice: String, CaseIterable, Sendable {
    case auto, kitty, sixel, none

    static let form = "auto, kitty, sixel or none"
  }

  enum Result: Equatable, Sendable {
    case open
    case found(GraphicsProtocol)
    /// No pictures, for this reason.
    case none(String)
  }

  /// How long an answer may take, over a slow link.
  static let limit: Duration = .seconds(1)

  private(set) var result: Result
  /// Nil if the terminal did not tell.
  private(set) var cell: CellSize?
  /// Terminals that do not tell have at least these, but for a few very old ones.
  private(set) var colours = SixelEncoder.colours.upperBound
  private let asksKitty: Bool

  /// - Parameter pane: what tmux says, if the terminal is one of its panes.
  init(_ choice: Choice, in environment: (String) -> String? = EnvironmentVariable.value, pane: TmuxPane? = nil) {
    func value(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
    let type = value("TERM")
    asksKitty = choice == .auto && value("TMUX") == nil
    switch choice {
    case .kitty: result = .found(.kitty)
    case .sixel: result = .found(.sixel)
    case .none: result = .none("--images is 'none'")
    case .auto where value("TMUX") != nil:
      // tmux itself keeps the pictures of its panes, and draws them where its terminal can. It says that it has sixel
      // even if its terminal has not.
      result =
        pane?.drawsSixel == true ? .open : .none("tmux passes no pictures on: it needs 3.4, and a terminal with sixel")
    case .auto where value("STY") != nil: result = .none("GNU screen passes no pictures on")
    case .auto where KnownTerminal.isPlain(type) || KnownTerminal.isMultiplexer(type: type, version: nil):
      result = .none("a terminal of the type '\(PrintableText.line(type ?? "", atMost: 60))' is not asked")
    case .auto: result = .open
    }
  }

  /// The search of this process: inside of tmux, tmux is asked first.
  static func begin(_ choice: Choice, on loop: EventLoop) async -> GraphicsSearch {
    guard choice == .auto, EnvironmentVariable.value(of: "TMUX") != nil else { return GraphicsSearch(choice) }
    return GraphicsSearch(choice, pane: await TmuxPane.ask(ChildProcess.inheritedEnvironment(), on: loop))
  }

  /// What the terminal is asked; nil if it need not be. The last question is the one that nearly every terminal
  /// answers.
  var question: String? {
    if case .none = result { return nil }
    return (asksKitty ? KittyGraphics.query : "") + "\u{1B}[16t\u{1B}[?1;1;0S\u{1B}[c"
  }

  /// Takes an answer, in the order in which the questions were asked.
  mutating func take(_ report: TerminalReport) {
    switch report {
    case .cell(let size): cell = size
    case .colours(let number): colours = number
    case .kittyGraphics(true) where result == .open && asksKitty: result = .found(.kitty)
    case .kittyGraphics: break
    case .attributes(let numbers):
      guard result == .open else { break }
      // The first number is the class of the terminal.
      result =
        numbers.dropFirst().contains(4) ? .found(.sixel) : .none("the terminal has neither kitty's protocol nor sixel")
    }
  }

  /// Ends the search when the time is over.
  mutating func end() {
    if result == .open { result = .none("the terminal did not answer") }
  }
}
