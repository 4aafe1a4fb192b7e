// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import NotificationModel

extension NotifyCommand {
  static let flags = [
    Flag("action", letter: "A", "[ID=]TITLE", "a button; may be repeated; -A also waits, as --wait"),
    Flag("url", "URL", "what a click on the notification itself opens"),
    Flag("wait", letter: "w", nil, "wait for the answer and print the action's id (status 1: there was none)"),
    Flag(
      "file", "FILE", completing: .file,
      "the request, or a list of them, as JSON or a property list (- is standard input)"),
    Flag("in", "DURATION", "show it later: 90s, 10m, 1h30m, 2d; with --repeat again and again"),
    Flag("at", "TIME", "at 07:30, 'tomorrow 07:30', 'mon 07:30', '24 dec 18:00', '2026-11-21 07:30'"),
    Flag("every", "WHEN", "again and again: 15m, hourly, 'Mon,Tue,Thu 07:30', '*-*-01 09:00'"),
    Flag("rule", "RULE", "the same as a calendar's rule: 'FREQ=WEEKLY;BYDAY=MO'; the rest as --from"),
    Flag("match", "PARTS", "when the date has these parts: weekday=2,hour=7 (1 is Sunday), or the same as JSON"),
    Flag("repeat", nil, "not once, but again and again; for --in and --match"),
    Flag(
      "zone", "ZONE", completing: .zones, "where those times are meant, as Europe/Paris; else wherever this machine is"),
    Flag("from", "TIME", "when a repetition begins"),
    Flag("until", "TIME", "when it ends; a date means that whole day"),
    Flag("count", "N", "how often, at most"),
    Flag(
      "missed", "WHAT", completing: .words(NotificationRequest.Missed.allCases.map(\.rawValue)),
      "what becomes of times that passed unseen: deliver (once for all), skip or each"),
    Flag("grace", "DURATION", "how late still counts as on time"),
    Flag("wake", nil, "wake the machine for it, where that is allowed"),
    Flag("app", "APP", completing: .apps, "whose it is: a desktop-entry id"),
    Flag("app-name", letter: "a", "NAME", "what stands as the sender's name, where that is no app: any text"),
    Flag("id", "ID", completing: .ids, "its name; the same id replaces"),
    Flag("subtitle", "TEXT", "a second headline"),
    Flag("markup", nil, "the body has <b>, <i>, <u> and <a href=…>; else it is plain text"),
    Flag("icon", letter: "i", "ICON", completing: .file, "a name of the icon theme, a path or a file URL"),
    Flag("image", "IMAGE", completing: .file, "a picture: a name, a path or a file URL"),
    Flag("sound", "SOUND", completing: .file, "default, none, a name of the sound theme or a path"),
    Flag("badge", "N", "the number on the app's launcher"),
    Flag("progress", "0-100", "draws a bar, where the server can"),
    Flag("thread", "NAME", "what belongs together, where the server can show that"),
    Flag(
      "level", "LEVEL", completing: .words(NotificationRequest.Level.allCases.map(\.rawValue)),
      "passive, active, timeSensitive or critical"),
    Flag(
      "style", "STYLE", completing: .words(NotificationRequest.Style.allCases.map(\.rawValue)),
      "banner, or alert, which stays until it is answered"),
    Flag("expires", "DURATION", "when it goes by itself; or 'never'"),
    Flag(
      "category", letter: "c", "CATEGORY", completing: .categories,
      "a registered category, or a kind such as im.received"
    ),
    Flag(
      "hint", letter: "h", "TYPE:NAME:VALUE", "what the server is told besides, as notify-send does; may be repeated"),
    Flag("user-info", "KEY=VALUE", "handed to whatever a button runs; may be repeated"),
    Flag("json", nil, "print an object with 'app' and 'id', and with --wait 'action', 'reply' and 'due'"),
  ]

  /// Those of which a request has one: a flag puts the file's away.
  private static let times = ["in", "at", "every", "rule", "match"]

  /// What the flags say, in the words of the vocabulary; their values are checked with the rest of the request.
  static func words(_ arguments: Arguments) throws(CommandError) -> [String: PlainValue] {
    var words: [String: PlainValue] = [:]
    for flag in flags {
      guard let value = arguments.value(flag.name) else { continue }
      switch flag.name {
      case "wait", "file", "hint", "json": break
      case "icon", "image", "sound": words[flag.name] = .text(fileName(value))
      case "action": words["actions"] = try actions(arguments.all("action"))
      case "app-name": words["appName"] = value.isEmpty ? nil : .text(value)
      case "user-info": words["userInfo"] = try userInfo(arguments.all("user-info"))
      case "match": words["match"] = try match(value)
      case "progress", "badge", "count": words[flag.name] = Int64(value).map { .integer($0) } ?? .text(value)
      default: words[flag.name] = flag.value == nil ? .flag(true) : .text(value)
      }
    }
    try addNotifySend(arguments, to: &words)
    return words
  }

  /// The center has another working folder: what stands for a file here must do so there. A name without a slash is one
  /// of a theme, unless there is such a file.
  static func fileName(_ text: String) -> String {
    guard !text.hasPrefix("/"), !text.contains(":"), text.contains("/") || text.contains("."),
      text.contains("/") || access(text, F_OK) == 0, let folder = getcwd(nil, 0)
    else { return text }
    defer { free(folder) }
    return String(cString: folder) + "/" + (text.hasPrefix("./") ? String(text.dropFirst(2)) : text)
  }

  /// A path that leads nowhere is a mistake that nobody would see. The text matters more: it is shown all the same.
  static func remarkOnFiles(_ words: [String: PlainValue]) {
    for key in ["icon", "image", "sound"] {
      guard case .text(let path)? = words[key], path.hasPrefix("/"), access(path, R_OK) != 0 else { continue }
      Console.complain("notify: \(path): \(String(cString: strerror(errno))); it goes without the \(key)")
    }
  }

  /// A request of a file with what the flags say over it.
  static func merge(_ request: [String: PlainValue], _ words: [String: PlainValue]) -> [String: PlainValue] {
    if words.isEmpty { return request }
    var request = request
    if times.contains(where: { words[$0] != nil }) {
      for time in times { request[time] = nil }
    }
    return request.merging(words) { $1 }
  }

  /// Where there is no id it is the number of the action, from 0 on, as notify-send counts them.
  static func actions(_ texts: [String], mustHaveIDs: Bool = false) throws(CommandError) -> PlainValue {
    var actions: [PlainValue] = []
    for (number, text) in texts.enumerated() {
      let hasID = mustHaveIDs || text.contains("=")
      let (id, title) =
        hasID ? try pair(text, "action", mustHaveIDs ? "ID=TITLE" : "[ID=]TITLE") : (String(number), text)
      actions.append(.dictionary(["id": .text(id), "title": .text(title)]))
    }
    return .list(actions)
  }

  private static func userInfo(_ texts: [String]) throws(CommandError) -> PlainValue {
    var values: [String: PlainValue] = [:]
    for text in texts {
      let (key, value) = try pair(text, "user-info", "KEY=VALUE")
      values[key] = .text(value)
    }
    return .dictionary(values)
  }

  private static func match(_ text: String) throws(CommandError) -> PlainValue {
    if text.drop(while: { $0 == " " }).first == "{" {
      do throws(DocumentError) { return try JSONReader.read(text) } catch { throw .data("'--match': \(error)") }
    }
    var parts: [String: PlainValue] = [:]
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let (name, value) = try pair(String(part), "match", "PART=NUMBER,…, such as weekday=2,hour=7", of: text)
      guard let number = Int64(value) else {
        throw .usage("'--match \(text)': \(name) must be a whole number, not '\(value)'")
      }
      parts[name] = .integer(number)
    }
    return .dictionary(parts)
  }

  private static func pair(
    _ text: String, _ flag: String, _ form: String, of whole: String? = nil
  ) throws(CommandError) -> (String, String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else { throw .usage("'--\(flag) \(whole ?? text)' must be \(form)") }
    return (String(parts[0]), String(parts[1]))
  }
}
