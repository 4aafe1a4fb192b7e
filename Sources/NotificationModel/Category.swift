// SPDX-License-Identifier: Apache-2.0

/// A named set of actions, for two contexts: little room (*minimal*) and enough (*default*).
public struct Category: Hashable, Sendable, Codable {
  /// What requests name.
  public var id: String
  /// Everything that may be chosen.
  public var actions: [Action]
  /// Which of them stand in the default context, by id; nil: the first four.
  public var standard: [String]?
  /// Which of them stand in the minimal context; nil: the first two.
  public var minimal: [String]?
  /// Whether the app wants to hear that the user put the notification away.
  public var customDismiss: Bool
  /// One of freedesktop's own categories, `class.specific`, for the server.
  public var type: String?

  /// How many actions it may have.
  public static let mostActions = 256
  /// How many actions count in the minimal context.
  public static let mostMinimal = 2
  /// How many actions count in the default context.
  public static let mostStandard = 4

  /// A category.
  public init(
    id: String, actions: [Action], standard: [String]? = nil, minimal: [String]? = nil, customDismiss: Bool = false,
    type: String? = nil
  ) {
    self.id = id
    self.actions = actions
    self.standard = standard
    self.minimal = minimal
    self.customDismiss = customDismiss
    self.type = type
  }

  /// The actions that count where a notification of this style is shown, in their order.
  public func actions(in style: NotificationRequest.Style) -> [Action] {
    let (chosen, most) =
      switch style {
      case .banner: (minimal, Self.mostMinimal)
      case .alert: (standard, Self.mostStandard)
      }
    guard let chosen else { return Array(actions.prefix(most)) }
    return named(chosen.prefix(most))
  }

  /// What is meant for the default context and does not count any more, because there are four before it.
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
    case id, actions, standard = "default", minimal, customDismiss, type
  }

  private static let known = Set(CodingKeys.allCases.map(\.rawValue))

  /// Reads and checks a category.
  public init(from decoder: any Decoder) throws {
    let fields = try RequestDecoder(of: decoder, known: Self.known)
    id = try fields.required("id", try fields.identifier("id"))
    actions = try fields.value("actions", "a list of actions") ?? []
    standard = try fields.texts("default")
    minimal = try fields.texts("minimal")
    customDismiss = try fields.flag("customDismiss") ?? false
    type = try fields.identifier("type")
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

  /// Writes the category in the same words.
  public func encode(to encoder: any Encoder) throws { try plain.encode(to: encoder) }

  /// The category in the words of the vocabulary; what is as usual is left out.
  public var plain: PlainValue {
    var words: [String: PlainValue] = ["id": .text(id), "actions": .list(actions.map(\.plain))]
    if let standard { words["default"] = .list(standard.map { .text($0) }) }
    if let minimal { words["minimal"] = .list(minimal.map { .text($0) }) }
    if customDismiss { words["customDismiss"] = .flag(true) }
    if let type { words["type"] = .text(type) }
    return .dictionary(words)
  }

  /// From the words of the vocabulary, checked.
  public init(_ words: PlainValue) throws(RequestError) {
    do {
      self = try words.decode()
    } catch let error as RequestError {
      throw error
    } catch {
      // What decodes it throws nothing else.
      throw RequestError("", "cannot be read: \(error)")
    }
  }
}

extension [Category] {
  /// Refuses two with one id; `[3].id` says which.
  public func checkDistinct() throws(RequestError) {
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
