// SPDX-License-Identifier: Apache-2.0
package import NotificationModel

/// The launcher's settings: enabled keys and imported lists, in a JSON file that the user may edit.
package struct LauncherFile: Hashable, Sendable {
  /// An imported entry of `schemes.plist`.
  package struct Scheme: Hashable, Sendable {
    /// `app_name`: the displayed name.
    package let name: String
    /// `url_scheme`
    package let url: String
    /// `category`: the group.
    package let category: String

    /// The id for `enable`.
    package var key: String { "\(category):\(name)" }

    package init(name: String, url: String, category: String) {
      (self.name, self.url, self.category) = (name, url, category)
    }
  }

  /// Enabled keys in the order of enabling, including those of uninstalled apps.
  package private(set) var on: [String] = []
  package private(set) var groups: [String] = []
  package private(set) var schemes: [Scheme] = []

  package static let name = "launcher.json"

  package init() {}

  package func isOn(_ key: String) -> Bool { on.contains(key) }

  package mutating func set(_ isOn: Bool, _ keys: [String]) {
    on.removeAll { !isOn && keys.contains($0) }
    for key in keys where isOn && !on.contains(key) { on.append(key) }
  }

  /// Adds entries; new ones replace those with the same key.
  package mutating func add(groups new: [String], schemes newSchemes: [Scheme]) {
    for group in new where !groups.contains(group) { groups.append(group) }
    for scheme in newSchemes {
      if let index = schemes.firstIndex(where: { $0.key == scheme.key }) {
        schemes[index] = scheme
      } else {
        schemes.append(scheme)
      }
    }
  }
}

// MARK: File format

extension LauncherFile {
  /// Parses the file; errors name the position.
  package init(_ bytes: [UInt8]) throws(DocumentError) {
    let document = try PlainDocument(bytes)
    do throws(RequestError) { try self.init(document.value) } catch { throw document.error(error) }
  }

  private init(_ value: PlainValue) throws(RequestError) {
    guard case .dictionary(let words) = value else {
      throw RequestError("", "must be a dictionary with 'on', 'groups' and 'schemes'")
    }
    for (key, value) in words.sorted(by: { $0.key < $1.key }) {
      switch key {
      case "on": on = try value.texts("on")
      case "groups": groups = try value.texts("groups")
      case "schemes": schemes = try Scheme.list(value, "schemes")
      default: throw RequestError(key, "is not a known key: there are 'on', 'groups' and 'schemes'", isAboutKey: true)
      }
    }
  }

  /// The file's text with one entry per line, for editing by hand.
  package var text: String {
    func list(_ values: [PlainValue]) -> String {
      values.isEmpty ? "[]" : "[\n    " + values.map(\.json).joined(separator: ",\n    ") + "\n  ]"
    }
    return """
      {
        "on": \(list(on.map { .text($0) })),
        "groups": \(list(groups.map { .text($0) })),
        "schemes": \(list(schemes.map(\.plain)))
      }

      """
  }
}

extension LauncherFile.Scheme {
  /// Parses a list. Unknown keys are ignored, because the lists come from other programs.
  package static func list(_ value: PlainValue, _ path: String) throws(RequestError) -> [Self] {
    guard case .list(let values) = value else { throw RequestError(path, "must be a list of dictionaries") }
    var schemes: [Self] = []
    for (index, value) in values.enumerated() { schemes.append(try Self(value, "\(path)[\(index)]")) }
    return schemes
  }

  private init(_ value: PlainValue, _ path: String) throws(RequestError) {
    guard case .dictionary(let words) = value else {
      throw RequestError(path, "must be a dictionary with 'app_name', 'url_scheme' and 'category'")
    }
    func text(_ key: String) throws(RequestError) -> String {
      guard let value = words[key] else { throw RequestError(path, "has no '\(key)'") }
      guard case .text(let text) = value, PlainValue.isName(text) else {
        throw RequestError("\(path).\(key)", "must be a string of 1 to 255 bytes on one line")
      }
      return text
    }
    (name, category) = (try text("app_name"), try text("category"))
    guard case .text(let url)? = words["url_scheme"] else {
      throw words["url_scheme"] == nil
        ? RequestError(path, "has no 'url_scheme'")
        : RequestError("\(path).url_scheme", "must be a string such as 'mailto:'")
    }
    self.url = url
  }

  var plain: PlainValue {
    .dictionary(["app_name": .text(name), "url_scheme": .text(url), "category": .text(category)])
  }
}

extension PlainValue {
  /// A list of names, without duplicates.
  package func texts(_ path: String) throws(RequestError) -> [String] {
    guard case .list(let values) = self else { throw RequestError(path, "must be a list of strings") }
    var texts: [String] = []
    for (index, value) in values.enumerated() {
      guard case .text(let text) = value, Self.isName(text) else {
        throw RequestError("\(path)[\(index)]", "must be a string of 1 to 255 bytes on one line")
      }
      if !texts.contains(text) { texts.append(text) }
    }
    return texts
  }

  fileprivate static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 255 && text.utf8.allSatisfy { $0 >= 32 && $0 != 127 }
  }
}
