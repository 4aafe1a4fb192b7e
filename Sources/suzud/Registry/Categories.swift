// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// The categories that requests may name: first those that their app registered, which the store keeps, then those in
/// files. Confined to the loop's thread.
final class Categories {
  /// How many categories one app may register.
  static let mostOfAnApp = 10_000

  private let store: Store
  private let files: CategoryFiles
  /// A cache of the registered categories; an app that has none has an empty entry.
  private var registered: [Identifier: [Identifier: Category]] = [:]

  init(store: Store, files: CategoryFiles) {
    self.store = store
    self.files = files
  }

  func begin(on loop: EventLoop) { files.follow(on: loop) }
  func end() { files.end() }

  /// The errors in files of categories, one line each.
  var problems: [String] { files.problems }

  /// The category for a request with these rights. A sandboxed app gets only those that it registered, or that are in a
  /// file for that app alone: a category for every app may run programs that a sandboxed one may not.
  func category(_ id: String, of app: String, for rights: Rights) -> Category? {
    switch rights {
    case .all: registered(by: app)[Identifier(id)] ?? files.category(id, of: app)
    case .of(app): registered(by: app)[Identifier(id)] ?? files.category(id, ofAlone: app)
    case .of, .none: nil
    }
  }

  // MARK: Registering

  /// Replaces all categories that the app registered before. The text of a long list is made in slices.
  func set(_ categories: [Category], of app: String, on loop: EventLoop) async throws(StoreError) {
    var slices = loop.slices
    var text = "["
    var known = [Identifier: Category](minimumCapacity: categories.count)
    for category in categories {
      await slices.pause()
      if !known.isEmpty { text += "," }
      text += category.plain.json
      known[Identifier(category.id)] = category
    }
    text += "]"
    let stored = categories.isEmpty ? nil : text
    try store.withNeededTransaction { () throws(StoreError) in try store.set(Self.prefix + app, to: stored) }
    registered[Identifier(app)] = known
  }

  /// The categories that the app registered.
  func own(of app: String) -> [Category] { Self.sorted(registered(by: app)) }

  /// The same in slices. They are not kept in the cache: the app may replace them meanwhile, and a list of all apps
  /// would push out those that requests name.
  private func own(of app: String, in slices: inout EventLoop.Slices) async -> [Category] {
    if let known = registered[Identifier(app)] { return Self.sorted(known) }
    var found: [Identifier: Category] = [:]
    await slices.pause()
    for value in stored(of: app) {
      await slices.pause()
      guard let category = try? Category(value) else { continue }
      let id = Identifier(category.id)
      if found[id] == nil { found[id] = category }
    }
    return Self.sorted(found)
  }

  /// Only the ids are sorted: moving thousands of categories takes three times as long.
  private static func sorted(_ categories: [Identifier: Category]) -> [Category] {
    categories.keys.sorted().compactMap { categories[$0] }
  }

  /// The categories in files for this app or for every app, without those that the app's own replace.
  func filed(of app: String) -> [CategoryFiles.Filed] {
    let own = registered(by: app)
    var seen: Set<Identifier> = []
    return files.all(of: app).filter {
      let id = Identifier($0.category.id)
      return own[id] == nil && seen.insert(id).inserted
    }
  }

  /// The categories that an app may name, or all: the registered ones, then those in files. The app of a registered one
  /// is only named in a list of several apps. The list of all apps may be long, so it is made in slices.
  func listed<Encoded>(
    of app: String?, for rights: Rights, on loop: EventLoop, encode: (RegisteredCategory) -> Encoded
  ) async -> [Encoded] {
    var slices = loop.slices
    var encoded: [Encoded] = []
    func add(_ category: RegisteredCategory) async {
      await slices.pause()
      encoded.append(encode(category))
    }
    if let own = rights.ownApp {
      for category in seen(by: own) { await add(RegisteredCategory(category)) }
      return encoded
    }
    for owner in app.map({ [$0] }) ?? apps {
      for category in await own(of: owner, in: &slices) {
        await add(RegisteredCategory(category, of: app == nil ? owner : nil))
      }
    }
    for filed in app.map({ filed(of: $0) }) ?? filed {
      await add(RegisteredCategory(filed.category, of: filed.app, in: filed.path))
    }
    // Writing the answer of thousands takes a turn of its own.
    if encoded.count > 1000 { await loop.nextTurn() }
    return encoded
  }

  /// The categories that a sandboxed app may name, without commands and paths of the host.
  func seen(by app: String) -> [Category] {
    let own = registered(by: app)
    let filed = files.all(of: app).filter { $0.app?.isIdentical(to: app) == true }.map(\.category)
    var seen: Set<Identifier> = []
    let others = filed.filter { own[Identifier($0.id)] == nil && seen.insert(Identifier($0.id)).inserted }
    return (self.own(of: app) + others).map(\.withoutHost)
  }

  /// All categories in files.
  var filed: [CategoryFiles.Filed] { files.all(of: nil) }

  /// The apps that registered any.
  var apps: [String] {
    ((try? store.settings(withPrefix: Self.prefix)) ?? []).map {
      String(decoding: $0.name.utf8.dropFirst(Self.prefix.utf8.count), as: UTF8.self)
    }
  }

  private func registered(by app: String) -> [Identifier: Category] {
    if let known = registered[Identifier(app)] { return known }
    // Keeps the cache small.
    if registered.count >= 32 { registered = [:] }
    let found = Self.byID(read(app))
    registered[Identifier(app)] = found
    return found
  }

  private func read(_ app: String) -> [Category] { stored(of: app).compactMap { try? Category($0) } }

  private func stored(of app: String) -> [PlainValue] {
    guard let text = (try? store.setting(Self.prefix + app)) ?? nil,
      case .list(let values)? = try? JSONReader.read(text)
    else { return [] }
    return values
  }

  private static func byID(_ categories: [Category]) -> [Identifier: Category] {
    Dictionary(categories.map { (Identifier($0.id), $0) }, uniquingKeysWith: { first, _ in first })
  }

  private static let prefix = "categories/"
}

extension Category {
  /// The category without commands and file paths of the host.
  fileprivate var withoutHost: Category {
    var category = self
    category.actions = actions.map { action in
      var action = action
      if let icon = action.icon, icon.contains("/") { action.icon = nil }
      switch action.effect {
      case .run, .http: action.effect = nil
      case .url(let url) where url.prefix(5).lowercased() == "file:": action.effect = nil
      default: break
      }
      return action
    }
    return category
  }
}
