// SPDX-License-Identifier: Apache-2.0

extension NotificationRequest {
  /// The keys, in the order of help and listings.
  public enum Key: String, CodingKey, CaseIterable, Sendable {
    case app, appName, id, title, subtitle, body, markup, icon, image, sound, speak, badge, progress, thread, relevance,
      summaryName, summaryCount, level, style, expires, nag, escalate, max
    case category, hints, actions, url, userInfo
    case delay = "in"
    case at, every, rule, match, on
    case repeats = "repeat"
    case cooldown, zone, from, until, count, during, now, missed, grace, wake
  }

  private static let known = KnownKeys(Key.allCases)

  /// Decodes and checks a request; a ``RequestError`` names the key.
  public init(from decoder: any Decoder) throws {
    let fields = try RequestDecoder(of: decoder, known: Self.known)
    let app = try fields.identifier("app").map(AppID.init(trusted:)) ?? .suzu
    let appName = try fields.identifier("appName")
    let id = try fields.identifier("id").map(RequestID.init(trusted:))
    var content = Content(title: try fields.required("title", try fields.text("title")))
    content.appName = appName
    try content.fill(fields)
    let schedule = try ScheduleWords(fields)
    try content.checkTogether()
    self.init(trusted: content, app: app, id: id, schedule: try schedule.schedule())
    try checkEventKeys()
  }

  /// Encodes the request with the same keys, without defaults.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try forEachWord { try container.encode($1, forKey: $0) }
  }

  /// The request as one line of JSON, its keys in order.
  public var json: String {
    var writer = JSONWriter()
    writer.begin("{")
    forEachWord { writer.add($0.rawValue, $1) }
    writer.end("}")
    return writer.text
  }

  /// Passes the keys one by one, because most callers only forward them.
  func forEachWord(_ tell: (Key, PlainValue) throws -> Void) rethrows {
    try tell(.app, .text(app.text))
    if let appName = content.appName { try tell(.appName, .text(appName)) }
    if let id { try tell(.id, .text(id.text)) }
    try content.forEachWord(tell)
    try schedule.forEachWord(tell)
  }
}

extension NotificationRequest.Content {
  /// The keys that most requests do not have.
  private static let others = KnownKeys.bits(of: [
    .subtitle, .markup, .icon, .image, .sound, .speak, .badge, .progress, .thread, .relevance, .summaryName,
    .summaryCount, .level, .style, .expires, .nag, .escalate, .max, .category, .hints, .actions, .url, .userInfo,
  ])

  /// Decodes all keys but the headline and the name of the sender.
  fileprivate mutating func fill(_ fields: RequestDecoder) throws {
    body = try fields.text("body")
    guard fields.hasAny(Self.others) else { return }
    subtitle = try fields.text("subtitle")
    icon = try fields.text("icon").map { Picture($0) }
    image = try fields.text("image").map { Picture($0) }
    progress = try fields.integer("progress", in: 0...100)
    level = try fields.choice("level", NotificationRequest.Level.self) ?? .active
    style = try fields.choice("style", NotificationRequest.Style.self) ?? .banner
    expires = try fields.parsed(
      "expires", NotificationRequest.Expiry.textForm, NotificationRequest.Expiry.parse)
    actions = try fields.value("actions", "a list of actions") ?? []
    url = try fields.parsed("url", urlForm, checkURL)
    userInfo = try fields.dictionary("userInfo") ?? [:]
    sound = try fields.text("sound").map { Sound($0) }
    speak = try fields.flag("speak") ?? false
    badge = try fields.integer("badge", in: 0...Int(Int32.max))
    thread = try fields.identifier("thread")
    relevance = try fields.number("relevance", in: 0...1)
    summaryName = try fields.text("summaryName")
    summaryCount = try fields.integer("summaryCount", in: 1...Self.mostSummaryCount)
    markup = try fields.flag("markup") ?? false
    category = try fields.identifier("category").map(CategoryID.init(trusted:))
    hints = try fields.dictionary("hints") ?? [:]
    nag = try Nag(fields)
  }

  /// Checks that involve several keys.
  fileprivate func checkTogether() throws(RequestError) {
    if title.isEmpty && (body ?? "").isEmpty {
      throw RequestError("title", "must not be empty: a notification without any text cannot be shown")
    }
    if !actions.isEmpty { try actions.checkDistinct("actions") }
    if !hints.isEmpty { try ServerHint.check(hints) }
    if !actions.isEmpty, let index = nag?.steps.firstIndex(where: { $0.category != nil }) {
      throw RequestError(sentence: "'actions' and 'escalate[\(index)].category' cannot be combined", about: "actions")
    }
  }

  /// All keys but the name of the sender, in display order.
  fileprivate func forEachWord(_ tell: (NotificationRequest.Key, PlainValue) throws -> Void) rethrows {
    try tell(.title, .text(title))
    if let subtitle { try tell(.subtitle, .text(subtitle)) }
    if let body { try tell(.body, .text(body)) }
    if markup { try tell(.markup, .flag(true)) }
    if let icon { try tell(.icon, .text(icon.text)) }
    if let image { try tell(.image, .text(image.text)) }
    if let sound { try tell(.sound, .text(sound.text)) }
    if speak { try tell(.speak, .flag(true)) }
    if let badge { try tell(.badge, .integer(Int64(badge))) }
    if let progress { try tell(.progress, .integer(Int64(progress))) }
    if let thread { try tell(.thread, .text(thread)) }
    if let relevance { try tell(.relevance, .number(relevance)) }
    if let summaryName { try tell(.summaryName, .text(summaryName)) }
    if let summaryCount { try tell(.summaryCount, .integer(Int64(summaryCount))) }
    if level != .active { try tell(.level, .text(level.rawValue)) }
    if style != .banner { try tell(.style, .text(style.rawValue)) }
    if let expires { try tell(.expires, .text(expires.text)) }
    try nag?.forEachWord(tell)
    if let category { try tell(.category, .text(category.text)) }
    if !hints.isEmpty { try tell(.hints, .dictionary(hints)) }
    if !actions.isEmpty { try tell(.actions, .list(actions.map(\.plain))) }
    if let url { try tell(.url, .text(url)) }
    if !userInfo.isEmpty { try tell(.userInfo, .dictionary(userInfo)) }
  }
}

extension NotificationRequest.Expiry {
  static let textForm = "'never' or \(Duration.textForm)"

  /// Parses `never` or a duration.
  public static func parse(_ text: String) throws(RequestError) -> Self {
    if text == "never" { return .never }
    do throws(RequestError) { return .after(try Duration.parse(text)) } catch {
      throw RequestError("", "must be \(textForm), at most a hundred years, not \(text.quoted)")
    }
  }

  /// The text that ``parse(_:)`` reads.
  public var text: String {
    switch self {
    case .never: "never"
    case .after(let duration): duration.text
    }
  }
}
