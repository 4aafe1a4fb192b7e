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
    if !actions.isEmpty { try actions.checkDistinct("actions") }
  }

  /// Writes the request in the same words; what is as usual is left out.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    for (key, value) in words { try container.encode(value, forKey: key) }
  }

  /// The request in the words of the vocabulary, in their order.
  public var words: [(key: Key, value: PlainValue)] {
    var words: [(key: Key, value: PlainValue)] = []
    func add(_ key: Key, _ value: PlainValue?) {
      if let value { words.append((key, value)) }
    }
    add(.app, .text(app))
    add(.id, id.map { .text($0) })
    add(.title, .text(title))
    add(.subtitle, subtitle.map { .text($0) })
    add(.body, body.map { .text($0) })
    add(.markup, markup ? .flag(true) : nil)
    add(.icon, icon.map { .text($0) })
    add(.image, image.map { .text($0) })
    add(.sound, sound.map { .text($0) })
    add(.badge, badge.map { .integer(Int64($0)) })
    add(.progress, progress.map { .integer(Int64($0)) })
    add(.thread, thread.map { .text($0) })
    add(.level, level == .active ? nil : .text(level.rawValue))
    add(.style, style == .banner ? nil : .text(style.rawValue))
    add(.expires, expires.map { .text($0.text) })
    add(.category, category.map { .text($0) })
    add(.actions, actions.isEmpty ? nil : .list(actions.map(\.plain)))
    add(.url, url.map { .text($0) })
    add(.userInfo, userInfo.isEmpty ? nil : .dictionary(userInfo))
    for (key, value) in when.words { add(key, value) }
    add(.missed, missed == .deliver ? nil : .text(missed.rawValue))
    add(.grace, grace.map { .text($0.text) })
    add(.wake, wake ? .flag(true) : nil)
    return words
  }

  /// The request as one line of JSON, its words in their order.
  public var json: String {
    var text = ""
    text.reserveCapacity(200)
    text += "{"
    text.reserveCapacity(256)
    for (index, word) in words.enumerated() {
      text += index > 0 ? ",\"" : "\""
      text += word.key.rawValue
      text += "\":"
      word.value.write(to: &text)
    }
    return text + "}"
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
