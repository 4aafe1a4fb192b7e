// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import NotificationModel

extension NotifyCommand {
  static let flags = groups.flatMap(\.flags)

  /// The flags as help shows them: a line of 80 columns for each.
  static let groups = [
    FlagGroup("When (without any of these: at once)", whenFlags),
    FlagGroup("When something happens, instead of at a time", conditionFlags),
    FlagGroup("Buttons (--run, --url, --launch, --http without ID: the notification itself)", ButtonFlags.flags),
    FlagGroup("Looks and sound", lookFlags), FlagGroup("Behaviour", behaviourFlags),
    FlagGroup("Input, output and data", dataFlags),
  ]

  private static let whenFlags = [
    Flag("in", "DURATION", "show it after a delay: 90s, 10m, 1h30m, 2d"),
    Flag("at", "TIME", "show it at 7:30, 'fri 16:00', 'tomorrow 5pm', '24 dec 18:00'"),
    Flag("every", "WHEN", "repeat it: 15m, hourly, 'Mon..Fri 07:30', '*-*-01 09:00'"),
    Flag("rule", "RULE", "repeat it by a rule: 'FREQ=WEEKLY;BYDAY=MO;BYHOUR=9'"),
    Flag("match", "PARTS", "show it when the date has these parts: weekday=2,hour=7"),
    Flag("repeat", nil, "repeat --in, --match or --on"),
    Flag("zone", "ZONE", completing: .zones, "read the times in this zone, such as Europe/Paris"),
    Flag("from", "TIME", "start the repetition at this time"),
    Flag("until", "TIME", "end the repetition at this time; a date includes that day"),
    Flag("count", "N", "show it at most N times"),
    Flag(
      "missed", "WHAT", completing: .words(Schedule.Missed.allCases.map(\.rawValue)),
      "handle missed dates: deliver (once for all), skip or each"),
    Flag("grace", "DURATION", "do not show a date that is later than this"),
    Flag("wake", nil, "wake the machine for it, if permitted"),
  ]

  private static let conditionFlags = [
    Flag("on", "CONDITION", "show it at 'battery < 20%', 'wifi Home' or 'place office'"),
    Flag("now", nil, "show it at once if that is true already"),
    Flag("during", "WHEN", "count only these days and times: 'Mon..Fri 08:00..18:00'"),
    Flag("cooldown", "DURATION", "with --repeat: at most once in this time (default: 1s)"),
  ]

  private static let lookFlags = [
    Flag("subtitle", "TEXT", "add a second headline"),
    Flag("markup", nil, "read <b>, <i> and <u> in the body"),
    Flag("icon", letter: "i", "ICON", completing: .file, "set the icon: a theme name, a path or a file URL"),
    Flag("image", "IMAGE", completing: .file, "set a picture: a theme name, a path or a file URL"),
    Flag("sound", "SOUND", completing: .file, "play a sound: default, none, a theme name or a path"),
    Flag("speak", nil, "also speak it, through Speech Dispatcher"),
    Flag("badge", "N", "set the number on the app's launcher"),
    Flag("progress", "0-100", "draw a progress bar, if the server can"),
    Flag("app-name", letter: "a", "NAME", "show this text as the sender's name"),
  ]

  private static let behaviourFlags = [
    Flag(
      "style", "STYLE", completing: .words(NotificationRequest.Style.allCases.map(\.rawValue)),
      "set the style: banner, or alert, which stays"),
    Flag(
      "level", "LEVEL", completing: .words(NotificationRequest.Level.allCases.map(\.rawValue)),
      "set it: passive, active, timeSensitive or critical"),
    Flag("expires", "DURATION", "close it after this duration; or 'never'"),
    Flag("nag", "DURATION", "show it again and again, until it is answered"),
    Flag("escalate", "STEP", isList: true, "then change or send it: '9m level=critical,push'"),
    Flag("max", "N", "with --nag or --escalate: show it at most N times"),
    Flag("id", "ID", completing: .ids, "set the id; replaces the request with that id"),
    Flag("thread", "NAME", "group it with others of this name"),
    Flag("relevance", "0-1", "in a digest, list it before less relevant ones"),
    Flag("summary-name", "NAME", "set the name that a summary of its category shows"),
    Flag("summary-count", "N", "count it N times in a summary of its category"),
    Flag(
      "category", letter: "c", "CATEGORY", completing: .categories,
      "use a registered category, or a type: im.received"
    ),
    Flag(
      "app", "APP", completing: .apps, "set the app that owns it (default: \(NotificationRequest.defaultApp))"),
    Flag(
      "hint", letter: "h", "TYPE:NAME:VALUE", isList: true, "pass a hint to the notification server"),
  ]

  private static let dataFlags = [
    Flag("wait", letter: "w", nil, "wait for the answer, and print the action's id"),
    Flag("file", "FILE", completing: .file, "read requests from JSON or a property list (- is stdin)"),
    Flag("user-info", "KEY=VALUE", isList: true, "attach data for the programs of buttons"),
    Flag("json", nil, "print 'app' and 'id', and the answer, as JSON"),
  ]

  /// Keys that exclude each other: a flag for one removes the file's.
  static let times = ["in", "at", "every", "rule", "match", "on"]

  /// Converts the flags to keys of a request; their values are checked with the rest of the request.
  /// - Parameter editing: whether the flags change a stored request.
  static func words(_ arguments: Arguments, editing: Bool = false) throws(CommandError) -> [String: PlainValue] {
    var words: [String: PlainValue] = [:]
    for flag in flags {
      guard let value = arguments.value(flag.name) else { continue }
      switch flag.name {
      case "wait", "file", "hint", "json", "action", "run", "url", "launch", "snooze", "reply", "http", "http-header",
        "http-body":
        break
      case "icon", "image", "sound": words[flag.name] = .text(fileName(value))
      case "app-name": words["appName"] = value.isEmpty ? nil : .text(value)
      case "user-info": words["userInfo"] = try userInfo(arguments.all("user-info"))
      case "match": words["match"] = try match(value)
      case "escalate": words["escalate"] = .list(try EscalateFlag.steps(arguments.all("escalate")))
      case "relevance": words["relevance"] = Double(value).map { .number($0) } ?? .text(value)
      case "summary-name": words["summaryName"] = value.isEmpty ? nil : .text(value)
      case "summary-count": words["summaryCount"] = Int64(value).map { .integer($0) } ?? .text(value)
      case "progress", "badge", "count", "max": words[flag.name] = Int64(value).map { .integer($0) } ?? .text(value)
      default: words[flag.name] = flag.value == nil ? .flag(true) : .text(value)
      }
    }
    let buttons = try ButtonFlags(arguments, editing: editing)
    words["actions"] = buttons.value
    words["url"] = buttons.url.map { .text($0) }
    try addNotifySend(arguments, to: &words)
    return words
  }

  /// Makes a file name absolute, because the center has another working folder. A name without a slash is a theme name,
  /// unless there is such a file.
  static func fileName(_ text: String) -> String {
    guard !text.hasPrefix("/"), !text.contains(":"), text.contains("/") || text.contains("."),
      text.contains("/") || access(text, F_OK) == 0, let folder = getcwd(nil, 0)
    else { return text }
    defer { free(folder) }
    return String(cString: folder) + "/" + (text.hasPrefix("./") ? String(text.dropFirst(2)) : text)
  }

  /// Warns of files that cannot be read. The notification is sent anyway, because its text matters more.
  static func warnOfFiles(_ words: [String: PlainValue], by verb: String) {
    for key in ["icon", "image", "sound"] {
      guard case .text(let path)? = words[key], path.hasPrefix("/"), access(path, R_OK) != 0 else { continue }
      Console.warn(verb, "\(path): \(String(cString: strerror(errno))); shown without the \(key)")
    }
  }

  /// Applies the flags to a request of a file.
  static func merge(_ request: [String: PlainValue], _ words: [String: PlainValue]) -> [String: PlainValue] {
    if words.isEmpty { return request }
    var request = request
    if times.contains(where: { words[$0] != nil }) {
      for time in times { request[time] = nil }
      if words["on"] == nil {
        for key in ["cooldown", "during", "now"] { request[key] = nil }
      }
    }
    return request.merging(words) { $1 }
  }

  private static func userInfo(_ texts: [String]) throws(CommandError) -> PlainValue {
    var values: [String: PlainValue] = [:]
    for text in texts {
      let (key, value) = try pair(text, "user-info", "KEY=VALUE")
      values[key] = .text(value)
    }
    return .dictionary(values)
  }

  static func match(_ text: String) throws(CommandError) -> PlainValue {
    if text.drop(while: { $0 == " " }).first == "{" {
      do throws(DocumentError) { return try JSONReader.read(text) } catch {
        // A line and a column are for files.
        throw .data(
          "'--match \(PrintableText.line(text, atMost: 60))' is not valid JSON: \(error.problem.replacing(" here", with: "")); "
            + "shorter: weekday=2,hour=7")
      }
    }
    var parts: [String: PlainValue] = [:]
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let colons = MatchText(text.replacing(":", with: "=")).map { "; write '\($0.text)'" }
      let expression =
        colons ?? MatchText.expression(text).map { "; for these times, use --every \(CommandWords.quoted($0))" }
      let (name, value) = try pair(
        String(part), "match", "PART=NUMBER,…, such as weekday=2,hour=7" + (expression ?? ""), of: text,
        separatedByBlanks: true)
      guard let number = Int64(value) else {
        let right = MatchText.corrected(text)
        let isDay = right?.contains("weekday=") == true && !text.contains(right ?? "")
        let hint = right.map { "; write '\($0)'" + (isDay ? " (1 is Sunday)" : "") } ?? expression ?? ""
        throw .data("'--match': \(name) must be an integer, not '\(PrintableText.line(value, atMost: 60))'\(hint)")
      }
      guard parts[name] == nil else {
        throw .data("'--match': \(name) is given twice; for several values, use --every, such as --every '7,19:30'")
      }
      parts[name] = .integer(number)
    }
    return .dictionary(parts)
  }

  private static func pair(
    _ text: String, _ flag: String, _ form: String, of whole: String? = nil, separatedByBlanks: Bool = false
  ) throws(CommandError) -> (String, String) {
    var parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    if separatedByBlanks { parts = parts.map(withoutBlanks) }
    guard parts.count == 2, !parts[0].isEmpty else { throw .data("'--\(flag) \(whole ?? text)' must be \(form)") }
    return (String(parts[0]), String(parts[1]))
  }

  private static func withoutBlanks(_ text: Substring) -> Substring {
    var text = text.drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return text
  }
}
