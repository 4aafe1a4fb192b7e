// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// A permission request of an agent, as its hook read it.
struct HookRequest {
  /// Why a request cannot be answered.
  struct Problem: Error {
    let message: String
    /// The event, if that much could be read.
    let event: HookFormat.Event?
    /// Whether the event asks for no permission: the hook is set up for a wrong one.
    var isOtherEvent = false
  }

  let event: HookFormat.Event
  let tool: String
  /// Its input, with the keys of that tool.
  let input: [String: PlainValue]
  let folder: String?

  /// More is not read: agents hand over whole files.
  static let longest = 16 << 20

  /// Reads what the agent wrote to the hook's standard input. Unknown keys have no effect.
  init(_ bytes: [UInt8], in format: HookFormat) throws(Problem) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Problem(message: "the request is not UTF-8 text", event: nil)
    }
    let value: PlainValue
    do throws(DocumentError) { value = try JSONReader.read(text, omittingNull: true) } catch {
      // The rest may be cut off, but the event often comes first, and the agent takes only the answer of that event.
      let name = format.event.last.flatMap { Self.text(of: $0, in: text) }
      throw Problem(message: "the request is not valid JSON: \(error.problem)", event: name.flatMap(format.event))
    }
    let name = Self.text(at: format.event, in: value)
    guard let event = format.event(name) else {
      let names = format.events.compactMap(\.name).joined(separator: " or ")
      guard let name else { throw Problem(message: "the request names no event", event: nil) }
      throw Problem(
        message: "'\(PrintableText.line(name, atMost: 60))' asks for no permission; set the hook up for \(names)",
        event: nil, isOtherEvent: true)
    }
    self.event = event
    guard let tool = event.onlyTool ?? Self.text(at: event.tool, in: value), !tool.isEmpty else {
      throw Problem(
        message: "the request names no tool: '\(event.tool.joined(separator: "."))' is missing", event: event)
    }
    self.tool = tool
    guard let input = Self.dictionary(at: event.input, in: value) else {
      throw Problem(message: "'\(event.input.joined(separator: "."))' must be an object", event: event)
    }
    self.input = input
    folder = Self.text(at: format.folder, in: value).flatMap { $0.isEmpty ? nil : $0 }
  }

  // MARK: Reading

  private static func value(at path: [String], in value: PlainValue) -> PlainValue? {
    path.reduce(value as PlainValue?) { value, key in
      if case .dictionary(let words)? = value { words[key] } else { nil }
    }
  }

  private static func text(at path: [String], in value: PlainValue) -> String? {
    guard !path.isEmpty, case .text(let text)? = Self.value(at: path, in: value) else { return nil }
    return text
  }

  /// A tool without an input has none; other values are not understood.
  private static func dictionary(at path: [String], in value: PlainValue) -> [String: PlainValue]? {
    switch Self.value(at: path, in: value) {
    case nil: return [:]
    case .dictionary(let words): return words
    case .text(let text):
      if text.isEmpty { return [:] }
      guard case .dictionary(let words)? = try? JSONReader.read(text, omittingNull: true) else { return nil }
      return words
    default: return nil
    }
  }

  /// The text behind the first occurrence of a key, in a text that is not valid JSON.
  private static func text(of key: String, in text: String) -> String? {
    guard let found = text.firstRange(of: "\"\(key)\"") else { return nil }
    let rest = text[found.upperBound...].drop { $0 == ":" || $0.isWhitespace }
    guard rest.first == "\"" else { return nil }
    return String(rest.dropFirst().prefix { $0.isLetter })
  }

  // MARK: For the user

  /// The command line that the tool runs; nil if it runs none.
  var command: String? {
    for key in ["command", "cmd", "script"] {
      switch input[key] {
      case .text(let text): return text
      case .list(let words):
        // Whole words: what a shortened one hides could be the point.
        return words.map { word in
          guard case .text(let text) = word else { return word.json }
          let isPlain = !text.isEmpty && text.allSatisfy { $0.isLetter || $0.isNumber || "-_./=:,@%+".contains($0) }
          return isPlain ? text : "'\(text.replacing("'", with: #"'\''"#))'"
        }.joined(separator: " ")
      default: break
      }
    }
    return nil
  }

  /// The file that the tool works on; nil if it names none.
  var file: String? {
    for key in ["file_path", "filePath", "path", "notebook_path", "absolute_path"] {
      if case .text(let text)? = input[key] { return text }
    }
    return nil
  }

  /// What the tool is to do, for the notification: the command, the file, or its whole input.
  var what: String {
    if let known = command ?? file { return known }
    for key in ["url", "query", "pattern"] {
      if case .text(let text)? = input[key] { return text }
    }
    return input.isEmpty ? "" : PlainValue.dictionary(input).json
  }
}
