// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import NotificationModel

extension NotifyCommand {
  static let flags =
    ButtonFlags.flags + [
      Flag("wait", letter: "w", nil, "wait for the answer and print the action's id (status 1: no answer)"),
      Flag(
        "file", "FILE", completing: .file,
        "read one or more requests from a JSON or property list file (- is standard input)"),
      Flag("in", "DURATION", "show it after a delay: 90s, 10m, 1h30m, 2d; with --repeat repeatedly"),
      Flag("at", "TIME", "show it at 07:30, 'tomorrow 07:30', 'mon 07:30', '24 dec 18:00', '2026-11-21 07:30'"),
      Flag("every", "WHEN", "repeat it: 15m, hourly, 'Mon,Tue,Thu 07:30', '*-*-01 09:00'"),
      Flag("rule", "RULE", "repeat it by a calendar rule: 'FREQ=WEEKLY;BYDAY=MO'; other parts come from --from"),
      Flag("match", "PARTS", "show it when the date has these parts: weekday=2,hour=7 (1 is Sunday); or JSON"),
      Flag(
        "on", "CONDITION", "show it when this becomes true: 'battery < 20%', 'wifi Home', 'unit a.service failed'"),
      Flag("repeat", nil, "repeat --in, --match or --on"),
      Flag("cooldown", "DURATION", "show it at most once in this time, with --on and --repeat (default: 1s)"),
      Flag("during", "WHEN", "count --on only on these days and times: 'Mon..Fri 08:00..18:00'"),
      Flag("now", nil, "show it at once if the condition of --on is true already"),
      Flag(
        "zone", "ZONE", completing: .zones, "read the times in this zone, such as Europe/Paris, not in the machine's"),
      Flag("from", "TIME", "start the repetition at this time"),
      Flag("until", "TIME", "end the repetition at this time; a date includes that whole day"),
      Flag("count", "N", "show it at most N times"),
      Flag(
        "missed", "WHAT", completing: .words(Schedule.Missed.allCases.map(\.rawValue)),
        "handle missed dates: deliver (once for all), skip or each"),
      Flag("grace", "DURATION", "do not show a date that is later than this"),
      Flag("wake", nil, "wake the machine for it, if permitted"),
      Flag(
        "app", "APP", completing: .apps,
        "set the app that owns the request: a desktop-entry id (default: \(NotificationRequest.defaultApp))"),
      Flag("app-name", letter: "a", "NAME", "show this text as the sender's name; it need not be an app"),
      Flag("id", "ID", completing: .ids, "set the id; replaces the request with the same id"),
      Flag("subtitle", "TEXT", "add a second headline"),
      Flag("markup", nil, "read <b>, <i> and <u> in the body; without it the body is plain text"),
      Flag("icon", letter: "i", "ICON", completing: .file, "set the icon: a theme name, a path or a file URL"),
      Flag("image", "IMAGE", completing: .file, "set a picture: a theme name, a path or a file URL"),
      Flag("sound", "SOUND", completing: .file, "play a sound: default, none, a theme name or a path"),
      Flag("badge", "N", "set the number on the app's launcher"),
      Flag("progress", "0-100", "draw a progress bar, if the server can"),
      Flag("thread", "NAME", "group notifications with the same name, if the server can"),
      Flag(
        "level", "LEVEL", completing: .words(NotificationRequest.Level.allCases.map(\.rawValue)),
        "set the urgency: passive, active, timeSensitive or critical"),
      Flag(
        "style", "STYLE", completing: .words(NotificationRequest.Style.allCases.map(\.rawValue)),
        "set the style: banner, or alert, which stays until it is answered"),
      Flag("expires", "DURATION", "close it after this duration; or 'never'"),
      Flag(
        "category", letter: "c", "CATEGORY", completing: .categories,
        "use a registered category, or a type such as im.received"
      ),
      Flag(
        "hint", letter: "h", "TYPE:NAME:VALUE", isList: true,
        "pass a hint to the notification server, as notify-send does; may be repeated"),
      Flag(
        "user-info", "KEY=VALUE", isList: true, "attach data for the programs that buttons run; may be repeated"),
      Flag("json", nil, "print an object with 'app' and 'id', and with --wait 'action', 'reply' and 'due'"),
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
      case "wait", "file", "hint", "json", "action", "run", "url", "launch", "snooze", "reply": break
      case "icon", "image", "sound": words[flag.name] = .text(fileName(value))
      case "app-name": words["appName"] = value.isEmpty ? nil : .text(value)
      case "user-info": words["userInfo"] = try userInfo(arguments.all("user-info"))
      case "match": words["match"] = try match(value)
      case "progress", "badge", "count": words[flag.name] = Int64(value).map { .integer($0) } ?? .text(value)
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
      let (name, value) = try pair(
        String(part), "match", "PART=NUMBER,…, such as weekday=2,hour=7", of: text, separatedByBlanks: true)
      guard let number = Int64(value) else {
        let days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
        let day = name == "weekday" ? days.firstIndex { value.lowercased().hasPrefix($0) } : nil
        let hint = day.map { "; write '\(name)=\($0 + 1)' (1 is Sunday)" } ?? ""
        throw .data("'--match': \(name) must be an integer, not '\(PrintableText.line(value, atMost: 60))'\(hint)")
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
    guard parts.count == 2, !parts[0].isEmpty else { throw .usage("'--\(flag) \(whole ?? text)' must be \(form)") }
    return (String(parts[0]), String(parts[1]))
  }

  private static func withoutBlanks(_ text: Substring) -> Substring {
    var text = text.drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return text
  }
}
