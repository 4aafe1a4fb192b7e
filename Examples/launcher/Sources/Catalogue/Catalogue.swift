// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The apps and their actions, each with a switch. They are in the user's defaults, and know nothing of notifications.
public struct Catalogue: Codable {
  /// An entry of `schemes.plist`.
  public struct Entry: Codable {
    /// The name of the action.
    public let name: String
    /// The URL to open.
    public let scheme: String
    /// The app that it belongs to.
    public let app: String

    private enum CodingKeys: String, CodingKey {
      case name = "app_name", scheme = "url_scheme", app = "category"
    }
  }

  /// The names of the apps.
  public private(set) var apps: [String] = []
  /// The actions of all apps.
  public private(set) var entries: [Entry] = []
  private var switchedOff: Set<String> = []

  /// The entries that are on, and whose app is.
  public var enabled: [Entry] { entries.filter { isOn($0.app) && isOn($0.name) } }

  /// Whether an app or an action is on.
  public func isOn(_ name: String) -> Bool { !switchedOff.contains(name) }

  // MARK: The user's defaults

  private static let key = "catalogue"
  private static var defaults: UserDefaults { UserDefaults(suiteName: "org.example.Launcher") ?? .standard }

  /// Reads the catalogue; it is empty before the first import.
  public init() {
    guard let data = Self.defaults.data(forKey: Self.key),
      let kept = try? PropertyListDecoder().decode(Catalogue.self, from: data)
    else { return }
    self = kept
  }

  private func keep() throws {
    let defaults = Self.defaults
    defaults.set(try PropertyListEncoder().encode(self), forKey: Self.key)
    defaults.synchronize()
  }

  // MARK: Changes

  /// Carries out `import APPLIST SCHEMES`, `on NAME` or `off NAME`; returns whether it was one of them.
  public mutating func change(_ words: [String]) throws -> Bool {
    switch (words.first, words.count) {
    case ("import", 3):
      apps = try Self.read([String].self, words[1])
      entries = try Self.read([Entry].self, words[2])
    case ("on", 2): switchedOff.remove(words[1])
    case ("off", 2): switchedOff.insert(words[1])
    default: return false
    }
    try keep()
    return true
  }

  private static func read<Value: Decodable>(_ type: Value.Type, _ file: String) throws -> Value {
    try PropertyListDecoder().decode(type, from: Data(contentsOf: URL(fileURLWithPath: file)))
  }
}

extension Catalogue: CustomStringConvertible {
  /// The apps with their actions, one a line.
  public var description: String {
    apps.map { app in
      let lines = entries.filter { $0.app == app }.map { "  \(mark($0.name)) \($0.name)  \($0.scheme)" }
      return (["\(mark(app)) \(app)"] + lines).joined(separator: "\n")
    }.joined(separator: "\n")
  }

  private func mark(_ name: String) -> String { isOn(name) ? "[x]" : "[ ]" }
}
