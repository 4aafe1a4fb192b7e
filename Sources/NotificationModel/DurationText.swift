// SPDX-License-Identifier: Apache-2.0

extension Duration {
  private static let units: KeyValuePairs<String, Int64> = [
    "w": 604_800_000, "d": 86_400_000, "h": 3_600_000, "min": 60_000, "m": 60_000, "s": 1000, "ms": 1,
  ]

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
        guard let number = Double(digits), let size = units.first(where: { $0.key == unit })?.value else { return nil }
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
    var rest = text.utf8[...]
    func take(while isWanted: (UInt8) -> Bool) -> Substring {
      let taken = rest.prefix(while: isWanted)
      rest = rest[taken.endIndex...]
      return Substring(taken)
    }
    func skipBlanks() { rest = rest.drop { $0 == UInt8(ascii: " ") } }
    var total: Int64 = 0
    var lastUnit = Int64.max
    skipBlanks()
    while !rest.isEmpty {
      let digits = take { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
      skipBlanks()
      // Units consist of lower-case letters.
      let word = take { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }
      skipBlanks()
      guard let number = Int64(digits), let unit = units.first(where: { $0.key == word })?.value, unit < lastUnit
      else { return nil }
      let (part, overflowed) = number.multipliedReportingOverflow(by: unit)
      guard !overflowed, part <= Self.longest - total else { return nil }
      total += part
      lastUnit = unit
    }
    return lastUnit == .max ? nil : total
  }

  /// The duration in the form that ``parse(_:)`` reads; truncated to milliseconds.
  package var text: String {
    // A value above the limit cannot be parsed back, but must not overflow here.
    let (seconds, attoseconds) = min(max(self, .zero), .milliseconds(2 * Self.longest)).components
    var rest = seconds * 1000 + attoseconds / 1_000_000_000_000_000
    if rest == 0 { return "0s" }
    var text = ""
    func take(_ unit: String, of milliseconds: Int64) {
      guard rest >= milliseconds else { return }
      text += String(rest / milliseconds)
      text += unit
      rest %= milliseconds
    }
    take("d", of: 86_400_000)
    take("h", of: 3_600_000)
    take("m", of: 60_000)
    take("s", of: 1000)
    take("ms", of: 1)
    return text
  }
}
