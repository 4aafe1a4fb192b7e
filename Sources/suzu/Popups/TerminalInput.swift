// SPDX-License-Identifier: Apache-2.0

/// Parses the bytes of a terminal into keys, wherever the stream is split.
///
/// Unknown sequences are skipped whole, so that no part of them is taken for keys.
/// The sequences are ECMA-48's and xterm's (https://invisible-island.net/xterm/ctlseqs/ctlseqs.html).
struct TerminalInput {
  private enum State {
    case ground
    case escape
    /// After ESC [, with the bytes so far.
    case control([UInt8])
    /// After ESC O.
    case singleShift
    /// After ESC ] P X ^: up to its terminator; true after an ESC inside.
    case string(sawEscape: Bool)
    /// The same after ESC _, with the bytes so far.
    case applicationCommand([UInt8], sawEscape: Bool)
    /// Skips this many bytes of a sequence.
    case skip(Int)
    case paste([UInt8])
    /// Inside a UTF-8 character: the bytes so far, and the number missing.
    case character([UInt8], missing: Int)
  }

  private var state = State.ground

  /// After how much silence to call ``silence()``; nil if no sequence is open.
  ///
  /// Only silence tells a lone Escape from the beginning of a sequence. The longer limits are for sequences that never
  /// end.
  var silenceLimit: Duration? {
    switch state {
    case .ground: nil
    case .escape: .milliseconds(100)
    case .paste: .seconds(5)
    default: .seconds(1)
    }
  }

  /// Ends an open sequence after ``silenceLimit`` without input.
  mutating func silence() -> [TerminalKey] {
    defer { state = .ground }
    switch state {
    case .escape: return [.escape]
    case .paste(let bytes): return [.paste(String(decoding: bytes, as: UTF8.self))]
    default: return []
    }
  }

  mutating func feed(_ bytes: some Sequence<UInt8>) -> [TerminalKey] {
    var keys: [TerminalKey] = []
    for byte in bytes { take(byte, &keys) }
    return keys
  }

  private mutating func take(_ byte: UInt8, _ keys: inout [TerminalKey]) {
    switch state {
    case .ground: ground(byte, &keys)
    case .escape: escape(byte, &keys)
    case .control(let parameters): control(byte, parameters, &keys)
    case .singleShift:
      state = .ground
      if byte < 0x20 { ground(byte, &keys) } else if let key = Self.letters[byte] { keys.append(key) }
    case .string(let sawEscape): string(byte, sawEscape, &keys)
    case .applicationCommand(let bytes, let sawEscape): applicationCommand(byte, bytes, sawEscape, &keys)
    case .skip(let count): state = count > 1 ? .skip(count - 1) : .ground
    case .paste(var bytes):
      // Clear the state first: otherwise the array would be copied for every byte.
      state = .ground
      paste(byte, &bytes, &keys)
    case .character(let bytes, let missing): character(byte, bytes, missing, &keys)
    }
  }

  // MARK: Single bytes and characters

  private mutating func ground(_ byte: UInt8, _ keys: inout [TerminalKey]) {
    state = .ground
    switch byte {
    case 0x1B: state = .escape
    case 0x0D, 0x0A: keys.append(.enter)
    case 0x09: keys.append(.tab)
    case 0x08, 0x7F: keys.append(.backspace)
    case 0x01...0x1A: keys.append(.control(Character(Unicode.Scalar(byte + 0x60))))
    case 0x20...0x7E: keys.append(.text(Unicode.Scalar(byte)))
    case 0xC2...0xDF: state = .character([byte], missing: 1)
    case 0xE0...0xEF: state = .character([byte], missing: 2)
    case 0xF0...0xF4: state = .character([byte], missing: 3)
    default: break
    }
  }

  private mutating func character(_ byte: UInt8, _ bytes: [UInt8], _ missing: Int, _ keys: inout [TerminalKey]) {
    guard 0x80...0xBF ~= byte else { return ground(byte, &keys) }
    if missing > 1 {
      state = .character(bytes + [byte], missing: missing - 1)
      return
    }
    state = .ground
    // Overlong forms, surrogates and C1 control characters are not text.
    guard let text = String(validating: bytes + [byte], as: UTF8.self), let scalar = text.unicodeScalars.first,
      scalar.value >= 0xA0
    else { return }
    keys.append(.text(scalar))
  }

  // MARK: Sequences

  private mutating func escape(_ byte: UInt8, _ keys: inout [TerminalKey]) {
    switch byte {
    case 0x5B: state = .control([])
    case 0x4F: state = .singleShift
    case 0x5F: state = .applicationCommand([], sawEscape: false)
    case 0x5D, 0x50, 0x58, 0x5E: state = .string(sawEscape: false)
    // Escape twice, or Alt with a key that sends a sequence: the first is a key in both cases.
    case 0x1B: keys.append(.escape)
    // Control characters take effect even here: Ctrl-C must always work.
    case 0..<0x20:
      keys.append(.escape)
      ground(byte, &keys)
    // The first byte of a character with Alt held; skip the rest of it.
    case 0xC2...0xDF: state = .skip(1)
    case 0xE0...0xEF: state = .skip(2)
    case 0xF0...0xF4: state = .skip(3)
    // Alt with a key has no meaning here.
    default: state = .ground
    }
  }

  private mutating func control(_ byte: UInt8, _ parameters: [UInt8], _ keys: inout [TerminalKey]) {
    switch byte {
    case 0x20...0x3F:
      // No known sequence is this long: keep the beginning, and wait for its end.
      state = .control(parameters.count < 64 ? parameters + [byte] : parameters)
    case 0x5B where parameters.isEmpty:
      // The Linux console's function keys: ESC [ [ A.
      state = .skip(1)
    case 0x4D where parameters.isEmpty:
      // The old mouse report of a terminal without SGR reports: three raw bytes follow.
      state = .skip(3)
    case 0x40...0x7E:
      state = .ground
      finish(byte, parameters, &keys)
    default:
      ground(byte, &keys)
    }
  }

  private mutating func string(_ byte: UInt8, _ sawEscape: Bool, _ keys: inout [TerminalKey]) {
    switch byte {
    case 0x07, 0x9C: state = .ground
    case 0x5C where sawEscape: state = .ground
    case 0x1B: state = .string(sawEscape: true)
    case 0x03: ground(byte, &keys)
    default:
      // Any other escape ends the string and begins a new sequence.
      if sawEscape { escape(byte, &keys) } else { state = .string(sawEscape: false) }
    }
  }

  private mutating func applicationCommand(
    _ byte: UInt8, _ bytes: [UInt8], _ sawEscape: Bool, _ keys: inout [TerminalKey]
  ) {
    switch byte {
    case 0x5C where sawEscape:
      state = .ground
      if let report = TerminalReport(applicationCommand: bytes) { keys.append(.report(report)) }
    case 0x1B: state = .applicationCommand(bytes, sawEscape: true)
    // No answer is this long: its end is waited for without it.
    case 0x20...0x7E where !sawEscape && bytes.count < 128:
      state = .applicationCommand(bytes + [byte], sawEscape: false)
    default: string(byte, sawEscape, &keys)
    }
  }

  private static let letters: [UInt8: TerminalKey] = [
    0x41: .up, 0x42: .down, 0x43: .right, 0x44: .left, 0x46: .end, 0x48: .home, 0x4D: .enter, 0x5A: .backTab,
  ]
  private static let numbers: [Int: TerminalKey] = [
    1: .home, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
  ]

  private mutating func finish(_ final: UInt8, _ parameters: [UInt8], _ keys: inout [TerminalKey]) {
    if parameters.first == 0x3C {
      if let key = Self.mouse(final, Self.integers(parameters.dropFirst())) { keys.append(key) }
      return
    }
    if let report = TerminalReport(control: parameters, final: final) { return keys.append(.report(report)) }
    let values = Self.integers(parameters[...])
    if final == 0x7E, values.first == 200 {
      state = .paste([])
    } else if final == 0x7E, let key = values.first.flatMap({ Self.numbers[$0] }) {
      keys.append(key)
    } else if let key = Self.letters[final], final != 0x4D, !parameters.contains(where: { $0 > 0x3B || $0 < 0x30 }) {
      keys.append(key)
    }
  }

  private static func integers(_ parameters: ArraySlice<UInt8>) -> [Int] {
    parameters.split(separator: 0x3B, omittingEmptySubsequences: false)
      .map { Int(String(decoding: $0, as: UTF8.self)) ?? 0 }
  }

  /// The SGR mouse report: button, column, row, counted from one; `M` is press, `m` release.
  private static func mouse(_ final: UInt8, _ values: [Int]) -> TerminalKey? {
    guard final == 0x4D, values.count == 3, values[1] > 0, values[2] > 0 else { return nil }
    // 4, 8 and 16 are Shift, Alt and Ctrl; 32 is motion.
    switch values[0] & ~0b11100 {
    case 0: return .click(column: values[1] - 1, row: values[2] - 1)
    case 64: return .wheelUp
    case 65: return .wheelDown
    default: return nil
    }
  }

  // MARK: Paste

  private static let pasteEnd = Array("\u{1B}[201~".utf8)
  /// A longer paste is cut.
  static let longestPaste = 64 * 1024

  private mutating func paste(_ byte: UInt8, _ bytes: inout [UInt8], _ keys: inout [TerminalKey]) {
    bytes.append(byte)
    if byte == 0x7E, bytes.suffix(Self.pasteEnd.count) == Self.pasteEnd[...] {
      let text = bytes.dropLast(Self.pasteEnd.count).prefix(Self.longestPaste)
      keys.append(.paste(String(decoding: text, as: UTF8.self)))
      return
    }
    if bytes.count > Self.longestPaste + 4096 { bytes.removeSubrange(Self.longestPaste..<(Self.longestPaste + 2048)) }
    state = .paste(bytes)
  }
}
