// SPDX-License-Identifier: Apache-2.0
import Freedesktop

/// Desktop entries and URLs.
enum DesktopSurfaces {
  static let all = [
    Surface("entry", entry),
    Surface("exec", text: exec),
    Surface("url", text: url),
  ]

  private static let languages = MessageLanguages(locales: ["de_DE@x"])
  private static let opened = [["https://a/$(b);c \"d\""], ["file:///e%20f"], []]

  static func entry(_ bytes: [UInt8]) throws(Surprise) -> Bool {
    guard let entry = try? DesktopEntry(bytes, path: "/a") else { return false }
    _ = (entry.name?.text(in: languages), entry.schemes, entry.isShown(in: ["GNOME"]))
    let subject = ExecLine.Subject(icon: entry.icon?.plain, name: entry.name?.plain, path: entry.path)
    for line in [entry.exec] + entry.actions.map(\.exec) {
      if let line { _ = try exec(line, subject) }
    }
    return true
  }

  static func exec(_ line: String) throws(Surprise) -> Bool {
    try exec(line, ExecLine.Subject(icon: "icon", name: "a name", path: "/a b"))
  }

  /// A URL becomes at most one word of the command, and never its program.
  private static func exec(_ text: String, _ subject: ExecLine.Subject) throws(Surprise) -> Bool {
    guard let line = try? ExecLine(text), let bare = try? line.commands(for: subject) else { return false }
    try Surprise.unless(bare.count == 1 && bare[0].first == line.program && !line.program.isEmpty, "\(bare)")
    for urls in opened {
      for command in (try? line.commands(opening: urls, for: subject)) ?? [] {
        try Surprise.unless(
          command.first == line.program && command.count <= bare[0].count + 1, "'\(text)' became \(command)")
        try Surprise.unless(command.allSatisfy { !$0.utf8.contains(0) }, "'\(text)' has a NUL character")
      }
    }
    return true
  }

  private static let policy = URLPolicy(added: ["suzu-test"], allowsFiles: false)

  /// What passes names an allowed scheme, and can be neither an option nor several lines.
  static func url(_ text: String) throws(Surprise) -> Bool {
    guard let passed = try? policy.check(text) else { return false }
    let scheme = passed.prefix { $0 != ":" }.lowercased()
    try Surprise.unless(policy.allows(scheme), "'\(text)' passed as '\(passed)'")
    try Surprise.unless(
      passed.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f } && !passed.hasPrefix("-"), "'\(text)' passed as '\(passed)'")
    return true
  }
}
