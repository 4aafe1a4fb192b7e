// SPDX-License-Identifier: Apache-2.0

extension Nag {
  /// Decodes and checks `nag`, `escalate` and `max`; nil if the request has none of them.
  init?(_ fields: RequestDecoder) throws {
    let pause = try fields.parsed("nag", Duration.textForm, Self.checkedPause)
    let steps: [Step]? = try fields.value("escalate", #"a list such as [{"after": "10m", "level": "critical"}]"#)
    let most = try fields.integer("max", in: 2...Self.mostShowings)
    if let steps { try Self.check(steps, fields.name("escalate")) }
    guard pause != nil || steps != nil else {
      guard most == nil else {
        throw RequestError(sentence: "applies only to 'nag' and 'escalate'; for example 'nag: 5m'", about: "max")
      }
      return nil
    }
    self.init(trusted: pause, steps ?? [], most: most)
  }

  private static func checkedPause(_ text: String) throws(RequestError) -> Duration {
    let pause = try Duration.parse(text)
    guard pause >= shortestPause else {
      throw RequestError("", "must be at least \(shortestPause.text), not \(text.quoted)")
    }
    return pause
  }

  private static func check(_ steps: [Step], _ name: String) throws(RequestError) {
    guard 1...mostSteps ~= steps.count else {
      throw RequestError(name, "must have 1 to \(mostSteps) steps, not \(steps.count)")
    }
    var last: Duration = .zero
    for (index, step) in steps.enumerated() {
      guard step.after - last >= shortestPause else {
        let base = index == 0 ? "at least" : "at least \(shortestPause.text) later than the step before:"
        let least = (last + shortestPause).text
        throw RequestError("\(name)[\(index)].after", "must be \(base) \(least), not '\(step.after.text)'")
      }
      last = step.after
    }
  }

  /// Passes the keys in display order.
  func forEachWord(_ tell: (NotificationRequest.Key, PlainValue) throws -> Void) rethrows {
    if let pause { try tell(.nag, .text(pause.word)) }
    if !steps.isEmpty { try tell(.escalate, .list(steps.map(\.plain))) }
    if let most { try tell(.max, .integer(Int64(most))) }
  }
}

extension Nag.Step: Decodable {
  private static let known = KnownKeys(["after", "level", "sound", "style", "category", "push"])

  /// Decodes and checks one entry of `escalate`.
  public init(from decoder: any Decoder) throws {
    let fields = try RequestDecoder(of: decoder, known: Self.known)
    let after = try fields.parsed("after", Duration.textForm, Duration.parse)
    self.init(
      after: try fields.required("after", after),
      level: try fields.choice("level", NotificationRequest.Level.self),
      sound: try fields.text("sound").map { Sound($0) },
      style: try fields.choice("style", NotificationRequest.Style.self),
      category: try fields.identifier("category").map(CategoryID.init(trusted:)),
      push: try Self.push(fields))
  }

  private static let pushForm = "true, or the name of a link"

  private static func push(_ fields: RequestDecoder) throws -> Nag.PushTarget? {
    guard let value: PlainValue = try fields.value("push", pushForm) else { return nil }
    switch value {
    case .flag(true): return .onlyLink
    case .text(let name) where name.isLinkName: return .link(name)
    case .text: throw RequestError(fields.name("push"), "must be the name of a link: \(String.linkNameForm)")
    default: throw RequestError(fields.name("push"), "must be \(pushForm), not \(value.inAWord)")
    }
  }

  /// The entry as keys and values.
  var plain: PlainValue {
    var words: [String: PlainValue] = ["after": .text(after.word)]
    words["level"] = level.map { .text($0.rawValue) }
    words["sound"] = sound.map { .text($0.text) }
    words["style"] = style.map { .text($0.rawValue) }
    words["category"] = category.map { .text($0.text) }
    words["push"] = push.map(\.plain)
    return .dictionary(words)
  }
}

extension Nag.PushTarget {
  /// The value of the key.
  package var plain: PlainValue {
    switch self {
    case .onlyLink: .flag(true)
    case .link(let name): .text(name)
    }
  }

  /// The name of the link; nil for the only one.
  package var name: String? { if case .link(let name) = self { name } else { nil } }
}
