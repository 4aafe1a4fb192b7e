// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// The categories that requests may name: those that their app registered, which are kept in the store, then those in
/// files. Confined to the loop's thread.
final class Categories {
  /// How many an app may register.
  static let mostOfAnApp = 20_000

  private let store: Store
  private let files: CategoryFiles
  /// What apps registered, as far as it was asked for; an app without any has an empty entry.
  private var registered: [Identifier: [Identifier: Category]] = [:]

  init(store: Store, files: CategoryFiles) {
    self.store = store
    self.files = files
  }

  func begin(on loop: EventLoop) { files.follow(on: loop) }
  func end() { files.end() }

  /// Whether it was registered by the app, or stands in a file that is for the app alone.
  func isOwn(_ id: String, of app: String) -> Bool {
    registered(by: app)[Identifier(id)] != nil
      || files.all(of: app).contains { $0.app?.isIdentical(to: app) == true && $0.category.id.isIdentical(to: id) }
  }

  /// What is wrong with files, a line each.
  var problems: [String] { files.problems }

  func category(_ id: String, of app: String) -> Category? {
    registered(by: app)[Identifier(id)] ?? files.category(id, of: app)
  }

  /// Whether a request of `app` may name it: freedesktop's own, `class.specific`, need not be registered.
  func knows(_ id: String, of app: String) -> Bool { category(id, of: app) != nil || id.contains(".") }

  // MARK: Registering

  /// Puts these in the place of all that the app registered before.
  func set(_ categories: [Category], of app: String) throws(StoreError) {
    let text = categories.isEmpty ? nil : PlainValue.list(categories.map(\.plain)).json
    try store.withNeededTransaction { () throws(StoreError) in try store.set(Self.prefix + app, to: text) }
    registered[Identifier(app)] = Self.byID(categories)
  }

  /// What the app registered.
  func own(of app: String) -> [Category] { registered(by: app).sorted { $0.key < $1.key }.map(\.value) }

  /// What is in files for the app, or for anybody, and not covered by its own.
  func filed(of app: String) -> [CategoryFiles.Filed] {
    let own = registered(by: app)
    var seen: Set<Identifier> = []
    return files.all(of: app).filter {
      let id = Identifier($0.category.id)
      return own[id] == nil && seen.insert(id).inserted
    }
  }

  /// Everything that is in files.
  var filed: [CategoryFiles.Filed] { files.all(of: nil) }

  /// Which apps have registered any.
  var apps: [String] {
    ((try? store.settings(withPrefix: Self.prefix)) ?? []).map {
      String(decoding: $0.name.utf8.dropFirst(Self.prefix.utf8.count), as: UTF8.self)
    }
  }

  private func registered(by app: String) -> [Identifier: Category] {
    if let known = registered[Identifier(app)] { return known }
    // Apps come and go; what is kept at hand is what saves reading the same again.
    if registered.count >= 32 { registered = [:] }
    let found = Self.byID(read(app))
    registered[Identifier(app)] = found
    return found
  }

  private func read(_ app: String) -> [Category] {
    guard let text = (try? store.setting(Self.prefix + app)) ?? nil,
      case .list(let values)? = try? JSONReader.read(text)
    else { return [] }
    return values.compactMap { try? Category($0) }
  }

  private static func byID(_ categories: [Category]) -> [Identifier: Category] {
    Dictionary(categories.map { (Identifier($0.id), $0) }, uniquingKeysWith: { first, _ in first })
  }

  private static let prefix = "categories/"
}
