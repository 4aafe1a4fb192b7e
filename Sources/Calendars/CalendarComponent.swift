// SPDX-License-Identifier: Apache-2.0

/// An error in a calendar, and its position.
package struct CalendarError: Error, Equatable {
  package let line: Int
  package let column: Int
  package let problem: String
  /// Whether only one event or task is concerned, and the rest of the calendar can be read without it.
  package var canBeSkipped = false

  package init(line: Int, column: Int = 1, _ problem: String) {
    (self.line, self.column, self.problem) = (line, column, problem)
  }

  init(_ line: ContentLine, _ problem: String) { self.init(line: line.number, column: line.valueColumn, problem) }
}

/// An unfolded line of a calendar, `NAME;PARAMETER=…:VALUE`.
struct ContentLine: Equatable {
  /// The name in upper case.
  let name: String
  /// The values by upper-case name, without quotes.
  let parameters: [String: String]
  let value: String
  /// The whole line.
  let text: String
  /// The number of its first line in the file.
  let number: Int

  var valueColumn: Int { text.count - value.count + 1 }
}

/// `BEGIN:NAME` to `END:NAME`.
package struct CalendarComponent {
  let name: String
  let number: Int
  private(set) var lines: [ContentLine] = []
  private(set) var children: [CalendarComponent] = []

  func line(_ name: String) -> ContentLine? { lines.first { $0.name == name } }
  func lines(_ name: String) -> [ContentLine] { lines.filter { $0.name == name } }
  func children(_ name: String) -> [CalendarComponent] { children.filter { $0.name == name } }

  /// Whether a file is a calendar.
  package static func recognizes(_ bytes: [UInt8]) -> Bool {
    let text = bytes.starts(with: byteOrderMark) ? bytes.dropFirst(3) : bytes[...]
    let start = String(decoding: text.drop { $0 <= 32 }.prefix(7), as: UTF8.self).uppercased()
    // Also the middle of a calendar: its error names the line that is missing.
    return ["BEGIN:V", "END:V"].contains(where: start.hasPrefix)
  }

  private static func shown(_ name: String) -> String { name.shortened(to: 40) }

  private static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]
  private static let deepest = 8

  /// Parses the calendars of a file.
  static func calendars(_ bytes: [UInt8]) throws(CalendarError) -> [CalendarComponent] {
    var open: [CalendarComponent] = []
    var calendars: [CalendarComponent] = []
    var lines = UnfoldedLines(bytes.starts(with: byteOrderMark) ? bytes.dropFirst(3) : bytes[...])
    while let line = try lines.next() {
      switch line.name {
      case "BEGIN":
        let name = line.value.uppercased()
        guard open.count < deepest else { throw CalendarError(line, "nested deeper than \(deepest) levels") }
        guard !open.isEmpty || name == "VCALENDAR" else {
          throw CalendarError(line, "BEGIN:VCALENDAR is expected here")
        }
        open.append(CalendarComponent(name: name, number: line.number))
      case "END":
        let name = line.value.uppercased()
        guard let last = open.popLast() else {
          throw CalendarError(line: line.number, "END:\(shown(name)) has no BEGIN:\(shown(name)) before it")
        }
        guard name == last.name else {
          let rest = "the BEGIN:\(shown(last.name)) in line \(last.number) has no END"
          let isOpen = open.contains { $0.name == name }
          throw CalendarError(
            line: line.number, isOpen ? rest : "END:\(shown(name)) has no BEGIN:\(shown(name)) before it; \(rest) yet")
        }
        if open.isEmpty { calendars.append(last) } else { open[open.count - 1].children.append(last) }
      default:
        guard !open.isEmpty else { throw CalendarError(line: line.number, "BEGIN:VCALENDAR is expected here") }
        open[open.count - 1].lines.append(line)
      }
    }
    if let last = open.last {
      throw CalendarError(
        line: lines.number, "the file ends before END:\(last.name) (its BEGIN is in line \(last.number))")
    }
    return calendars
  }
}

/// The lines of a file; a line that begins with a blank continues the previous one.
private struct UnfoldedLines {
  private var rest: ArraySlice<UInt8>
  /// The number of the line read last.
  private(set) var number = 0
  private static let longest = 1 << 20

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func next() throws(CalendarError) -> ContentLine? {
    var line = physical()
    while line?.isEmpty == true { line = physical() }
    guard var line else { return nil }
    let start = number
    // A fold may split a character.
    while rest.first == UInt8(ascii: " ") || rest.first == UInt8(ascii: "\t") {
      line += (physical() ?? []).dropFirst()
      guard line.count <= Self.longest else { throw CalendarError(line: start, "longer than \(Self.longest) bytes") }
    }
    guard let text = String(validating: line, as: UTF8.self), !line.contains(0) else {
      throw CalendarError(line: start, "is not UTF-8 text")
    }
    guard let content = ContentLine(text, number: start) else {
      throw CalendarError(line: start, "NAME:VALUE is expected here")
    }
    return content
  }

  private mutating func physical() -> ArraySlice<UInt8>? {
    guard !rest.isEmpty else { return nil }
    number += 1
    let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
    let line = rest[..<end]
    rest = rest[end...].dropFirst()
    return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
  }
}

extension ContentLine {
  init?(_ text: String, number: Int) {
    var rest = text[...]
    func isName(_ byte: UInt8) -> Bool {
      switch byte | 0x20 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): true
      default: byte == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      }
    }
    func takeName() -> String? {
      let name = Substring(rest.utf8.prefix(while: isName))
      rest = rest[name.endIndex...]
      return name.isEmpty ? nil : name.uppercased()
    }
    guard let name = takeName() else { return nil }
    var parameters: [String: String] = [:]
    while rest.utf8.first == UInt8(ascii: ";") {
      rest = rest.dropFirst()
      guard let key = takeName(), rest.utf8.first == UInt8(ascii: "=") else { return nil }
      rest = rest.dropFirst()
      var isQuoted = false
      let value = rest.prefix { character in
        if character == "\"" { isQuoted.toggle() }
        return isQuoted || (character != ";" && character != ":")
      }
      if isQuoted { return nil }
      rest = rest[value.endIndex...]
      parameters[key] = value.filter { $0 != "\"" }
    }
    guard rest.utf8.first == UInt8(ascii: ":") else { return nil }
    self.init(
      name: name, parameters: parameters, value: String(rest.dropFirst()), text: text, number: number)
  }
}
