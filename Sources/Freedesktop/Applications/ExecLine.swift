// SPDX-License-Identifier: Apache-2.0

/// The command line of a desktop entry: words with placeholders for the opened files or URLs.
///
/// No shell is involved: `;`, `|`, `$` and the like are ordinary characters, and a placeholder's value never becomes a
/// second word. Quotes are read as GLib and KDE read them: they also accept single quotes and unquoted backslashes,
/// which the specification lacks but real entries use.
public struct ExecLine: Hashable, Sendable {
  /// The values of placeholders other than the opened files and URLs.
  public struct Subject: Hashable, Sendable {
    /// For `%i`.
    public var icon: String?
    /// For `%c`.
    public var name: String?
    /// For `%k`: the entry's file.
    public var path: String?

    /// The values taken from an entry.
    public init(icon: String? = nil, name: String? = nil, path: String? = nil) {
      self.icon = icon
      self.name = name
      self.path = path
    }
  }

  fileprivate enum Part: Hashable {
    case text([UInt8])
    /// The letter after the percent sign, and whether it is inside quotes.
    case code(UInt8, isQuoted: Bool)
  }

  private let words: [[Part]]

  /// Parses a line whose `string` escapes are already resolved.
  public init(_ line: String) throws(DesktopEntryError) {
    var reader = ExecLineReader(line)
    words = try reader.words()
    guard let program = words.first else { throw Self.invalid("it is empty") }
    guard program.allSatisfy({ if case .text = $0 { true } else { false } }), Self.text(of: program)?.isEmpty == false
    else { throw Self.invalid("its program is empty or contains a field code") }
    guard openingCodes.count <= 1 else { throw Self.invalid("it has more than one of %f, %F, %u and %U") }
  }

  static func invalid(_ reason: String) -> DesktopEntryError {
    DesktopEntryError(.invalidExec, "'Exec' is invalid: \(reason)")
  }

  /// The program as the line names it.
  public var program: String { words.first.flatMap(Self.text(of:)) ?? "" }

  private static func text(of word: [Part]) -> String? {
    // The bytes came from a `String` and were cut at ASCII characters only.
    String(
      validating: word.flatMap { part -> [UInt8] in if case .text(let bytes) = part { bytes } else { [] } },
      as: UTF8.self)
  }

  private var openingCodes: [UInt8] {
    words.joined().compactMap { part in
      if case .code(let code, _) = part, "fFuU".utf8.contains(code) { code } else { nil }
    }
  }

  // MARK: Filling in

  /// The commands that open `urls`: one in total, or one per URL if the program takes a single one.
  public func commands(
    opening urls: [String] = [], for subject: Subject = Subject()
  ) throws(DesktopEntryError) -> [[String]] {
    var opened: [OpenableURL] = []
    for url in urls { opened.append(try OpenableURL(url)) }
    let code = openingCodes.first
    if code == UInt8(ascii: "f") || code == UInt8(ascii: "u"), opened.count > 1 {
      var commands: [[String]] = []
      for url in opened { commands.append(try command([url], subject)) }
      return commands
    }
    var command = try command(opened, subject)
    if code == nil, !opened.isEmpty {
      // Like GLib: a program without such a placeholder is given files.
      for url in opened { command.append(try Self.path(of: url)) }
    }
    return [command]
  }

  private func command(_ urls: [OpenableURL], _ subject: Subject) throws(DesktopEntryError) -> [String] {
    var command: [String] = []
    for word in words { command += try Self.filled(word, urls, subject) }
    return command
  }

  /// A word expands to one word, unless a placeholder is all of it.
  private static func filled(
    _ word: [Part], _ urls: [OpenableURL], _ subject: Subject
  ) throws(DesktopEntryError) -> [String] {
    if word.count == 1, case .code(let code, _) = word[0] { return try values(of: code, urls, subject) }
    var bytes: [UInt8] = []
    for part in word {
      switch part {
      case .text(let text): bytes += text
      case .code(UInt8(ascii: "i"), _): throw invalid("%i must be a separate word")
      case .code(let code, let isQuoted):
        let values = try values(of: code, urls, subject)
        guard values.count <= 1 else { throw invalid("%\(Character(Unicode.Scalar(code))) must be a separate word") }
        // The specification gives placeholders in quotes no meaning. The quoted text may be a script (`sh -c "…%u"`),
        // and the sender of a URL would write part of it.
        if isQuoted, !values.isEmpty, "fFuU".utf8.contains(code) {
          throw invalid("%\(Character(Unicode.Scalar(code))) is quoted together with other text")
        }
        bytes += values.first.map { Array($0.utf8) } ?? []
      }
    }
    // A word of empty placeholders alone is dropped.
    return bytes.isEmpty && !word.isEmpty ? [] : [String(decoding: bytes, as: UTF8.self)]
  }

  private static func values(
    of code: UInt8, _ urls: [OpenableURL], _ subject: Subject
  ) throws(DesktopEntryError) -> [String] {
    switch code {
    case UInt8(ascii: "f"), UInt8(ascii: "F"):
      var paths: [String] = []
      for url in urls { paths.append(try path(of: url)) }
      return paths
    case UInt8(ascii: "u"), UInt8(ascii: "U"): return urls.map(\.argument)
    case UInt8(ascii: "i"): return subject.icon.map { $0.isEmpty ? [] : ["--icon", $0] } ?? []
    case UInt8(ascii: "c"): return subject.name.map { [$0] } ?? []
    case UInt8(ascii: "k"): return subject.path.map { [$0] } ?? []
    // Deprecated placeholders expand to nothing.
    default: return []
    }
  }

  private static func path(of url: OpenableURL) throws(DesktopEntryError) -> String {
    if let path = url.path { return path }
    throw DesktopEntryError(.notOpenable, "the program opens files of this machine only, not '\(url.scheme):'")
  }
}

/// Splits a line into words.
private struct ExecLineReader {
  private var rest: ArraySlice<UInt8>
  /// The current word without the pending text at its end; nil between words.
  private var word: [ExecLine.Part]?
  private var text: [UInt8] = []

  init(_ line: String) { rest = Array(line.utf8)[...] }

  mutating func words() throws(DesktopEntryError) -> [[ExecLine.Part]] {
    var words: [[ExecLine.Part]] = []
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        if let word = takeWord() { words.append(word) }
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        begin()
        try readQuoted(by: byte)
      case UInt8(ascii: "\\"):
        guard let next = rest.popFirst() else { throw ExecLine.invalid("a trailing backslash") }
        try append(next)
      case UInt8(ascii: "%"): try readCode(isQuoted: false)
      default: try append(byte)
      }
    }
    if let word = takeWord() { words.append(word) }
    return words
  }

  private mutating func begin() {
    if word == nil { word = [] }
  }

  private mutating func endText() {
    if !text.isEmpty { word?.append(.text(text)) }
    text = []
  }

  private mutating func takeWord() -> [ExecLine.Part]? {
    endText()
    defer { word = nil }
    return word
  }

  private mutating func append(_ byte: UInt8) throws(DesktopEntryError) {
    guard byte != 0 else { throw ExecLine.invalid("a NUL character") }
    begin()
    text.append(byte)
  }

  private mutating func readQuoted(by quote: UInt8) throws(DesktopEntryError) {
    while let byte = rest.popFirst() {
      switch byte {
      case quote: return
      case UInt8(ascii: "\\") where quote == UInt8(ascii: "\""):
        // As in a shell's double quotes, the backslash stays before other characters.
        if let next = rest.first, "\"`$\\".utf8.contains(next) {
          rest.removeFirst()
          try append(next)
        } else {
          try append(byte)
        }
      case UInt8(ascii: "%"): try readCode(isQuoted: true)
      default: try append(byte)
      }
    }
    throw ExecLine.invalid("an unterminated quote")
  }

  private mutating func readCode(isQuoted: Bool) throws(DesktopEntryError) {
    guard let code = rest.popFirst() else { throw ExecLine.invalid("a trailing percent sign") }
    if code == UInt8(ascii: "%") { return try append(code) }
    guard "fFuUickdDnNvm".utf8.contains(code) else {
      throw ExecLine.invalid("an unknown code after a percent sign")
    }
    begin()
    endText()
    word?.append(.code(code, isQuoted: isQuoted))
  }
}
