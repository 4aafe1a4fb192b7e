// SPDX-License-Identifier: Apache-2.0

/// A named set of actions, for two contexts: little space (*minimal*) and enough (*default*).
public struct Category: Hashable, Sendable, Codable {
  /// The name that requests use.
  public var id: String
  /// All actions.
  public var actions: [Action]
  /// The ids of the actions in the default context; nil means the first four.
  public var standard: [String]?
  /// The ids of the actions in the minimal context; nil means the first two.
  public var minimal: [String]?
  /// Whether the app is told when the user dismisses the notification.
  public var customDismiss: Bool
  /// Whether answers stay on this machine, also those to a push that other desktops show.
  public var localAnswers = false
  /// A standard freedesktop category, `class.specific`, for the server.
  public var type: String?
  /// What is shown while the texts of the app are hidden; nil for the usual text.
  public var hidden: Hidden?
  /// What is said of several notifications that are told as one; nil lists their titles.
  public var summary: SummaryFormat?
  /// Data of the app that registered it, which the center keeps and returns unchanged.
  public var userInfo: [String: PlainValue]

  /// The maximum number of actions.
  public static let mostActions = 256
  /// The maximum number of actions in the minimal context.
  public static let mostMinimal = 2
  /// The maximum number of actions in the default context.
  public static let mostStandard = 4

  /// Creates a category.
  public init(
    id: String, actions: [Action], standard: [String]? = nil, minimal: [String]? = nil, customDismiss: Bool = false,
    type: String? = nil, hidden: Hidden? = nil, summary: SummaryFormat? = nil, userInfo: [String: PlainValue] = [:]
  ) {
    self.id = id
    self.actions = actions
    self.standard = standard
    self.minimal = minimal
    self.customDismiss = customDismiss
    self.type = type
    self.hidden = hidden
    self.summary = summary
    self.userInfo = userInfo
  }

  /// The actions of a notification with this style, in order.
  public func actions(in style: NotificationRequest.Style) -> [Action] {
    let (chosen, most) =
      switch style {
      case .banner: (minimal, Self.mostMinimal)
      case .alert: (standard, Self.mostStandard)
      }
    guard let chosen else { return Array(actions.prefix(most)) }
    return named(chosen.prefix(most))
  }

  /// Actions of the default context beyond the first four, which are ignored.
  public var overflow: [Action] {
    guard let standard else { return Array(actions.dropFirst(Self.mostStandard)) }
    return named(standard.dropFirst(Self.mostStandard))
  }

  private func named(_ ids: ArraySlice<String>) -> [Action] {
    let actions = Dictionary(actions.map { (Identifier($0.id), $0) }) { first, _ in first }
    return ids.compactMap { actions[Identifier($0)] }
  }
}

extension Category {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case id, actions, standard = "default", minimal, customDismiss, localAnswers, type, hidden, summary, userInfo
  }

  private static let known = KnownKeys(CodingKeys.allCases.map(\.rawValue))

  /// Decodes and checks a category.
  public init(from decoder: any Decoder) throws {
    let fields = try RequestDecoder(of: decoder, known: Self.known)
    id = try fields.required("id", try fields.identifier("id"))
    actions = try fields.value("actions", "a list of actions") ?? []
    standard = try fields.texts("default")
    minimal = try fields.texts("minimal")
    customDismiss = try fields.flag("customDismiss") ?? false
    localAnswers = try fields.flag("localAnswers") ?? false
    type = try fields.identifier("type")
    hidden = try fields.value("hidden", "a dictionary")
    summary = try fields.parsed("summary", "a string") { text throws(RequestError) in try SummaryFormat(text) }
    userInfo = try fields.dictionary("userInfo") ?? [:]
    try actions.checkDistinct(fields.name("actions"))
    try check(standard, fields.name("default"))
    try check(minimal, fields.name("minimal"))
  }

  private func check(_ ids: [String]?, _ name: String) throws(RequestError) {
    guard let ids else { return }
    let known = Set(actions.map { Identifier($0.id) })
    var seen: Set<Identifier> = []
    for (index, id) in ids.enumerated() {
      guard known.contains(Identifier(id)) else {
        throw RequestError("\(name)[\(index)]", "names \(id.quoted), which is not one of its actions")
      }
      guard seen.insert(Identifier(id)).inserted else {
        throw RequestError("\(name)[\(index)]", "repeats \(id.quoted)")
      }
    }
  }

  /// Encodes the category with the same keys.
  public func encode(to encoder: any Encoder) throws { try plain.encode(to: encoder) }

  /// The category as keys and values, without defaults.
  public var plain: PlainValue {
    var words: [String: PlainValue] = ["id": .text(id), "actions": .list(actions.map(\.plain))]
    if let standard { words["default"] = .list(standard.map { .text($0) }) }
    if let minimal { words["minimal"] = .list(minimal.map { .text($0) }) }
    if customDismiss { words["customDismiss"] = .flag(true) }
    if localAnswers { words["localAnswers"] = .flag(true) }
    if let type { words["type"] = .text(type) }
    if let hidden { words["hidden"] = hidden.plain }
    if let summary { words["summary"] = .text(summary.text) }
    if !userInfo.isEmpty { words["userInfo"] = .dictionary(userInfo) }
    return .dictionary(words)
  }

  /// Creates a category from keys and values, and checks it.
  public init(_ words: PlainValue) throws(RequestError) { self = try words.checked() }
}

extension [Category] {
  /// Refuses two categories with the same id; the error names the index: `[3].id`.
  package func checkDistinct() throws(RequestError) {
    var seen: Set<Identifier> = []
    for (index, category) in enumerated() where !seen.insert(Identifier(category.id)).inserted {
      throw RequestError("[\(index)].id", "repeats \(category.id.quoted); ids must be unique")
    }
  }
}

extension [Action] {
  func checkDistinct(_ name: String) throws(RequestError) {
    guard count <= Category.mostActions else {
      throw RequestError(name, "has \(count) actions; at most \(Category.mostActions) are allowed")
    }
    var seen: Set<Identifier> = []
    for (index, action) in enumerated() where !seen.insert(Identifier(action.id)).inserted {
      throw RequestError("\(name)[\(index)].id", "repeats \(action.id.quoted); ids must be unique")
    }
  }
}
