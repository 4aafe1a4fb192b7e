// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// One line each on standard error, where systemd's journal picks it up. Never a text of a notification, a reply, a URL
/// or a token: those are private.
enum Log {
  /// A person must do something.
  static func error(_ problem: String, _ value: String = "") { write("error", problem, value) }
  /// We coped.
  static func warning(_ problem: String, _ value: String = "") { write("warning", problem, value) }
  /// Something is another than before.
  static func info(_ change: String, _ value: String = "") { write("info", change, value) }

  private static func write(_ level: String, _ problem: String, _ value: String) {
    let line = "suzud: \(level): \(problem)" + (value.isEmpty ? "" : ": '\(value)'") + "\n"
    line.withCString { _ = Glibc.write(STDERR_FILENO, $0, strlen($0)) }
  }
}
