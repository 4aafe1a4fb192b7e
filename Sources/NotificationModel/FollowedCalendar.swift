// SPDX-License-Identifier: Apache-2.0

/// A calendar whose alarms the center keeps pending: a file, or a folder with a file for each event.
public struct FollowedCalendar: Hashable, Sendable {
  /// The absolute path.
  public let path: String
  /// The app that owns the requests.
  public let app: String
  /// Whether alarms that a request cannot express are left out; otherwise their file is not taken.
  public let skips: Bool
  /// Whether the calendar may name programs and other apps.
  public let trusts: Bool
  /// How many requests it has, also those whose dates have passed.
  public var alarms = 0
  /// What cannot be read or was left out, one line each.
  public var problems: [String] = []

  /// How many calendars may be followed.
  public static let most = 100
  /// The longest path, as the kernel has it.
  private static let longestPath = 4095

  /// Creates a calendar, and checks its path.
  public init(
    path: String, app: String = NotificationRequest.defaultApp, skips: Bool = false, trusts: Bool = false
  ) throws(RequestError) {
    guard path.hasPrefix("/"), path.utf8.count <= Self.longestPath, !path.utf8.contains(0) else {
      throw RequestError("path", "must be an absolute path of at most \(Self.longestPath) bytes")
    }
    guard (try? AppID(app)) != nil else { throw RequestError("app", "must be a name with 1 to 255 bytes") }
    (self.path, self.app, self.skips, self.trusts) = (path, app, skips, trusts)
  }

  /// Reads a calendar from its dictionary: `path`, `app`, `skip`, `trust`, `alarms`, `problems`.
  public init(_ words: [String: PlainValue]) throws(RequestError) {
    guard case .text(let path)? = words["path"] else { throw RequestError("path", "must be a string") }
    var app = NotificationRequest.defaultApp
    if let value = words["app"] {
      guard case .text(let name) = value else { throw RequestError("app", "must be a string") }
      app = name
    }
    try self.init(path: path, app: app, skips: try Self.flag(words, "skip"), trusts: try Self.flag(words, "trust"))
    if case .integer(let count)? = words["alarms"] { alarms = Int(clamping: count) }
    if case .list(let lines)? = words["problems"] {
      problems = lines.compactMap { if case .text(let line) = $0 { line } else { nil } }
    }
  }

  private static func flag(_ words: [String: PlainValue], _ key: String) throws(RequestError) -> Bool {
    switch words[key] {
    case nil: return false
    case .flag(let isOn): return isOn
    default: throw RequestError(key, "must be true or false")
    }
  }

  /// The calendar as a dictionary.
  public var plain: [String: PlainValue] {
    [
      "path": .text(path), "app": .text(app), "skip": .flag(skips), "trust": .flag(trusts),
      "alarms": .integer(Int64(alarms)), "problems": .list(problems.map { .text($0) }),
    ]
  }
}
