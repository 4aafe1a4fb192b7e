// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import Glibc
internal import NotificationModel
internal import Triggers
internal import Zoneinfo

/// What `suzu export --everything` writes and `suzu import` reads: the pending requests and the categories of all apps,
/// what the user decided about apps, the places that the user named, what is muted, and quiet hours.
struct ExportedEverything {
  /// The categories of one file in `categories.d`, for one app or for all.
  struct CategoryFile {
    /// The name of the file, without its folder.
    let name: String
    /// The app that they are for; nil if they are for every app.
    let app: String?
    var categories: [Category]
  }

  private(set) var requests: [[String: PlainValue]] = []
  private(set) var categories: [(app: String, categories: [Category])] = []
  /// Categories that came from files, and become files again where the center does not know them.
  private(set) var filed: [CategoryFile] = []
  private(set) var apps: [AppSettings] = []
  private(set) var places: [NamedPlace] = []
  private(set) var mutes: [Mute] = []
  private(set) var quiet: [ExportedQuiet] = []

  /// The key of each part in the file.
  private enum Part: String, CaseIterable {
    case requests, categories, apps, places, mutes, quiet
  }

  /// The key of an entry of `categories` whose categories came from a file: its name.
  private static let file = "file"

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
      let read = try Self.categories(in: words, place)
      if let name = try Self.file(in: words, place) {
        filed.append(
          CategoryFile(name: name, app: words["app"] == nil ? nil : try app(in: words, place), categories: read))
      } else {
        categories.append((try app(in: words, place), read))
      }
    }
    for (place, words) in try dictionaries(.apps, of: words) {
      apps.append(try settings(in: words, place))
    }
    for (path, words) in try dictionaries(.places, of: words) {
      do throws(RequestError) { places.append(try NamedPlace(words)) } catch {
        throw RequestError(error.key.isEmpty ? path : path + "." + error.key, error.problem)
      }
    }
    for (path, words) in try dictionaries(.mutes, of: words) { mutes.append(try Self.mute(in: words, path)) }
    for (path, words) in try dictionaries(.quiet, of: words) { quiet.append(try ExportedQuiet(words, path)) }
  }

  private static func mute(in words: [String: PlainValue], _ path: String) throws(RequestError) -> Mute {
    guard case .text(let text)? = words["until"], let end = Instant(rfc3339: text) else {
      throw RequestError(path + ".until", "must be a time such as '2026-11-24T08:00:00+01:00'")
    }
    do throws(RequestError) { return try Mute(words.merging(["until": .integer(end.seconds)]) { $1 }) } catch {
      throw RequestError("\(path).\(error.key)", error.problem)
    }
  }

  /// The settings of an app; it may be undecided what it may do.
  private func settings(in words: [String: PlainValue], _ place: String) throws(RequestError) -> AppSettings {
    var settings = AppSettings(app: try app(in: words, place))
    if words["allowed"] != nil || ["deliver", "away", "previews"].allSatisfy({ words[$0] == nil }) {
      (settings.allowed, settings.isDecided) = (try Self.kinds(in: words, place), true)
    }
    if let times = words["deliver"] {
      guard case .list(let values) = times else { throw RequestError(place + ".deliver", "must be a list of times") }
      do throws(RequestError) {
        settings.delivery = try DeliveryTimes(values.map { if case .text(let text) = $0 { text } else { "" } })
      } catch {
        throw RequestError(place + ".deliver", error.problem)
      }
    }
    if let rule = words["away"] {
      guard case .text(let name) = rule, let away = AwayRule(rawValue: name) else {
        let rules = AwayRule.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        throw RequestError(place + ".away", "must be one of \(rules)")
      }
      settings.away = away
    }
    if let value = words["previews"] {
      guard case .text(let name) = value, let previews = Previews(rawValue: name) else {
        let known = Previews.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        throw RequestError(place + ".previews", "must be one of \(known)")
      }
      settings.previews = previews
    }
    return settings
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

  /// The name of the file that the categories came from; nil if an app had registered them.
  private static func file(in words: [String: PlainValue], _ place: String) throws(RequestError) -> String? {
    guard let value = words[file] else { return nil }
    // It is written into the user's settings, so it must not lead elsewhere.
    guard case .text(let name) = value, name.hasSuffix(".json"), !name.hasPrefix("."), name.utf8.count <= 255,
      !name.unicodeScalars.contains(where: { $0 == "/" || $0.value < 32 || $0.value == 127 })
    else { throw RequestError("\(place).\(file)", "must be the name of a file in categories.d, such as 'backup.json'") }
    return name
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

  /// The file of a center's state.
  ///
  /// - Parameter folder: the user's own folder of category files, which counts before those of packages.
  static func text(
    of requests: [NotificationRequest], _ categories: [RegisteredCategory], _ apps: [AppSettings],
    _ places: [NamedPlace], _ mutes: [Mute], _ quiet: [QuietReport] = [], ownFilesIn folder: String? = nil
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
    let muted = mutes.map { one in
      PlainValue.dictionary(one.plain.merging(["until": .text(Timestamp.text(time_t(one.until)))]) { $1 }).json
    }
    let parts = [
      (Part.requests, requests.map(\.json)),
      (
        .categories,
        owners.map {
          "{\"app\":\(PlainValue.text($0.app).json),\"categories\":[\($0.categories.joined(separator: "\n,"))]}"
        }
          + filed(categories, ownIn: folder)
      ),
      (.apps, apps.compactMap(settings)),
      (.places, places.map { PlainValue.dictionary($0.plain).json }), (.mutes, muted),
      (.quiet, quiet.compactMap(ExportedQuiet.json)),
    ]
    return "{" + parts.map { "\"\($0.0.rawValue)\":[" + $0.1.joined(separator: "\n,") + "]" }.joined(separator: "\n,")
      + "}\n"
  }

  /// What the user has set for an app; nil if that is nothing.
  private static func settings(_ one: AppSettings) -> String? {
    var words: [String: PlainValue] = [:]
    if one.isDecided { words["allowed"] = .list(NoticeKind.texts(one.allowed).map { .text($0) }) }
    if let delivery = one.delivery { words["deliver"] = .list(delivery.texts.map { .text($0) }) }
    if one.away != .show { words["away"] = .text(one.away.rawValue) }
    if one.previews != .always { words["previews"] = .text(one.previews.rawValue) }
    if words.isEmpty { return nil }
    return PlainValue.dictionary(words.merging(["app": .text(one.app)]) { $1 }).json
  }

  /// The categories in files, an entry for each file.
  private static func filed(_ categories: [RegisteredCategory], ownIn folder: String?) -> [String] {
    func isOwn(_ path: String) -> Bool { folder.map { path.hasPrefix($0 + "/") } ?? false }
    let all = categories.compactMap { one in one.file.map { (one: one, path: $0) } }
    let ordered = all.filter { isOwn($0.path) } + all.filter { !isOwn($0.path) }
    // If two files define the same category, the first one counts.
    var seen: Set<[Identifier]> = []
    var files: [CategoryFile] = []
    for (one, path) in ordered
    where seen.insert([Identifier(one.category.id)] + (one.app.map { [Identifier($0)] } ?? [])).inserted {
      let name = path.split(separator: "/").last.map(String.init) ?? path
      if let index = files.firstIndex(where: { $0.name == name && $0.app == one.app }) {
        files[index].categories.append(one.category)
      } else {
        files.append(CategoryFile(name: name, app: one.app, categories: [one.category]))
      }
    }
    return files.map { entry in
      var words: [String: PlainValue] = [
        file: .text(entry.name), "categories": .list(entry.categories.map(\.plain)),
      ]
      words["app"] = entry.app.map { .text($0) }
      return PlainValue.dictionary(words).json
    }
  }
}
