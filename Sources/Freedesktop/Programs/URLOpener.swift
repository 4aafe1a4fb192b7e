// SPDX-License-Identifier: Apache-2.0
public import EventLoop

/// Opens URLs with whatever the user has chosen for them, through `xdg-open`.
public enum URLOpener {
  /// What became of it.
  public enum Ending: Hashable, Sendable {
    /// `xdg-open` found somebody who takes it.
    case opened
    /// The scheme is not among those that a click may open.
    case refusedScheme(String)
    /// `xdg-open` said no, or is not there.
    case failed(String)
  }

  /// What may be opened without asking anybody: nothing that runs code where it is opened.
  public static let usualSchemes: Set<String> = ["http", "https", "mailto", "tel", "sms", "xmpp", "geo"]

  /// The desktop's own choice.
  public static let usualProgram = "xdg-open"

  /// Opens `url`, with the token that lets the program raise its window.
  public static func open(
    _ url: String, activationToken: String?, with program: String = usualProgram, on loop: EventLoop,
    schemes: Set<String> = usualSchemes
  ) async -> Ending {
    let scheme = url.prefix { $0 != ":" }.lowercased()
    // Without a colon it is the name of a file.
    guard schemes.contains(scheme), url.contains(":") else { return .refusedScheme(scheme) }
    var command = ChildProcess.Command([program, url])
    if let activationToken {
      command.environment = ["XDG_ACTIVATION_TOKEN": activationToken, "DESKTOP_STARTUP_ID": activationToken]
    }
    // Where xdg-open finds a browser by itself, it stays until that one is closed.
    command.patience = .seconds(10)
    switch await ChildProcess.run(command, on: loop) {
    case .exited(0, _), .running: return .opened
    case .exited(let status, _): return .failed(reason(status))
    case .signalled(let signal): return .failed("xdg-open: signal \(signal)")
    case .timedOut: return .failed("xdg-open: time is over")
    case .notStarted(let why): return .failed("\(why); install the package 'xdg-utils'")
    }
  }

  /// The exit codes of its manual page.
  private static func reason(_ status: Int32) -> String {
    switch status {
    case 2: "xdg-open: a file that is not there"
    case 3: "xdg-open: no program that opens it"
    case 4: "xdg-open: the program that should open it failed"
    default: "xdg-open: exit \(status)"
    }
  }
}
