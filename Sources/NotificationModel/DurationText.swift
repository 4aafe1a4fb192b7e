// SPDX-License-Identifier: Apache-2.0

extension Duration {
  /// The milliseconds of a unit; nil if there is none with this name. Each request of a batch may have a duration, and
  /// comparing strings takes ten times as long.
  private static func milliseconds(ofUnit name: some Collection<UInt8>) -> Int64? {
    guard let first = name.first else { return nil }
    if name.count > 1 { return name.elementsEqual("min".utf8) ? 60_000 : name.elementsEqual("ms".utf8) ? 1 : nil }
    switch first {
    case UInt8(ascii: "w"): return 604_800_000
    case UInt8(ascii: "d"): return 86_400_000
    case UInt8(ascii: "h"): return 3_600_000
    case UInt8(ascii: "m"): return 60_000
    case UInt8(ascii: "s"): return 1000
    default: return nil
    }
  }

  /// A hundred years in milliseconds; sums of a few of these cannot overflow.
  private static let longest: Int64 = 3_155_760_000_000

  static let textForm = "a duration such as '90s', '10m', '1h30m' or '2d'"

  /// Parses `90s`, `1h30m`, `2d`, `250ms`: whole numbers with units, biggest first, at most a hundred years in total.
  /// Blanks may surround numbers and units.
  package static func parse(_ text: String) throws(RequestError) -> Duration {
    guard let milliseconds = milliseconds(in: text) else {
      let better = worded(text).map { "; write '\($0.text)'" } ?? mistake(in: text).map { "; \($0)" } ?? ""
      throw RequestError("", "must be \(textForm), at most a hundred years, not \(text.quoted)\(better)")
    }
    return .milliseconds(milliseconds)
  }

  /// What is wrong with a text that is nearly a duration; nil if it is something else.
  private static func mistake(in text: String) -> String? {
    let word = text.lowercased().filter { $0 != " " }
    if word == "0" { return "write '0s'" }
    // The unit that people leave out is minutes.
    if 1...3 ~= word.utf8.count, word.utf8.allSatisfy({ (48...57).contains($0) }) {
      return "did you mean '\(word)m'?"
    }
    if word.first == "-", milliseconds(in: String(word.dropFirst())) != nil { return "a duration cannot be negative" }
    let unit = word.drop { $0.isNumber }
    guard unit.utf8.count < word.utf8.count,
      ["mo", "mon", "month", "months", "y", "yr", "year", "years"].contains(unit)
    else { return nil }
    return "months and years differ in length: give a date, or repeat with 'monthly' or 'yearly'"
  }

  /// The units that people write out, as ``parse(_:)`` knows them.
  package static let wordedUnits = [
    "hours": "h", "hour": "h", "hrs": "h", "hr": "h", "minutes": "m", "minute": "m", "mins": "m", "seconds": "s",
    "second": "s", "secs": "s", "sec": "s", "days": "d", "day": "d", "weeks": "w", "week": "w",
  ]

  /// The numbers that people write out.
  private static let spokenNumbers = [
    "a": "1", "an": "1", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7",
    "eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12", "fifteen": "15", "twenty": "20",
    "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "ninety": "90",
  ]

  /// The duration that a text in another form probably means: `10 minutes`, `ten minutes`, `1.5h`, `5M`,
  /// `1 hour and 5 minutes`.
  package static func worded(_ text: String) -> Duration? {
    guard text.utf8.count <= 100 else { return nil }
    if let plain = plainForm(ofISO: text) { return (try? parse(plain)).flatMap { $0 > .zero ? $0 : nil } }
    var total: Int64 = 0
    var rest = text.lowercased().replacing("half an hour", with: "30m")
      .replacing("quarter of an hour", with: "15m").replacing("an hour and a half", with: "90m")
      .replacing(", ", with: " ").replacing(",", with: ".").split(separator: " ")[...]
    while var word = rest.popFirst() {
      if word == "and" { continue }
      if let number = spokenNumbers[String(word)] { word = Substring(number) }
      // A number and its unit may be two words.
      if let next = rest.first, word.allSatisfy({ $0.isNumber || $0 == "." }) {
        word += next
        rest.removeFirst()
      }
      var left = word
      while !left.isEmpty {
        let digits = left.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        left = left.dropFirst(digits.count)
        let name = left.prefix { $0.isASCII && $0.isLetter }
        left = left.dropFirst(name.count)
        // In `1h,30m`, it separates.
        if left.first == ".", !name.isEmpty { left = left.dropFirst() }
        let unit = wordedUnits[String(name)] ?? wordedUnit(misspelt: name) ?? String(name)
        guard let number = Double(digits), let size = milliseconds(ofUnit: unit.utf8) else { return nil }
        let part = (number * Double(size)).rounded()
        guard part <= Double(longest - total) else { return nil }
        total += Int64(part)
      }
    }
    return total > 0 ? .milliseconds(total) : nil
  }

  /// The unit of a misspelt word, such as `minuten`; months and years are no units.
  private static func wordedUnit(misspelt name: Substring) -> String? {
    guard name.utf8.count > 3, !name.hasPrefix("mon") else { return nil }
    return String(name).misspelling(ofOneOf: wordedUnits.keys.filter { $0.utf8.count > 3 }.sorted())
      .flatMap { wordedUnits[$0] }
  }

  /// `1d2h` for `P1DT2H`, the form of ISO 8601; nil for other texts, and for months and years, which differ in length.
  private static func plainForm(ofISO text: String) -> String? {
    let text = text.uppercased()
    guard text.first == "P", text.utf8.count > 2 else { return nil }
    let halves = text.dropFirst().split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
    for (half, units) in zip(halves, ["WD", "HMS"]) {
      guard half.allSatisfy({ $0.isASCII && $0.isNumber || units.contains($0) }) else { return nil }
    }
    return halves.joined().lowercased()
  }

  private static func milliseconds(in text: String) -> Int64? {
    var text = text
    return text.withUTF8 { milliseconds(in: $0) }
  }

  private static func milliseconds(in text: UnsafeBufferPointer<UInt8>) -> Int64? {
    var rest = text[...]
    func skipBlanks() { while rest.first == UInt8(ascii: " ") { rest.removeFirst() } }
    var total: Int64 = 0
    var lastUnit = Int64.max
    skipBlanks()
    while !rest.isEmpty {
      guard let number = takeNumber(&rest) else { return nil }
      skipBlanks()
      // Units consist of lower-case letters.
      let word = rest.prefix { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }
      rest = rest[word.endIndex...]
      skipBlanks()
      guard let unit = milliseconds(ofUnit: word), unit < lastUnit else { return nil }
      let (part, overflowed) = number.multipliedReportingOverflow(by: unit)
      guard !overflowed, part <= Self.longest - total else { return nil }
      total += part
      lastUnit = unit
    }
    return lastUnit == .max ? nil : total
  }

  /// Takes digits from the beginning; nil if there are none, or too many.
  private static func takeNumber(_ text: inout Slice<UnsafeBufferPointer<UInt8>>) -> Int64? {
    let start = text.startIndex
    var number: Int64 = 0
    while let byte = text.first, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte {
      let (tens, isTooBig) = number.multipliedReportingOverflow(by: 10)
      let (sum, isStillTooBig) = tens.addingReportingOverflow(Int64(byte - UInt8(ascii: "0")))
      if isTooBig || isStillTooBig { return nil }
      number = sum
      text.removeFirst()
    }
    return text.startIndex == start ? nil : number
  }

  /// The duration in the form that ``parse(_:)`` reads; truncated to milliseconds.
  package var text: String {
    // A value above the limit cannot be parsed back, but must not overflow here.
    let (seconds, attoseconds) = min(max(self, .zero), .milliseconds(2 * Self.longest)).components
    var rest = seconds * 1000 + attoseconds / 1_000_000_000_000_000
    if rest == 0 { return "0s" }
    // In bytes, because appending texts to a text takes ten times as long.
    return String(unsafeUninitializedCapacity: 64) { buffer in
      var count = 0
      func take(_ unit: StaticString, of milliseconds: Int64) {
        guard rest >= milliseconds else { return }
        let first = count
        var number = rest / milliseconds
        rest %= milliseconds
        while number > 0 {
          buffer[count] = UInt8(ascii: "0") + UInt8(number % 10)
          number /= 10
          count += 1
        }
        buffer[first..<count].reverse()
        unit.withUTF8Buffer { name in
          for byte in name {
            buffer[count] = byte
            count += 1
          }
        }
      }
      take("d", of: 86_400_000)
      take("h", of: 3_600_000)
      take("m", of: 60_000)
      take("s", of: 1000)
      take("ms", of: 1)
      return count
    }
  }
}
