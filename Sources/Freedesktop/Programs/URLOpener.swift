// SPDX-License-Identifier: Apache-2.0
public import DBus
public import EventLoop
internal import Glibc
internal import SystemFiles

/// Opens URLs with the user's preferred program if a policy allows it: through `xdg-open`, or the portal inside a
/// sandbox.
public enum URLOpener {
  /// The result of opening.
  public enum Ending: Hashable, Sendable {
    /// A program took the URL.
    case opened
    /// The policy refused, for this reason, which contains nothing of the URL but its scheme.
    case refused(String)
    /// The opener failed or is missing.
    case failed(String)
  }

  /// The desktop's opener, found by `PATH`: a program that can change our `PATH` can change this program as well.
  public static let usualProgram = "xdg-open"

  /// Whether this program is in a Flatpak or Snap sandbox, where `xdg-open` would look for programs inside.
  public static var isInSandbox: Bool {
    access("/.flatpak-info", F_OK) == 0 || EnvironmentVariable.value(of: "SNAP") != nil
  }

  /// Opens `url`; the token lets the program raise its window.
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
    // When xdg-open starts a browser itself, it stays until the browser is closed.
    command.waitLimit = .seconds(10)
    command.keepsErrors = true
    switch await ChildProcess.run(command, on: loop) {
    case .exited(0, _), .running: return .opened
    case .exited(let status, let line):
      // Its own lines begin with its name.
      let own = line.hasPrefix("xdg-open: ") ? String(line.dropFirst("xdg-open: ".count)) : line
      return .failed(reason(status) + (own.isEmpty ? "" : ": \(own)"))
    case .signalled(let signal): return .failed("xdg-open: signal \(signal)")
    case .timedOut: return .failed("xdg-open: timed out")
    case .notStarted(let why): return .failed("\(why); install the package 'xdg-utils'")
    }
  }

  /// Opens `url` through the portal on the session bus, which may ask the user to choose a program; `limit` bounds that
  /// wait. Files are refused: the portal opens those by their descriptor only.
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

  /// The exit codes in the manual page of xdg-open.
  private static func reason(_ status: Int32) -> String {
    switch status {
    case 2: "xdg-open: no such file"
    case 3: "xdg-open: no program opens it"
    case 4: "xdg-open: the program that opens it failed"
    default: "xdg-open: exit \(status)"
    }
  }
}
