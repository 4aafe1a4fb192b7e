// SPDX-License-Identifier: Apache-2.0

extension Condition {
  static let textForm = "a condition such as 'battery < 20%', or its dictionary"

  /// Parses `wifi Home`, `leave wifi Home for 5m`, `unit backup.service failed`; errors name the column.
  public init(_ line: String) throws(RequestError) {
    var words = try ConditionWords(line)
    var edge = Edge.enter
    if let first = words.next, !first.isQuoted, let named = Edge(rawValue: first.text) {
      _ = words.take()
      edge = named
    }
    let column = words.column
    let (subject, example) = try Self.subject(&words)
    var hold: Duration?
    if words.take("for") {
      let place = words.column
      guard let word = words.take() else {
        throw words.missing("the duration after 'for'", example: example + " for 5m")
      }
      hold = try Self.duration(word, at: place)
    }
    if let more = words.next, let advice = Self.advice(on: more, after: subject) {
      throw ConditionWords.error("has an unexpected \(more.text.quoted)", at: more.column, advice)
    }
    try words.checkEnd(example: "wifi 'My network'")
    if subject.isEvent {
      // An event has no end, and does not last.
      let what = "'\(subject.kind)' is an event and not a state"
      if edge != .enter { throw ConditionWords.error("cannot have '\(edge.rawValue)': \(what)", at: 1) }
      if hold != nil { throw ConditionWords.error("cannot have 'for': \(what)", at: column) }
    }
    self.init(trusted: subject, edge: edge, hold: hold)
  }

  /// What to write in place of a word too many; nil if it may be a part of a name.
  private static func advice(on more: ConditionWords.Word, after subject: Subject) -> String? {
    if case .place(.named(let name)) = subject, Double(name) != nil, Double(more.text) != nil {
      return "write latitude and longitude with a comma: \(name),\(more.text)"
    }
    if ["off", "gone", "lost", "disconnected"].contains(more.text.lowercased()), !more.isQuoted, !subject.isEvent {
      return "did you mean 'leave \(subject.text)'?"
    }
    return nil
  }

  private static let kinds = [
    "wifi", "network", "place", "beacon", "battery", "power", "unlocked", "idle", "awake", "unit", "file", "device",
    "signal",
  ]

  /// Whether the line of a condition may begin with this word.
  static func beginsWithKind(_ word: String) -> Bool {
    kinds.contains(word) || Edge(rawValue: word) != nil || word == "system" || synonyms[word] != nil
  }

  /// Words that people use for a condition with another name.
  private static let synonyms = [
    "locked": "leave unlocked", "lock": "leave unlocked", "unlock": "unlocked", "ssid": "wifi", "wlan": "wifi",
    "wi-fi": "wifi", "vpn": "network", "ac": "power", "mains": "power", "plugged": "power", "unplugged": "leave power",
    "charging": "power", "resume": "awake", "wake": "awake", "wakeup": "awake", "service": "unit", "path": "file",
    "usb": "device", "udev": "device", "dbus": "signal", "d-bus": "signal", "location": "place", "region": "place",
    "active": "unit NAME active", "failed": "unit NAME failed", "away": "idle 10m",
  ]

  private static func subject(_ words: inout ConditionWords) throws(RequestError) -> (Subject, example: String) {
    let column = words.column
    guard var kind = words.take() else {
      throw RequestError("", "is empty; for example \"battery < 20%\" or \"wifi Home\"")
    }
    let isOfSystem = kind.text == "system" && !kind.isQuoted
    if isOfSystem {
      guard let next = words.take() else {
        throw words.missing("a unit or a signal", example: "system unit sshd.service failed")
      }
      kind = next
      guard ["unit", "signal"].contains(kind.text) else {
        throw ConditionWords.error(
          "has 'system' in front of \(kind.text.quoted)", at: column,
          "only 'unit' and 'signal' are of the system or the user")
      }
    }
    switch kind.text {
    case "wifi": return (.wifi(try words.name("the name of the network", example: "wifi Home")), "wifi Home")
    case "network":
      let example = "network 'Work VPN'"
      return (.network(try words.name("the name of the connection", example: example)), example)
    case "place": return (try place(&words), "place 52.52,13.405 200m")
    case "beacon": return (try beacon(&words), "beacon F7826DA6-4FA2-4E98-8024-BC5B71E0893E 1 2")
    case "battery": return (.battery(try battery(&words)), "battery < 20%")
    case "power": return (.power, "power")
    case "unlocked": return (.unlocked, "unlocked")
    case "awake": return (.awake, "awake")
    case "idle":
      let place = words.column
      guard let word = words.take() else { throw words.missing("a duration", example: "idle 10m") }
      let duration = try Self.duration(word, at: place)
      guard duration >= .seconds(1) else { throw ConditionWords.error("needs at least a second", at: place) }
      return (.idle(duration), "idle 10m")
    case "unit": return (try unit(&words, isOfSystem: isOfSystem), "unit backup.service failed")
    case "file": return (try file(&words), "file /tmp/done")
    case "device": return (try device(&words), "device 'ID_VENDOR=Yubico'")
    case "signal": return (try signal(&words, isOfSystem: isOfSystem), "signal org.example.Printer.Done")
    default: throw unknown(kind)
    }
  }

  private static func unknown(_ word: ConditionWords.Word) -> RequestError {
    let problem = "has the unknown condition \(word.text.quoted)"
    let typed = word.text.lowercased()
    // `battery<20%` without blanks.
    if typed.hasPrefix("battery"), typed.count > 7 {
      return ConditionWords.error(problem, at: word.column, "put a blank behind it, as in \"battery < 20%\"")
    }
    if let better = synonyms[typed] ?? typed.misspelling(ofOneOf: kinds + Edge.allCases.map(\.rawValue) + ["system"]) {
      return ConditionWords.error(problem, at: word.column, "did you mean '\(better)'?")
    }
    return ConditionWords.error(problem, at: word.column, "known are \(kinds.joined(separator: ", "))")
  }

  static func duration(_ word: ConditionWords.Word, at column: Int) throws(RequestError) -> Duration {
    do throws(RequestError) { return try Duration.parse(word.text) } catch {
      let better = Int(word.text).map { "; did you mean '\($0)m'?" } ?? ""
      throw RequestError("", "needs \(Duration.textForm), not \(word.text.quoted) (column \(column))\(better)")
    }
  }
}

extension Condition.Subject {
  /// The word that begins it.
  var kind: String {
    if case .fileChange = self { return "file … changes" }
    let text = text
    return String((text.hasPrefix("system ") ? text.dropFirst(7) : text[...]).prefix { $0 != " " })
  }
}
