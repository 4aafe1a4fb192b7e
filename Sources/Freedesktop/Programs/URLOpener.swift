// SPDX-License-Identifier: Apache-2.0
public import DBus
public import EventLoop
internal import Glibc

/// Opens URLs with whatever the user has chosen for them, if a policy allows it: through `xdg-open`, or the portal where
/// we are in a sandbox ourselves.
public enum URLOpener {
  /// What became of it.
  public enum Ending: Hashable, Sendable {
    /// Somebody took it.
    case opened
    /// The policy says no, and why; nothing of the URL but its scheme is in it.
    case refused(String)
    /// The opener said no, or is not there.
    case failed(String)
  }

  /// The desktop's own opener, by `PATH`: whoever can change ours can change what we are as well.
  public static let usualProgram = "xdg-open"

  /// Whether this program is in a Flatpak's or Snap's sandbox, where `xdg-open` would look for programs inside.
  public static var isInSandbox: Bool {
    access("/.flatpak-info", F_OK) == 0 || InstalledProgram.variable("SNAP") != nil
  }

  /// Opens `url`, with the token that lets the program raise its window.
  public static func open(
    _ url: String, activationToken: String?, with program: String = usualProgram, on loop: EventLoop,
    policy: URLPolicy = URLPolicy()
  ) async -> Ending {
    let target: String
    do throws(URLRefusal) { target = try policy.check(url) } catch { return .refused(error.reason) }
    var command = ChildProcess.Command([program, target])
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

  /// Opens `url` through the portal on the session bus, which may ask the user for a program: that may take as long as
  /// `limit`. Files are refused: the portal opens those by their descriptor only.
  public static func open(
    _ url: String, activationToken: String?, throughPortalOf connection: Connection, on loop: EventLoop,
    policy: URLPolicy = URLPolicy(), limit: Duration = .seconds(120)
  ) async -> Ending {
    var policy = policy
    policy.allowsFiles = false
    let target: String
    do throws(URLRefusal) { target = try policy.check(url) } catch { return .refused(error.reason) }
    return await URLPortal(connection: connection, loop: loop).open(target, activationToken, limit: limit)
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
