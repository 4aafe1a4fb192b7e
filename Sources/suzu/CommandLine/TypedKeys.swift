// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import EventLoop
internal import NotificationModel
internal import Triggers
internal import Zoneinfo

/// Turns errors about keys of a request into errors about the flags and words that the user typed: `'count' must be …`
/// becomes `'--count' must be …`.
struct TypedKeys {
  private let arguments: Arguments
  /// The keys that words give, such as `title`.
  private let words: [String]
  /// The ids of the buttons, in the order of `actions`.
  private let buttons: [String]

  /// - Parameters:
  ///   - words: the keys that the verb's words stand for.
  ///   - actions: the value of `actions`, as the flags give it.
  init(_ arguments: Arguments, words: [String] = [], actions: PlainValue? = nil) {
    self.arguments = arguments
    self.words = words
    guard case .list(let actions)? = actions else {
      buttons = []
      return
    }
    buttons = actions.map { action in
      if case .dictionary(let words) = action, case .text(let id)? = words["id"] { id } else { "" }
    }
  }

  /// An error of the center or of a check; other errors stay as they are.
  func error(_ error: any Error) -> any Error {
    switch error {
    case let error as SuzuError where error.code == .invalidRequest:
      CommandError.data(text(error.message))
    case let error as RequestError: CommandError.data(text(error.description))
    case let error as TriggerError: CommandError.data(text(error.description))
    default: error
    }
  }

  /// The message with the typed names. A key that no flag gave stays: it is from a file.
  func text(_ message: String) -> String {
    guard message.first == "'", let end = message.dropFirst().firstIndex(of: "'") else { return message }
    let path = message[message.index(after: message.startIndex)..<end]
    guard let (name, value) = typed(path) else { return zoneOfExpression(message) ?? message }
    var rest = String(message[message.index(after: end)...])
    // The message names both keys already.
    if rest.hasPrefix(": '"), rest.hasSuffix("' cannot be combined") {
      let keys = rest.split(separator: "'").map(String.init).filter { arguments.typed($0) != nil }
      return String(rest.dropFirst(2)).replacing(" '", with: " '--").replacing("'", with: "'--", maxReplacements: 1)
        + (keys.count == 2 ? remedy(keys[0], keys[1]) : "")
    }
    if let value, let misplaced = MisplacedTime(value, of: String(path)) { return "\(name) \(misplaced.text)" }
    if let value {
      let notText = ", not a string"
      if rest.hasSuffix(notText) {
        rest = rest.dropLast(notText.count) + ", not '\(PrintableText.line(value, atMost: 60))'"
      }
      if path.hasSuffix("launch"), rest.hasPrefix(" must be ") {
        rest += AppGuess.hint(for: value, environment: ChildProcess.inheritedEnvironment())
      }
      if path == "zone", let zone = ZoneGuess.fixed(value) {
        return
          "\(name): '\(PrintableText.line(value, atMost: 60))' is an offset; write '\(zone)', whose sign is the opposite one, "
          + "or a city's zone such as 'Europe/Paris', which also has summer time"
      }
      // One mistake at a time: a value that is not used is not corrected.
      if !rest.hasSuffix("?"), !rest.contains("needs a date"),
        let better = Self.correction(of: value, for: String(path), rest)
      {
        rest = Self.withoutExample(rest) + "; did you mean '\(better)'?"
      }
    }
    return name + Self.inFlags(rest).replacing("use the rule '", with: "use --rule '")
  }

  /// What to write instead of two flags that both say when: the first may be meant as the beginning of the second.
  private func remedy(_ first: String, _ second: String) -> String {
    guard ["in", "at"].contains(first), ["every", "rule"].contains(second), let start = arguments.value(first),
      let repetition = arguments.value(second)
    else { return "; give one of them" }
    if second == "every", first == "at", let both = CompletedSchedule(repetition, startingAt: start) {
      return "; write \(both.flags) instead of both"
    }
    let begin = "write --from \(CommandWords.quoted(first == "in" ? "in " + start : start)) instead of --\(first)"
    let isInterval = second == "every" && (try? Duration.parse(repetition)) != nil
    let pause = CommandWords.quoted(repetition)
    return isInterval
      ? "; --every \(pause) alone begins after \(pause); for another beginning, \(begin)"
      : "; for a repetition that begins then, \(begin)"
  }

  // MARK: Names

  /// Flags with another name than their key.
  private static let others = [
    "level": ["urgency"], "expires": ["expire-time"], "icon": ["app-icon"], "id": ["replace-id"],
    "appName": ["app-name"], "userInfo": ["user-info"], "hints": ["hint"], "customDismiss": ["custom-dismiss"],
    "localAnswers": ["local-answers"],
    "summaryName": ["summary-name"], "summaryCount": ["summary-count"],
  ]

  /// The typed name of a key, in quotes, and the typed value.
  private func typed(_ path: Substring) -> (name: String, value: String?)? {
    let parts = path.split { "[].".contains($0) }.map(String.init)
    guard let key = parts.first else { return nil }
    if key == "actions", parts.count > 1 { return button(parts) }
    for flag in [key] + (Self.others[key] ?? []) {
      guard let form = arguments.typed(flag) else { continue }
      return ("'\(form)'", arguments.value(flag))
    }
    return words.contains(key) ? ("the \(key)", nil) : nil
  }

  private func button(_ parts: [String]) -> (name: String, value: String?)? {
    guard let number = Int(parts[1]), buttons.indices.contains(number) else { return nil }
    let flag =
      switch parts.count > 2 ? parts[2] : "" {
      case "run", "url", "launch", "snooze": parts[2]
      case "http":
        switch parts.count > 3 ? parts[3] : "" {
        case "headers": "http-header"
        case "body": "http-body"
        default: "http"
        }
      case "input": "reply"
      default: "action"
      }
    guard let form = arguments.typed(flag) else { return nil }
    let id = PrintableText.line(buttons[number], atMost: 60)
    let value = arguments.all(flag).first { $0.hasPrefix(id + "=") }.map { String($0.dropFirst(id.count + 1)) }
    // Without an id, the flag is about a click on the notification.
    if id == Action.defaultID, value == nil, flag != "action" { return ("'\(form)'", arguments.all(flag).last) }
    return ("'\(form) \(id)=…'", value)
  }

  /// The sentences that name other keys, and the same with flags. Only these are replaced: a key in any other place is
  /// a word that the user wrote, such as 'every' in `--every 'every day'`.
  private static let sentences: KeyValuePairs = [
    ": 'every' always repeats; for example 'at: 07:30'": ": '--every' always repeats; for example '--at 07:30'",
    ": 'rule' always repeats; for example 'at: 07:30'": ": '--rule' always repeats; for example '--at 07:30'",
    ": applies only to 'in', 'match' and 'on'; for example 'every: 07:30'":
      " applies only to '--in', '--match' and '--on'; '--every' repeats without it",
    ": applies only to 'on'; for example 'on: battery < 20%'":
      " applies only to '--on'; for example --on 'battery < 20%'",
    ": applies only to 'nag' and 'escalate'; for example 'nag: 5m'":
      " applies only to '--nag' and '--escalate'; for how many dates, use '--count'",
    ": requires 'repeat: true' with 'on'": " requires '--repeat' with '--on'",
    ": 'on' names an event, which is never true already": ": '--on' names an event, which is never true already",
    ": 'each' and 'on' cannot be combined": ": 'each' and '--on' cannot be combined",
    ": 'on' and 'grace' cannot be combined": ": '--on' and '--grace' cannot be combined",
    ": 'on' and 'wake' cannot be combined": ": '--on' and '--wake' cannot be combined",
    ": applies only to repetitions; for example 'every: 15m'":
      " applies only to repetitions; for example '--every 15m'",
    ": requires 'repeat: true' with 'match'": " requires '--repeat' with '--match'",
    " needs a date; for example 'at: 07:30'": " needs a date; for example '--at 07:30'",
    "has no effect on 'in', which": "has no effect on '--in', which",
    "; 'appName' is the text that is shown": "; '--app-name' is the text that is shown",
    "; give a time zone by 'zone: ": "; give a time zone by '--zone ",
    "simplify it or give a later 'from'": "simplify it or give a later '--from'",
    #"'{"weekday": 2, "hour": 7, "minute": 30}'"#: "'weekday=2,hour=7'",
  ]

  /// The text with flags in place of other keys.
  static func inFlags(_ text: String) -> String {
    var text = sentences.reduce(text) { $0.replacing($1.key, with: $1.value) }
    // The start of a calendar's rule, as one word for the shell.
    let start = "; give the start by 'from"
    if let range = text.firstRange(of: start + ": ") {
      let date = text[range.upperBound...].prefix { $0 != "'" }
      text = "\(text[..<range.lowerBound]); give the start by --from \(CommandWords.quoted(String(date)))"
    }
    return text.replacing(start + "'", with: "; give the start by '--from'")
  }

  // MARK: Corrections

  private static func withoutExample(_ text: String) -> String {
    text.firstRange(of: "; for example '").map { String(text[..<$0.lowerBound]) } ?? text
  }

  /// The error about a value of a file with what may be meant instead; nil if there is nothing better.
  static func correction(of error: RequestError, in request: [String: PlainValue]) -> RequestError? {
    let key = error.key.split(separator: ".").last.map(String.init) ?? ""
    guard !error.problem.hasSuffix("?"), !error.problem.contains("; "), case .text(let value)? = request[key],
      let better = correction(of: value, for: key, error.problem)
    else { return nil }
    return RequestError(error.key, error.problem + "; did you mean '\(better)'?", isAboutKey: error.isAboutKey)
  }

  /// The value that the user may have meant.
  private static func correction(of value: String, for path: String, _ problem: String) -> String? {
    let isNumber = !value.isEmpty && value.utf8.count < 10 && value.utf8.allSatisfy { (48...57).contains($0) }
    switch path.split(separator: ".").last ?? "" {
    // notify-send takes milliseconds.
    case "expires" where isNumber && value.utf8.count > 3: return value + "ms"
    case "url":
      if value.hasPrefix("/") { return "file://" + value.replacing(" ", with: "%20") }
      let scheme = value.prefix { $0 != ":" }
      if scheme.allSatisfy({ $0.isASCII && $0.isLetter }), value.contains(" "), value.contains("://") {
        return value.replacing(" ", with: "%20")
      }
      let isHost = value.contains(".") && !value.contains { ": \t".contains($0) } && !"/.".contains(value.first ?? "/")
      return isHost ? "https://" + value : nil
    case "level":
      return Self.level(value.lowercased())
    case "in", "every", "grace", "expires", "snooze", "nag":
      if isNumber && value != "0" { return value + "m" }
      if let whole = withUnit(value) { return whole }
      let digits = value.prefix { $0.isASCII && $0.isNumber }
      if path.hasSuffix("in"), let delay = SpokenDelay(value) { return delay.duration.text }
      let isMinutes =
        !digits.isEmpty
        && ["mi", "mn", "mim", "nin", "mni", "min."].contains(value.dropFirst(digits.count).lowercased())
      return isMinutes ? digits + "m" : nil
    case "progress", "badge", "count":
      guard value.last == "%", let number = Int(value.dropLast()), (0...100).contains(number) else { return nil }
      return "\(number)"
    case "zone":
      // Other problems are about the file of a known zone.
      return problem.contains("unknown time zone") || problem.contains("not a time zone name")
        ? ZoneGuess.zone(value) : nil
    default: return nil
    }
  }

  /// `1h30m` for `1h30` and `1 hour 30`: the number at the end lacks the next smaller unit.
  private static func withUnit(_ value: String) -> String? {
    let digits = String(value.reversed().prefix { $0.isASCII && $0.isNumber }.reversed())
    let head = value.dropLast(digits.count).filter { $0 != " " }.lowercased()
    let word = String(head.reversed().prefix { $0.isLetter }.reversed())
    let next = ["d": "h", "h": "m", "m": "s"][Duration.wordedUnits[word] ?? word]
    guard !digits.isEmpty, Duration.worded(head) != nil, let next else { return nil }
    let whole = value + next
    return (try? Duration.parse(whole)) == nil ? Duration.worded(whole)?.text : whole
  }

  private static func level(_ word: String) -> String? {
    let levels = ["low": "passive", "normal": "active", "high": "critical", "urgent": "critical"]
    return levels[word] ?? word.misspelling(ofOneOf: levels.keys.sorted()).flatMap { levels[$0] }
  }

  /// An error about the zone that an expression ends with: `'zone': 'Europe/Pari': unknown time zone`.
  private func zoneOfExpression(_ message: String) -> String? {
    let start = "'zone': '"
    guard message.hasPrefix(start), arguments.typed("zone") == nil, let form = arguments.typed("every") else {
      return nil
    }
    let zone = message.dropFirst(start.count).prefix { $0 != "'" }
    guard arguments.value("every")?.hasSuffix(zone) == true else { return nil }
    let rest = String(message.dropFirst("'zone'".count))
    // An abbreviation is no misspelling: the message names a city.
    if rest.contains(", such as ") || rest.contains("; did you mean") { return "'\(form)'" + rest }
    let better = ZoneGuess.zone(String(zone)).map { Self.withoutExample(rest) + "; did you mean '\($0)'?" }
    return "'\(form)'" + (better ?? rest)
  }
}
