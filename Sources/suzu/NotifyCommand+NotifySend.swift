// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// Converts the flags of notify-send to keys of a request, so that scripts for notify-send keep working.
extension NotifyCommand {
  /// The flags of notify-send that `suzu notify` does not have already.
  static let notifySendFlags = [
    Flag(
      "urgency", letter: "u", "LEVEL", completing: .words(["low", "normal", "critical"]),
      "set the level: low, normal or critical"),
    Flag(
      "expire-time", letter: "t", "MILLISECONDS", "close it after that; 0: never, -1: as usual"),
    Flag("app-icon", letter: "n", "ICON", completing: .file, "same as --icon"),
    Flag("transient", letter: "e", nil, "keep it out of the server's list"),
    Flag("replace-id", letter: "r", "ID", completing: .ids, "same as --id; 0 means none"),
    Flag(
      "print-id", letter: "p", nil,
      "use a number as the id, and print it"),
  ]

  /// All flags of the verb `notify-send`, where no answer is a success.
  static let allNotifySendFlags =
    flags.map { flag in
      flag.name == "wait"
        ? Flag("wait", letter: "w", nil, "wait until it is answered or closed; --action prints the button's id") : flag
    } + notifySendFlags

  /// Adds the keys that notify-send's flags set. A flag of `suzu notify` takes precedence.
  static func addNotifySend(
    _ arguments: Arguments, to words: inout [String: PlainValue]
  ) throws(CommandError) {
    func add(_ key: String, _ value: PlainValue?) {
      if words[key] == nil { words[key] = value }
    }
    if let text = arguments.value("urgency") { add("level", .text(try level(text, "--urgency"))) }
    if let text = arguments.value("expire-time") { add("expires", try expiry(text)) }
    if let icon = arguments.value("app-icon") { add("icon", .text(icon)) }
    if let id = arguments.value("replace-id"), id != "0" { add("id", .text(id)) }
    var hints: [String: PlainValue] = [:]
    if arguments.has("transient") { hints["transient"] = .flag(true) }
    for text in arguments.all("hint") {
      let hint = try Hint(text)
      guard let word = try hint.word else {
        hints[hint.name] = hint.value
        continue
      }
      if let value = word.value { add(word.key, value) }
    }
    // Both hints replace an earlier notification; an id does so on every server.
    for name in ["x-canonical-private-synchronous", "x-dunst-stack-tag"] {
      if case .text(let tag)? = hints[name], !tag.isEmpty { add("id", .text(tag)) }
    }
    if !hints.isEmpty { words["hints"] = .dictionary(hints) }
    if arguments.has("print-id") { add("id", .text(String(Int32.random(in: 1 << 30 ... .max)))) }
  }

  /// Throws if two flags set the same key.
  static func refuseTwins(_ arguments: Arguments) throws(CommandError) {
    let twins = [
      ("id", "replace-id", "id"), ("level", "urgency", "level"), ("expires", "expire-time", "expiry"),
      ("icon", "app-icon", "icon"),
    ]
    for (one, other, what) in twins {
      guard let first = arguments.typed(one), let second = arguments.typed(other) else { continue }
      throw .usage("'\(first)' and '\(second)' both set the \(what); give one of them")
    }
  }

  fileprivate static func level(_ text: String, _ what: String) throws(CommandError) -> String {
    switch text.lowercased() {
    case "low", "0": return "passive"
    case "normal", "1": return "active"
    case "critical", "2": return "critical"
    default:
      let known = ["high": "critical", "urgent": "critical", "medium": "normal", "default": "normal"]
      let near =
        (known[text.lowercased()] ?? text.misspelling(ofOneOf: known.keys.sorted()).flatMap { known[$0] }).map {
          "; did you mean '\($0)'?"
        }
        ?? suggestion(for: text, among: ["low", "normal", "critical"])
      throw .data("'\(what) \(PrintableText.line(text, atMost: 60))' must be low, normal or critical\(near)")
    }
  }

  private static func expiry(_ text: String) throws(CommandError) -> PlainValue? {
    guard let milliseconds = Int32(text) else {
      throw .data("'--expire-time \(text)' must be a number of milliseconds; --expires accepts 5s")
    }
    if milliseconds < 0 { return nil }
    return .text(milliseconds == 0 ? "never" : "\(milliseconds)ms")
  }
}

/// `TYPE:NAME:VALUE`
struct Hint {
  let name: String
  let value: PlainValue
  /// As it was typed.
  private let text: String

  private static let types = ["string", "int", "double", "boolean", "byte", "variant"]

  init(_ text: String) throws(CommandError) {
    self.text = text
    let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, !parts[1].isEmpty else { throw .data("'--hint \(text)' must be TYPE:NAME:VALUE") }
    guard let value = try Self.value(parts[0].lowercased(), parts[2]) else {
      throw .data("'--hint \(text)': '\(parts[2])' is not of type \(parts[0])")
    }
    name = parts[1]
    self.value = value
  }

  private static func value(_ type: String, _ text: String) throws(CommandError) -> PlainValue? {
    switch type {
    case "string": return .text(text)
    case "int": return Int32(text).map { .integer(Int64($0)) }
    case "byte": return UInt8(text).map { .integer(Int64($0)) }
    case "double": return Double(text).flatMap { $0.isFinite ? .number($0) : nil }
    case "boolean":
      // GLib's parser also accepts a word or its first letter.
      switch text.lowercased() {
      case "true", "t", "yes", "y", "1": return .flag(true)
      case "false", "f", "no", "n", "0": return .flag(false)
      default: return nil
      }
    case "variant": return variant(text)
    default:
      let near = suggestion(for: type, among: types)
      throw .data("'\(type)' is not a hint type: \(types.joined(separator: ", "))\(near)")
    }
  }

  /// Parses the simple forms of GVariant's text format: `'text'`, `true`, `7`, `1.5`.
  private static func variant(_ text: String) -> PlainValue? {
    if text == "true" || text == "false" { return .flag(text == "true") }
    if let quote = text.first, quote == "'" || quote == "\"", text.count > 1, text.last == quote {
      return .text(String(text.dropFirst().dropLast()))
    }
    return Int64(text).map { .integer($0) } ?? Double(text).flatMap { $0.isFinite ? .number($0) : nil }
  }

  /// The key of a request for this hint; nil if there is none, so that the hint is passed to the server. The value is
  /// nil if no server would understand it.
  var word: (key: String, value: PlainValue?)? {
    get throws(CommandError) {
      switch (name, value) {
      case ("urgency", .integer(let number)):
        guard 0...2 ~= number else {
          throw .data("'--hint \(PrintableText.line(text, atMost: 60))': the urgency must be 0, 1 or 2")
        }
        return ("level", .text(try NotifyCommand.level("\(number)", "--hint")))
      case ("urgency", .text(let text)): return ("level", .text(try NotifyCommand.level(text, "--hint")))
      case ("value", .integer(let number)): return ("progress", .integer(min(max(number, 0), 100)))
      case ("value", .text(let text)): return ("progress", Int64(text).map { .integer(min(max($0, 0), 100)) })
      case ("value", .number(let number)): return ("progress", .integer(Int64(min(max(number, 0), 100))))
      case ("image-path", .text), ("image_path", .text): return ("image", value)
      case ("sound-file", .text), ("sound-name", .text): return ("sound", value)
      case ("suppress-sound", let flag): return ("sound", flag == .flag(false) ? nil : .text("none"))
      default: return ServerHint.words[name].map { ($0, nil) }
      }
    }
  }
}

// MARK: Dialect

extension NotifyCommand {
  /// The flags that notify-send itself has, by name.
  static let notifySendNames: Set<String> = [
    "urgency", "expire-time", "app-name", "icon", "app-icon", "category", "transient", "hint", "print-id", "replace-id",
    "wait", "action",
  ]

  /// Applies the defaults of notify-send.
  ///
  /// - Parameter hasProgress: whether `--progress` was given, which notify-send does not have.
  static func behave(_ words: inout [String: PlainValue], hasProgress: Bool = false) {
    // A volume bar is a hint, which some servers draw without its texts; as text, it would not be a bar.
    if !hasProgress, let value = words.removeValue(forKey: "progress") { addHint("value", value, to: &words) }
    words["markup"] = .flag(true)
    if words["appName"] == nil, words["app"] == nil { words["appName"] = .text("notify-send") }
    if case .text(let body)? = words["body"] { words["body"] = .text(unescaped(body)) }
    // notify-send accepts any text as a category; one of ours must be registered.
    guard case .text(let category)? = words["category"], !category.contains(".") || category.contains(",") else {
      return
    }
    words["category"] = nil
    addHint("category", .text(category), to: &words)
  }

  private static func addHint(_ name: String, _ value: PlainValue, to words: inout [String: PlainValue]) {
    var hints: [String: PlainValue] = [:]
    if case .dictionary(let given)? = words["hints"] { hints = given }
    hints[name] = value
    words["hints"] = .dictionary(hints)
  }

  /// Resolves `\n` and other escapes as GLib's g_strcompress does.
  static func unescaped(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let next = rest.popFirst() else {
        if byte != UInt8(ascii: "\\") { bytes.append(byte) }
        continue
      }
      switch next {
      case UInt8(ascii: "n"): bytes.append(10)
      case UInt8(ascii: "t"): bytes.append(9)
      case UInt8(ascii: "r"): bytes.append(13)
      case UInt8(ascii: "b"): bytes.append(8)
      case UInt8(ascii: "f"): bytes.append(12)
      case UInt8(ascii: "v"): bytes.append(11)
      case UInt8(ascii: "0")...UInt8(ascii: "7"):
        var number = Int(next - 48)
        for _ in 0..<2 {
          guard let digit = rest.first, UInt8(ascii: "0")...UInt8(ascii: "7") ~= digit else { break }
          number = number * 8 + Int(digit - 48)
          rest.removeFirst()
        }
        // A NUL would end the text in a C program.
        if number & 255 != 0 { bytes.append(UInt8(number & 255)) }
      default: bytes.append(next)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
