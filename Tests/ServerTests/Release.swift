// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A release of Debian.
struct Release: Equatable {
  /// What its files call it: 'trixie'.
  var codename: String
  /// The heading of its results: 'Debian 13 (trixie)'.
  var name: String

  static let bookworm = Release(codename: "bookworm", name: "Debian 12 (bookworm)")
  /// The releases that have pictures, from the oldest on. Other pages show those of the first, whose files are not
  /// named after it.
  static let pictured = [
    bookworm, Release(codename: "trixie", name: "Debian 13 (trixie)"),
    Release(codename: "forky", name: "Debian forky/sid"),
  ]

  /// The release that the tests run in: that of this machine, or of a root.
  static let current = Release(
    codename: field("VERSION_CODENAME") ?? "unknown",
    name: field("PRETTY_NAME")?.replacingOccurrences(of: " GNU/Linux", with: "") ?? "An unknown system")

  private static func field(_ name: String) -> String? {
    let lines = (try? String(contentsOfFile: "/etc/os-release", encoding: .utf8))?.split(separator: "\n") ?? []
    let line = lines.first { $0.hasPrefix(name + "=") }
    return line.map { $0.dropFirst(name.count + 1).filter { $0 != "\"" } }
  }
}
