// SPDX-License-Identifier: Apache-2.0

extension TerminalNotification {
  /// The most bytes of a payload, before they are encoded.
  static let longestPayload = 2048

  /// The bytes that show the notification.
  func bytes(
    _ sequence: NotificationSequence, features: TerminalFeatures, reports: Bool, through passage: TerminalPassage
  ) -> [UInt8] {
    switch sequence {
    case .osc99: parts(features, reports: reports).flatMap { passage.wrapped($0) }
    case .osc777: passage.wrapped("\u{1B}]777;notify;\(Self.field(title));\(Self.line(body))\u{1B}\\")
    case .osc9: passage.wrapped("\u{1B}]9;\(Self.text([title, Self.line(body)]))\u{1B}\\")
    }
  }

  /// The bytes that remove it.
  func closing(through passage: TerminalPassage) -> [UInt8] {
    passage.wrapped("\u{1B}]99;i=\(wireID):p=close;\u{1B}\\")
  }

  // MARK: OSC 99

  /// One sequence for each part of a text: a terminal shows them when the last one has come.
  private func parts(_ features: TerminalFeatures, reports: Bool) -> [String] {
    var metadata = ["i=\(wireID)"]
    if reports { metadata += ["a=report", "c=1"] }
    if features.hasUrgency { metadata.append("u=\(urgency)") }
    if features.expires, let limit { metadata.append("w=\(limit)") }
    if features.hasSounds, let sound { metadata.append("s=\(Self.encoded(sound))") }
    metadata.append("f=\(Self.encoded(appName))")
    metadata += icons.map { "n=\(Self.encoded($0))" }
    if let type { metadata.append("t=\(Self.encoded(type))") }
    var chunks = Self.chunks(title).map { (type: "title", text: $0) }
    if features.hasBody { chunks += Self.chunks(body).map { ("body", $0) } }
    if !buttons.isEmpty { chunks += Self.chunks(titles.joined(separator: "\u{2028}")).map { ("buttons", $0) } }
    return chunks.enumerated().map { index, chunk in
      let words = index == 0 ? metadata : ["i=\(wireID)"]
      let state = index == chunks.count - 1 ? "d=1" : "d=0"
      return "\u{1B}]99;\((words + [state, "e=1", "p=\(chunk.type)"]).joined(separator: ":"));\(chunk.text)\u{1B}\\"
    }
  }

  private static func encoded(_ text: String) -> String { Base64.encoded(text.utf8) }

  /// Encoded pieces of a text; none of them ends within a character.
  static func chunks(_ text: String) -> [String] {
    var chunks: [String] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      var count = min(longestPayload, rest.count)
      while count < rest.count, rest[rest.startIndex + count] & 0xC0 == 0x80 { count -= 1 }
      chunks.append(Base64.encoded(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    return chunks
  }

  // MARK: The others

  /// One line; those sequences have no encoding, and end at a control character.
  private static func line(_ text: String) -> String { PrintableText.line(text, atMost: longestBody) }

  /// The title ends at the first semicolon.
  private static func field(_ text: String) -> String { text.replacing(";", with: ",") }

  /// `Title: body`. A number and a semicolon at the beginning would be a command of ConEmu and others.
  private static func text(_ parts: [String]) -> String {
    let text = parts.filter { !$0.isEmpty }.joined(separator: ": ")
    let number = text.prefix { $0.isASCII && $0.isNumber }
    guard !number.isEmpty, text[number.endIndex...].first == ";" else { return text }
    return number + "," + text[number.endIndex...].dropFirst()
  }
}
