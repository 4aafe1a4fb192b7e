// SPDX-License-Identifier: Apache-2.0
public import EventLoop
internal import SystemFiles

/// Speaks texts through Speech Dispatcher, with the voice, the language and the speed that the user has chosen there.
public actor Speaker {
  /// The result of speaking a text.
  public enum Ending: Hashable, Sendable {
    /// Speech Dispatcher has taken the text, and speaks it in its turn.
    case taken
    /// Speech Dispatcher is neither running nor installed.
    case notInstalled
    /// It does not run, cannot be started, or has refused the text.
    case failed(String)
    /// It was left out because too many others were waiting.
    case dropped
  }

  /// How important a text is, as Speech Dispatcher orders them.
  public enum Urgency: String, Sendable {
    /// Interrupts what is being spoken.
    case important
    /// Waits for its turn.
    case message
    /// Is left out if something else is being spoken.
    case notification
  }

  /// The limits of a text.
  public struct Limits: Sendable {
    /// The longest text, in bytes; the rest is left out.
    public var length = 2000
    /// How long handing a text over may take, with the start of Speech Dispatcher.
    public var duration: Duration = .seconds(10)
    /// The maximum number of texts that are handed over at the same time.
    package var simultaneous = 8

    /// The default limits.
    public init() {}
  }

  private let loop: EventLoop
  private let limits: Limits
  private var speaking = 0
  /// The event loop.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// Makes a speaker on a loop.
  public init(on loop: EventLoop, limits: Limits = Limits()) {
    self.loop = loop
    self.limits = limits
  }

  private static let program = "speech-dispatcher"

  /// Whether Speech Dispatcher is installed.
  public static var isInstalled: Bool { ProgramSearch.current.path(of: program) != nil }

  /// Hands a text over, and starts Speech Dispatcher if it does not run yet.
  public func speak(_ text: String, _ urgency: Urgency) async -> Ending {
    guard speaking < limits.simultaneous else { return .dropped }
    speaking += 1
    defer { speaking -= 1 }
    guard let address = SpeechAddress() else {
      return .failed("SPEECHD_ADDRESS does not name a Unix socket")
    }
    let end = EventLoop.Clock.monotonic.now + limits.duration
    var opened = SpeechConnection(to: address.socket, on: loop)
    if opened == nil {
      // The program that has set the variable also starts it.
      if address.isGiven { return .failed("Speech Dispatcher does not run at SPEECHD_ADDRESS") }
      guard Self.isInstalled else { return .notInstalled }
      await start(at: address, until: end)
      opened = SpeechConnection(to: address.socket, on: loop)
    }
    guard let connection = opened else { return .failed("Speech Dispatcher cannot be started") }
    defer { connection.close() }
    for line in Self.lines(bounded(text), urgency) {
      guard let reply = await connection.ask(line, until: end) else {
        return .failed("Speech Dispatcher does not answer")
      }
      guard reply.isGood else { return .failed("Speech Dispatcher refuses it with \(reply.code)") }
    }
    return .taken
  }

  /// It goes into the background by itself once it listens.
  private func start(at address: SpeechAddress, until end: Duration) async {
    let words = [Self.program, "--spawn", "--communication-method", "unix_socket", "--socket-path", address.socket]
    let left = end - EventLoop.Clock.monotonic.now
    _ = await ChildProcess.ask(ChildProcess.Command(words, limit: left, grace: .zero), longest: 0, on: loop)
  }

  private func bounded(_ text: String) -> String {
    text.utf8.count <= limits.length ? text : String(decoding: text.utf8.prefix(limits.length), as: UTF8.self)
  }

  /// What is sent to speak a text, each part after the answer to the one before.
  package static func lines(_ text: String, _ urgency: Urgency) -> [String] {
    [
      "SET SELF CLIENT_NAME suzu:suzud:notifications\r\n", "SET SELF PRIORITY \(urgency.rawValue.uppercased())\r\n",
      "SPEAK\r\n", data(text), "QUIT\r\n",
    ]
  }

  /// The text as lines, behind which a dot stands alone. A line that begins with a dot gets another one, so that no
  /// text ends early, with commands behind it.
  private static func data(_ text: String) -> String {
    let lines = text.split(omittingEmptySubsequences: true) { $0.isNewline || $0 == "\0" }
    return lines.map { ($0.utf8.first == UInt8(ascii: ".") ? "." : "") + $0 + "\r\n" }.joined() + ".\r\n"
  }
}
