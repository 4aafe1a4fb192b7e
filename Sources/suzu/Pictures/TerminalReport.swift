// SPDX-License-Identifier: Apache-2.0

/// What a terminal answers about pictures.
enum TerminalReport: Equatable, Sendable {
  /// The answer to ``KittyGraphics/query``: whether it can.
  case kittyGraphics(Bool)
  /// The primary device attributes, which nearly every terminal sends; 4 stands for sixel.
  case attributes([Int])
  /// The size of a character cell.
  case cell(CellSize)
  /// The number of colours of a sixel picture.
  case colours(Int)

  /// Reads a control sequence: the bytes between `ESC [` and the final one.
  init?(control parameters: [UInt8], final: UInt8) {
    let isPrivate = parameters.first == UInt8(ascii: "?")
    let values = parameters.dropFirst(isPrivate ? 1 : 0)
      .split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      .map { Int(String(decoding: $0, as: UTF8.self)) ?? 0 }
    switch final {
    case UInt8(ascii: "c") where isPrivate: self = .attributes(values)
    // XTSMGRAPHICS: of item 1 (colours), with status 0.
    case UInt8(ascii: "S") where isPrivate && values.count == 3 && values.starts(with: [1, 0]):
      self = .colours(values[2])
    case UInt8(ascii: "t") where !isPrivate && values.count == 3 && values[0] == 6:
      guard let cell = CellSize(width: values[2], height: values[1]) else { return nil }
      self = .cell(cell)
    default: return nil
    }
  }

  /// Reads an application program command: the bytes between `ESC _` and the terminator.
  init?(applicationCommand bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let parts = text.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].first == "G",
      parts[0].dropFirst().split(separator: ",").contains("i=\(KittyGraphics.question)")
    else { return nil }
    self = .kittyGraphics(parts[1] == "OK")
  }
}
