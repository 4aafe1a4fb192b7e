// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Suzu

/// What `suzu export --everything` writes and `suzu import` reads: the pending requests and the registered categories of
/// all apps, and what the user decided about apps.
struct ExportedEverything {
  private(set) var requests: [[String: PlainValue]] = []
  private(set) var categories: [(app: String, categories: [Category])] = []
  /// Categories that came from files and that requests name. They are registered only where no file defines them.
  private(set) var filed: [(app: String, categories: [Category])] = []
  private(set) var apps: [AppSettings] = []

  /// The key of each part in the file.
  private enum Part: String, CaseIterable {
    case requests, categories, apps
  }

  /// The key of an entry of `categories` whose categories came from files.
  private static let fromFiles = "fromFiles"

  /// Whether a file is such an export: no request and no file of categories has these keys.
  static func recognizes(_ value: PlainValue) -> Bool {
    guard case .dictionary(let words) = value else { return false }
    return words[Part.requests.rawValue] != nil || words[Part.apps.rawValue] != nil
  }

  /// Reads a file; requests are not checked yet.
  init(_ document: PlainDocument) throws(DocumentError) {
    do throws(RequestError) { try read(document.value) } catch { throw document.error(error) }
  }

  /// The key path of a request's key, for errors.
  static func path(_ key: String, ofRequest number: Int) -> String {
    "\(Part.requests.rawValue)[\(number)]" + (key.isEmpty ? "" : "." + key)
  }

  // MARK: Reading

  private mutating func read(_ value: PlainValue) throws(RequestError) {
    guard case .dictionary(let words) = value else { return }
    if let unknown = words.keys.filter({ Part(rawValue: $0) == nil }).min() {
      throw RequestError(unknown, "is not a known key", isAboutKey: true)
    }
    requests = try dictionaries(.requests, of: words).map(\.words)
    for (place, words) in try dictionaries(.categories, of: words) {
      let read = (try app(in: words, place), try Self.categories(in: words, place))
      if words[Self.fromFiles] == .flag(true) { filed.append(read) } else { categories.append(read) }
    }
    for (place, words) in try dictionaries(.apps, of: words) {
      let app = try app(in: words, place)
      apps.append(AppSettings(app: app, allowed: try Self.kinds(in: words, place), isDecided: true))
    }
  }

  private func dictionaries(
    _ part: Part, of words: [String: PlainValue]
  ) throws(RequestError) -> [(place: String, words: [String: PlainValue])] {
    guard let value = words[part.rawValue] else { return [] }
    guard case .list(let values) = value else { throw RequestError(part.rawValue, "must be a list") }
    var found: [(place: String, words: [String: PlainValue])] = []
    for (number, value) in values.enumerated() {
      let place = "\(part.rawValue)[\(number)]"
      guard case .dictionary(let words) = value else { throw RequestError(place, "must be a dictionary") }
      found.append((place, words))
    }
    return found
  }

  private func app(in words: [String: PlainValue], _ place: String) throws(RequestError) -> String {
    guard case .text(let app)? = words["app"], !app.isEmpty else {
      throw RequestError(place + ".app", "must be a desktop-entry id")
    }
    return app
  }

  private static func categories(
    in words: [String: PlainValue], _ place: String
  ) throws(RequestError) -> [Category] {
    guard case .list(let values)? = words["categories"] else {
      throw RequestError(place + ".categories", "must be a list")
    }
    var categories: [Category] = []
    for (number, value) in values.enumerated() {
      do throws(RequestError) { categories.append(try Category(value)) } catch {
        let path = "\(place).categories[\(number)]"
        throw RequestError(
          error.key.isEmpty ? path : path + "." + error.key, error.problem, isAboutKey: error.isAboutKey)
      }
    }
    do throws(RequestError) { try categories.checkDistinct() } catch {
      throw RequestError("\(place).categories\(error.key)", error.problem)
    }
    return categories
  }

  private static func kinds(in words: [String: PlainValue], _ place: String) throws(RequestError) -> Set<NoticeKind> {
    let expected = "must be a list of " + NoticeKind.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    guard case .list(let values)? = words["allowed"] else { throw RequestError(place + ".allowed", expected) }
    var kinds: Set<NoticeKind> = []
    for value in values {
      guard case .text(let name) = value, let kind = NoticeKind(rawValue: name) else {
        throw RequestError(place + ".allowed", expected)
      }
      kinds.insert(kind)
    }
    return kinds
  }

  // MARK: Writing

  /// The file of a center's state. Of the categories in files, it has those that requests name.
  static func text(
    of requests: [NotificationRequest], _ categories: [RegisteredCategory], _ apps: [AppSettings]
  ) -> String {
    var owners: [(app: String, categories: [String])] = []
    for one in categories where one.file == nil {
      let app = one.app ?? NotificationRequest.defaultApp
      if owners.last?.app.isIdentical(to: app) == true {
        owners[owners.count - 1].categories.append(one.category.plain.json)
      } else {
        owners.append((app, [one.category.plain.json]))
      }
    }
    let decided = apps.filter(\.isDecided).map { one in
      let allowed = NoticeKind.texts(one.allowed).map { PlainValue.text($0) }
      return PlainValue.dictionary(["app": .text(one.app), "allowed": .list(allowed)]).json
    }
    let parts = [
      (Part.requests, requests.map(\.json)),
      (
        .categories,
        owners.map {
          "{\"app\":\(PlainValue.text($0.app).json),\"categories\":[\($0.categories.joined(separator: "\n,"))]}"
        }
          + filed(namedBy: requests, in: categories)
      ),
      (.apps, decided),
    ]
    return "{" + parts.map { "\"\($0.0.rawValue)\":[" + $0.1.joined(separator: "\n,") + "]" }.joined(separator: "\n,")
      + "}\n"
  }

  /// The categories in files that requests name, an entry for each app.
  private static func filed(
    namedBy requests: [NotificationRequest], in categories: [RegisteredCategory]
  ) -> [String] {
    var named: [String: [String: PlainValue]] = [:]
    for request in requests {
      guard let id = request.content.category?.text else { continue }
      let app = request.app.text
      // The app's own come first in the list, and then those in files, in the order in which they count.
      let found = categories.first {
        $0.category.id.isIdentical(to: id) && ($0.app ?? app).isIdentical(to: app)
      }
      if let found, found.file != nil { named[app, default: [:]][id] = found.category.plain }
    }
    return named.sorted { $0.key < $1.key }.map { app, categories in
      PlainValue.dictionary([
        "app": .text(app), fromFiles: .flag(true),
        "categories": .list(categories.sorted { $0.key < $1.key }.map(\.value)),
      ]).json
    }
  }
}
