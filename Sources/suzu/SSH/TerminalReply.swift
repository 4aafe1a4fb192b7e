// SPDX-License-Identifier: Apache-2.0

/// What a terminal sends: an answer to a question, a report on a notification, or what its user typed.
enum TerminalReply: Equatable {
  /// OSC 99: the metadata by key, and the payload.
  case notification([String: String], String)
  /// The answer to XTVERSION: the terminal's name and version.
  case version(String)
  /// What it says about pictures. Of these, nearly every terminal answers the question for the primary device
  /// attributes.
  case report(TerminalReport)
  /// A character, or a sequence that is none of the above.
  case typed
}

/// Finds replies in the bytes of a terminal, wherever the stream is split. Everything else is typed; nothing of it is
/// kept.
struct TerminalReplyParser {
  private enum State {
    case ground
    case escape
    /// After ESC [, with the bytes so far.
    case control([UInt8])
    /// After ESC ], ESC P or ESC _: the introducer and the bytes so far; true after an ESC inside.
    case string(UInt8, [UInt8], sawEscape: Bool)
  }

  private var state = State.ground

  /// A longer string is none of ours, and its end is waited for without it.
  static let longestString = 4096

  mutating func feed(_ bytes: some Sequence<UInt8>) -> [TerminalReply] {
    var replies: [TerminalReply] = []
    for byte in bytes { take(byte, &replies) }
    return replies
  }

  /// The end of the conversation: an open sequence was typed.
  mutating func finish() -> [TerminalReply] {
    defer { state = .ground }
    if case .ground = state { return [] }
    return [.typed]
  }

  private mutating func take(_ byte: UInt8, _ replies: inout [TerminalReply]) {
    switch state {
    case .ground:
      if byte == 0x1B {
        state = .escape
      } else if byte & 0xC0 != 0x80 {
        // The first byte of a character.
        replies.append(.typed)
      }
    case .escape: escape(byte, &replies)
    case .control(let bytes): control(byte, bytes, &replies)
    case .string(let introducer, var bytes, let sawEscape):
      // Clear the state first: otherwise the array would be copied for every byte.
      state = .ground
      string(byte, introducer, &bytes, sawEscape, &replies)
    }
  }

  private mutating func escape(_ byte: UInt8, _ replies: inout [TerminalReply]) {
    switch byte {
    case UInt8(ascii: "["): state = .control([])
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"): state = .string(byte, [], sawEscape: false)
    case 0x1B: replies.append(.typed)
    default:
      state = .ground
      replies.append(.typed)
    }
  }

  private mutating func control(_ byte: UInt8, _ bytes: [UInt8], _ replies: inout [TerminalReply]) {
    switch byte {
    case 0x20...0x3F: state = .control(bytes.count < 256 ? bytes + [byte] : bytes)
    case 0x1B:
      replies.append(.typed)
      state = .escape
    default:
      state = .ground
      replies.append(TerminalReport(control: bytes, final: byte).map(TerminalReply.report) ?? .typed)
    }
  }

  private mutating func string(
    _ byte: UInt8, _ introducer: UInt8, _ bytes: inout [UInt8], _ sawEscape: Bool, _ replies: inout [TerminalReply]
  ) {
    if sawEscape {
      if byte == UInt8(ascii: "\\") { return replies.append(Self.reply(introducer, bytes)) }
      // Another escape ends the string, and begins a sequence of its own.
      replies.append(.typed)
      return escape(byte, &replies)
    }
    switch byte {
    case 0x07: replies.append(Self.reply(introducer, bytes))
    case 0x1B: state = .string(introducer, bytes, sawEscape: true)
    default:
      if bytes.count <= Self.longestString { bytes.append(byte) }
      state = .string(introducer, bytes, sawEscape: false)
    }
  }

  private static func reply(_ introducer: UInt8, _ bytes: [UInt8]) -> TerminalReply {
    if introducer == UInt8(ascii: "_") {
      return TerminalReport(applicationCommand: bytes).map(TerminalReply.report) ?? .typed
    }
    guard bytes.count <= longestString, let text = String(validating: bytes, as: UTF8.self) else { return .typed }
    if introducer == UInt8(ascii: "P") {
      return text.hasPrefix(">|") ? .version(String(text.dropFirst(2))) : .typed
    }
    let parts = text.split(separator: ";", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == "99" else { return .typed }
    var metadata: [String: String] = [:]
    for pair in parts[1].split(separator: ":") {
      guard let equals = pair.firstIndex(of: "=") else { continue }
      metadata[withoutBlanks(pair[..<equals])] = withoutBlanks(pair[pair.index(after: equals)...])
    }
    return .notification(metadata, String(parts[2]))
  }

  private static func withoutBlanks(_ text: Substring) -> String { text.filter { $0 != " " } }
}
