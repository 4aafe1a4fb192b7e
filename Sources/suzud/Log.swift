// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Writes lines to standard error, from where systemd's journal takes them. Texts of notifications, replies, URLs and
/// tokens are private and never logged.
enum Log {
  /// The user or administrator has to act.
  static func error(_ problem: String, _ value: String = "") { write("error", problem, value) }
  /// The center recovered by itself.
  static func warning(_ problem: String, _ value: String = "") { write("warning", problem, value) }
  /// A change of state.
  static func info(_ change: String, _ value: String = "") { write("info", change, value) }

  private static func write(_ level: String, _ problem: String, _ value: String) {
    let line = "suzud: \(level): \(problem)" + (value.isEmpty ? "" : ": '\(value)'") + "\n"
    line.withCString { _ = Glibc.write(STDERR_FILENO, $0, strlen($0)) }
  }
}
