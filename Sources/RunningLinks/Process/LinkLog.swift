// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Writes lines to standard error, from where systemd's journal takes them. What messages say, the names of topics,
/// URLs and secrets are private and never logged; the name of a link is.
enum LinkLog {
  /// The user has to act.
  static func error(_ link: String?, _ problem: String) { write("error", link, problem) }
  /// The program recovers by itself.
  static func warning(_ link: String?, _ problem: String) { write("warning", link, problem) }
  /// A change of state.
  static func info(_ link: String?, _ change: String) { write("info", link, change) }

  private static func write(_ level: String, _ link: String?, _ text: String) {
    let line = "suzu-link: \(level): " + (link.map { "\($0): " } ?? "") + text + "\n"
    line.withCString { _ = Glibc.write(STDERR_FILENO, $0, strlen($0)) }
  }
}
