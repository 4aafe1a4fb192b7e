// SPDX-License-Identifier: Apache-2.0

extension NotificationRequest {
  /// The words of the vocabulary, in the order in which help and listings show them.
  public enum Key: String, CodingKey, CaseIterable, Sendable {
    case app, id, title, subtitle, body, markup, icon, image, sound, badge, progress, thread, level, style, expires
    case category, actions, url, userInfo
    case delay = "in"
    case at, every, rule, match
    case repeats = "repeat"
    case zone, from, until, count, missed, grace, wake
  }

  private static let known = Set(Key.allCases.map(\.rawValue))

  /// Reads and checks a request; what is wrong is a ``RequestError`` that names the key.
  public init(from decoder: any Decoder) throws {
    let fields = try Fields(of: decoder, known: Self.known)
    app = try fields.identifier("app") ?? Self.usualApp
    id = try fields.identifier("id")
    title = try fields.required("title", try fields.text("title"))
    subtitle = try fields.text("subtitle")
    body = try fields.text("body")
    icon = try fields.text("icon")
    image = try fields.text("image")
    progress = try fields.integer("progress", in: 0...100)
    level = try fields.choice("level", Level.self) ?? .active
    style = try fields.choice("style", Style.self) ?? .banner
    expires = try fields.parsed("expires", Expiry.textForm, Expiry.parse)
    actions = try fields.value("actions", "a list of actions") ?? []
    url = try fields.parsed("url", urlForm, checkURL)
    userInfo = try fields.dictionary("userInfo") ?? [:]
    sound = try fields.text("sound")
    badge = try fields.integer("badge", in: 0...Int(Int32.max))
    thread = try fields.identifier("thread")
    markup = try fields.flag("markup") ?? false
    category = try fields.identifier("category")
    when = try TriggerWords(fields)
    missed = try fields.choice("missed", Missed.self) ?? .deliver
    grace = try fields.parsed("grace", Duration.textForm, Duration.parse)
    wake = try fields.flag("wake") ?? false
    try checkTogether()
  }

  /// What no single key can tell.
  private func checkTogether() throws(RequestError) {
    if title.isEmpty && (body ?? "").isEmpty {
      throw RequestError("title", "must not be empty: a notification without any text cannot be shown")
    }
    var seen: Set<String> = []
    for (index, action) in actions.enumerated() where !seen.insert(action.id).inserted {
      throw RequestError("actions[\(index)].id", "is \(action.id.quoted) a second time; each action needs its own")
    }
  }

  /// Writes the request in the same words; what is as usual is left out.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(app, forKey: .app)
    try container.encodeIfPresent(id, forKey: .id)
    try container.encode(title, forKey: .title)
    try container.encodeIfPresent(subtitle, forKey: .subtitle)
    try container.encodeIfPresent(body, forKey: .body)
    try container.encodeIfPresent(icon, forKey: .icon)
    try container.encodeIfPresent(image, forKey: .image)
    try container.encodeIfPresent(progress, forKey: .progress)
    if level != .active { try container.encode(level, forKey: .level) }
    if style != .banner { try container.encode(style, forKey: .style) }
    try container.encodeIfPresent(expires?.text, forKey: .expires)
    if !actions.isEmpty { try container.encode(actions, forKey: .actions) }
    try container.encodeIfPresent(url, forKey: .url)
    if !userInfo.isEmpty { try container.encode(userInfo, forKey: .userInfo) }
    try container.encodeIfPresent(sound, forKey: .sound)
    try container.encodeIfPresent(badge, forKey: .badge)
    try container.encodeIfPresent(thread, forKey: .thread)
    if markup { try container.encode(markup, forKey: .markup) }
    try container.encodeIfPresent(category, forKey: .category)
    try when.encode(to: &container)
    if missed != .deliver { try container.encode(missed, forKey: .missed) }
    try container.encodeIfPresent(grace?.text, forKey: .grace)
    if wake { try container.encode(wake, forKey: .wake) }
  }
}

extension NotificationRequest.Expiry {
  static let textForm = "'never' or \(Duration.textForm)"

  /// Reads `never` or a duration.
  public static func parse(_ text: String) throws(RequestError) -> Self {
    if text == "never" { return .never }
    do throws(RequestError) { return .after(try Duration.parse(text)) } catch {
      throw RequestError("", "must be \(textForm), at most a hundred years, not \(text.quoted)")
    }
  }

  /// In the form that ``parse(_:)`` reads.
  public var text: String {
    switch self {
    case .never: "never"
    case .after(let duration): duration.text
    }
  }
}
