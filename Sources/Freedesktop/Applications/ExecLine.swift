// SPDX-License-Identifier: Apache-2.0

/// A command line of a desktop entry: words with places in them for what is opened.
///
/// There is no shell: `;`, `|`, `$` and the like are characters as others, and what is filled in never becomes a second
/// word. Quotes are read as GLib and KDE do, who also take single ones and a backslash outside of quotes, which
/// the specification does not have but entries in use do.
public struct ExecLine: Hashable, Sendable {
  /// What is filled into a line besides what is opened.
  public struct Subject: Hashable, Sendable {
    /// For `%i`.
    public var icon: String?
    /// For `%c`.
    public var name: String?
    /// For `%k`: the entry's file.
    public var path: String?

    /// Of an entry.
    public init(icon: String? = nil, name: String? = nil, path: String? = nil) {
      self.icon = icon
      self.name = name
      self.path = path
    }
  }

  fileprivate enum Part: Hashable {
    case text([UInt8])
    /// The letter behind the percent sign, and whether it stands in quotes.
    case code(UInt8, isQuoted: Bool)
  }

  private let words: [[Part]]

  /// Reads a line, of which the escapes of a `string` are resolved already.
  public init(_ line: String) throws(DesktopEntryError) {
    var reader = ExecLineReader(line)
    words = try reader.words()
    guard let program = words.first else { throw Self.invalid("it is empty") }
    guard program.allSatisfy({ if case .text = $0 { true } else { false } }), Self.text(of: program)?.isEmpty == false
    else { throw Self.invalid("its program is not one of its own") }
    guard openingCodes.count <= 1 else { throw Self.invalid("it has more than one of %f, %F, %u and %U") }
  }

  static func invalid(_ reason: String) -> DesktopEntryError {
    DesktopEntryError(.invalidExec, "'Exec' is invalid: \(reason)")
  }

  /// The program, as it is named.
  public var program: String { words.first.flatMap(Self.text(of:)) ?? "" }

  private static func text(of word: [Part]) -> String? {
    // It came from a `String`, cut at ASCII characters only.
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

  /// The commands that open these URLs: one, or one for each where the program takes a single one.
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
      // As GLib does: a program that says nothing of what it opens is given files.
      for url in opened { command.append(try Self.path(of: url)) }
    }
    return [command]
  }

  private func command(_ urls: [OpenableURL], _ subject: Subject) throws(DesktopEntryError) -> [String] {
    var command: [String] = []
    for word in words { command += try Self.filled(word, urls, subject) }
    return command
  }

  /// A word becomes one word, except for a code that is all of it.
  private static func filled(
    _ word: [Part], _ urls: [OpenableURL], _ subject: Subject
  ) throws(DesktopEntryError) -> [String] {
    if word.count == 1, case .code(let code, _) = word[0] { return try values(of: code, urls, subject) }
    var bytes: [UInt8] = []
    for part in word {
      switch part {
      case .text(let text): bytes += text
      case .code(UInt8(ascii: "i"), _): throw invalid("%i is not a word of its own")
      case .code(let code, let isQuoted):
        let values = try values(of: code, urls, subject)
        guard values.count <= 1 else { throw invalid("%\(Character(Unicode.Scalar(code))) is not a word of its own") }
        // In quotes, a code has no meaning by the specification, and what is quoted may be a script (`sh -c "…%u"`):
        // the sender of a URL would write part of it.
        if isQuoted, !values.isEmpty, "fFuU".utf8.contains(code) {
          throw invalid("%\(Character(Unicode.Scalar(code))) stands in quotes, together with something else")
        }
        bytes += values.first.map { Array($0.utf8) } ?? []
      }
    }
    // Where codes are all of it and none has anything to say, there is no word.
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
    // Deprecated ones: nothing.
    default: return []
    }
  }

  private static func path(of url: OpenableURL) throws(DesktopEntryError) -> String {
    if let path = url.path { return path }
    throw DesktopEntryError(.notOpenable, "the program opens files of this machine only, not '\(url.scheme):'")
  }
}

/// Cuts a line into words.
private struct ExecLineReader {
  private var rest: ArraySlice<UInt8>
  /// The word so far, but for the text at its end; nil between words.
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
        guard let next = rest.popFirst() else { throw ExecLine.invalid("a backslash at its end") }
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
    guard byte != 0 else { throw ExecLine.invalid("a NUL in it") }
    begin()
    text.append(byte)
  }

  private mutating func readQuoted(by quote: UInt8) throws(DesktopEntryError) {
    while let byte = rest.popFirst() {
      switch byte {
      case quote: return
      case UInt8(ascii: "\\") where quote == UInt8(ascii: "\""):
        // Before others the backslash stays, as in a shell's quotes.
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
    throw ExecLine.invalid("a quote that does not end")
  }

  private mutating func readCode(isQuoted: Bool) throws(DesktopEntryError) {
    guard let code = rest.popFirst() else { throw ExecLine.invalid("a percent sign at its end") }
    if code == UInt8(ascii: "%") { return try append(code) }
    guard "fFuUickdDnNvm".utf8.contains(code) else {
      throw ExecLine.invalid("an unknown code behind a percent sign")
    }
    begin()
    endText()
    word?.append(.code(code, isQuoted: isQuoted))
  }
}
