// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// What the launcher keeps: what is switched on, and what was imported. A file of JSON that a person can change.
struct LauncherFile: Equatable {
  /// An imported URL: an entry of `schemes.plist`, in its own words.
  struct Scheme: Equatable {
    /// `app_name`: what it is called.
    let name: String
    /// `url_scheme`
    let url: String
    /// `category`: the group that it is in.
    let category: String

    /// What it is switched on by.
    var key: String { "\(category):\(name)" }
  }

  /// Keys of items, in the order in which they were switched on; also of apps that are not installed any more.
  private(set) var on: [String] = []
  private(set) var groups: [String] = []
  private(set) var schemes: [Scheme] = []

  static let name = "launcher.json"

  init() {}

  func isOn(_ key: String) -> Bool { on.contains(key) }

  mutating func set(_ isOn: Bool, _ keys: [String]) {
    on.removeAll { !isOn && keys.contains($0) }
    for key in keys where isOn && !on.contains(key) { on.append(key) }
  }

  /// What has the name of one that is there takes its place.
  mutating func add(groups new: [String], schemes newSchemes: [Scheme]) {
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

// MARK: As a file

extension LauncherFile {
  /// From the file's content; the error says where in it something is wrong.
  init(_ bytes: [UInt8]) throws(DocumentError) {
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

  /// As it is written: an entry a line, for whoever changes it by hand.
  var text: String {
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
  /// The entries of a list. What else they say is left to those who know it: the lists are other people's.
  static func list(_ value: PlainValue, _ path: String) throws(RequestError) -> [Self] {
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
        throw RequestError("\(path).\(key)", "must be a text of 1 to 255 bytes on one line")
      }
      return text
    }
    (name, category) = (try text("app_name"), try text("category"))
    guard case .text(let url)? = words["url_scheme"] else {
      throw words["url_scheme"] == nil
        ? RequestError(path, "has no 'url_scheme'")
        : RequestError("\(path).url_scheme", "must be a text such as 'mailto:'")
    }
    self.url = url
  }

  var plain: PlainValue {
    .dictionary(["app_name": .text(name), "url_scheme": .text(url), "category": .text(category)])
  }
}

extension PlainValue {
  /// A list of names.
  func texts(_ path: String) throws(RequestError) -> [String] {
    guard case .list(let values) = self else { throw RequestError(path, "must be a list of texts") }
    var texts: [String] = []
    for (index, value) in values.enumerated() {
      guard case .text(let text) = value, Self.isName(text) else {
        throw RequestError("\(path)[\(index)]", "must be a text of 1 to 255 bytes on one line")
      }
      if !texts.contains(text) { texts.append(text) }
    }
    return texts
  }

  fileprivate static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 255 && text.utf8.allSatisfy { $0 >= 32 && $0 != 127 }
  }
}
