// SPDX-License-Identifier: Apache-2.0

extension Condition {
  /// The keys of the dictionary, by the word that begins the line.
  private static let parts: [String: Set<String>] = [
    "wifi": [], "network": [], "place": ["latitude", "longitude", "radius"], "beacon": ["major", "minor"],
    "battery": [], "power": [], "unlocked": [], "idle": [], "awake": [], "unit": ["state", "system"],
    "file": ["changes"], "device": [], "signal": ["from", "at", "args", "system"],
  ]

  /// Reads the dictionary that a line stands for: `{"wifi": "Home", "edge": "leave", "for": "5m"}`.
  init(_ words: [String: PlainValue]) throws(RequestError) {
    let kinds = words.keys.filter { Self.parts[$0] != nil }.sorted()
    guard let kind = kinds.first, kinds.count == 1 else {
      if kinds.isEmpty, let wrong = words.keys.sorted().first(where: { !["edge", "for"].contains($0) }) {
        let better = wrong.misspelling(ofOneOf: Self.parts.keys).map { "; did you mean '\($0)'?" } ?? ""
        throw RequestError("", "has the unknown condition \(wrong.quoted)\(better)")
      }
      throw RequestError(
        "",
        kinds.isEmpty
          ? "lacks a condition; for example {\"wifi\": \"Home\"}"
          : "has the conditions '\(kinds[0])' and '\(kinds[1])'; give one of them")
    }
    let known = (Self.parts[kind] ?? []).union([kind, "edge", "for"])
    if let unknown = words.keys.filter({ !known.contains($0) }).min() {
      let better = unknown.misspelling(ofOneOf: known).map { "; did you mean '\($0)'?" } ?? ""
      throw RequestError("", "has the unknown key \(unknown.quoted) beside '\(kind)'\(better)")
    }
    let reader = ConditionDictionary(words: words)
    let subject = try reader.subject(kind)
    let edge = try reader.text("edge").map { text throws(RequestError) in
      guard let edge = Edge(rawValue: text) else {
        throw RequestError("", "needs an 'edge' of 'enter', 'leave' or 'change', not \(text.quoted)")
      }
      return edge
    }
    let hold = try reader.text("for").map { text throws(RequestError) in try Duration.parse(text) }
    // The line has the rest of the checks.
    try self.init(Condition(trusted: subject, edge: edge ?? .enter, hold: hold).text)
  }
}

/// The values of the dictionary of a condition.
private struct ConditionDictionary {
  let words: [String: PlainValue]

  func subject(_ kind: String) throws(RequestError) -> Condition.Subject {
    switch kind {
    case "wifi": return .wifi(try needed(kind))
    case "network": return .network(try needed(kind))
    case "place": return .place(try place())
    case "beacon":
      return .beacon(.init(uuid: try needed(kind), major: try integer("major"), minor: try integer("minor")))
    case "battery":
      var words = try ConditionWords(try needed(kind))
      let level = try Condition.battery(&words)
      try words.checkEnd(example: "< 20%")
      return .battery(level)
    case "idle": return .idle(try Duration.parse(try needed(kind)))
    case "unit":
      let text = try needed("state", "unit")
      guard let state = Condition.Unit.State(rawValue: text) else {
        throw RequestError("", "needs a 'state' of 'failed', 'active' or 'inactive', not \(text.quoted)")
      }
      return .unit(.init(name: try needed(kind), state: state, isOfSystem: try flag("system")))
    case "file": return try flag("changes") ? .fileChange(try needed(kind)) : .file(try needed(kind))
    case "device":
      guard case .dictionary(let properties)? = words[kind], properties.count == 1, let (key, value) = properties.first,
        case .text(let text) = value
      else { throw RequestError("", "needs a 'device' of one property, such as {\"ID_VENDOR\": \"Yubico\"}") }
      return .device(property: key, value: text)
    case "signal": return .signal(try signal())
    default:
      guard try flag(kind) else { throw RequestError("", "needs '\(kind)' to be true; use 'edge' for its opposite") }
      return kind == "power" ? .power : kind == "awake" ? .awake : .unlocked
    }
  }

  private func place() throws(RequestError) -> Condition.Place {
    guard words["latitude"] != nil || words["longitude"] != nil || words["radius"] != nil else {
      return .named(try needed("place"))
    }
    guard try flag("place"), let latitude = number("latitude"), let longitude = number("longitude"),
      let radius = number("radius")
    else {
      throw RequestError(
        "", "needs 'place' to be true, and the numbers 'latitude', 'longitude' (degrees) and 'radius' (metres)")
    }
    return .circle(latitude: latitude, longitude: longitude, radius: radius)
  }

  private func signal() throws(RequestError) -> Condition.SignalPattern {
    let elements = try needed("signal").split(separator: ".", omittingEmptySubsequences: false)
    var arguments: [Int: String] = [:]
    if let args = words["args"] {
      guard case .dictionary(let values) = args else {
        throw RequestError("", "needs 'args' to be a dictionary such as {\"0\": \"page\"}")
      }
      for (key, value) in values.sorted(by: { $0.key < $1.key }) {
        guard let index = Int(key), case .text(let text) = value else {
          throw RequestError("", "needs strings by number in 'args', such as {\"0\": \"page\"}")
        }
        arguments[index] = text
      }
    }
    return Condition.SignalPattern(
      interface: elements.dropLast().joined(separator: "."), member: elements.last.map(String.init) ?? "",
      sender: try text("from"), path: try text("at"), arguments: arguments, isOfSystem: try flag("system"))
  }

  // MARK: Values

  func text(_ key: String) throws(RequestError) -> String? {
    guard let value = words[key] else { return nil }
    guard case .text(let text) = value else { throw RequestError("", "needs '\(key)' to be a string") }
    return text
  }

  private func needed(_ key: String, _ kind: String? = nil) throws(RequestError) -> String {
    guard let text = try text(key) else { throw RequestError("", "lacks '\(key)' beside '\(kind ?? key)'") }
    return text
  }

  private func flag(_ key: String) throws(RequestError) -> Bool {
    guard let value = words[key] else { return false }
    guard case .flag(let flag) = value else { throw RequestError("", "needs '\(key)' to be true or false") }
    return flag
  }

  private func integer(_ key: String) throws(RequestError) -> Int? {
    guard let value = words[key] else { return nil }
    guard case .integer(let integer) = value else { throw RequestError("", "needs '\(key)' to be an integer") }
    return Int(clamping: integer)
  }

  private func number(_ key: String) -> Double? {
    switch words[key] {
    case .integer(let integer): Double(integer)
    case .number(let number): number
    default: nil
    }
  }
}
