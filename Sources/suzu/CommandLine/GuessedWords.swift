// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// Words that people try because other programs have them, and what this program has instead.
enum GuessedWords {
  /// Advice about a verb that does not exist; nil if the word is not a known guess.
  static func advice(onVerb word: String) -> String? {
    switch word.lowercased() {
    case "remove", "delete", "rm", "del", "unschedule", "stop", "end", "kill": "use 'suzu cancel ID'"
    case "ls", "pending", "jobs": "use 'suzu list'"
    case "snooze", "postpone", "delay":
      "use 'suzu edit ID --in 10m', which takes it from the screen; a request that repeats is snoozed by its own button: 'suzu respond ID BUTTON'"
    case "get", "view", "print", "describe": "use 'suzu show ID'"
    case "add", "create", "new", "send", "remind", "schedule", "at", "alarm", "timer": "use 'suzu notify TITLE'"
    case "close", "clear": "use 'suzu dismiss ID'"
    case "acknowledge", "confirmed", "seen": "use 'suzu ack ID'"
    case "confirm", "prompt", "question", "approve": "use 'suzu ask TITLE'"
    case "exec", "execute", "done", "undistract": "use 'suzu run -- COMMAND'"
    case "log", "logs": "use 'suzu history'"
    case "status", "state", "info", "check":
      "use 'suzu list' for what is scheduled, and 'suzu doctor' for what works on this desktop"
    case "change", "update", "move", "reschedule": "use 'suzu edit ID'"
    case "click", "press", "action": "use 'suzu respond ID ACTION'"
    case "backup", "save", "dump": "use 'suzu export --everything FILE'"
    case "restore", "load": "use 'suzu import FILE'"
    case "allow", "deny": "use 'suzu apps \(word.lowercased()) APP'"
    case "block", "silence": "use 'suzu apps deny APP sound', or without 'sound' for everything"
    case "unmute": "use 'suzu mute ID off'"
    case "dnd", "do-not-disturb", "donotdisturb", "focus", "pause", "silent", "hush": "use 'suzu quiet on'"
    case "unpause", "resume": "use 'suzu quiet off'"
    case "unblock": "use 'suzu apps allow APP'"
    case "delivered", "shown": "use 'suzu list --delivered'"
    case "-v": "use 'suzu --version'"
    case "version": "use 'suzu --version'"
    default: nil
    }
  }

  /// Advice about a flag that a verb with these flags does not have; nil if the name is not a known guess.
  static func advice(onFlag name: String, among flags: [Flag], of verb: String = "", value: String? = nil) -> String? {
    func has(_ flag: String) -> Bool { flags.contains { $0.name == flag } }
    func use(_ flag: String) -> String? { has(flag) ? "use '--\(flag)'" : nil }
    let isEdit = has("every") && !has("wait")
    if name != name.lowercased(), has(name.lowercased()) { return "did you mean '--\(name.lowercased())'?" }
    switch name.lowercased() {
    case "hourly" where has("every"), "daily" where has("every"), "weekly" where has("every"),
      "monthly" where has("every"), "yearly" where has("every"):
      if let value, let both = CompletedSchedule(name, startingAt: value) { return "use \(both.flags)" }
      return "use '--every \(name.lowercased())'"
    case "all" where has("everything"): return "use '--everything'"
    case "pending" where verb == "list", "scheduled" where verb == "list": return "'suzu list' alone lists these"
    case "history" where verb == "list", "past" where verb == "list": return "use 'suzu history'"
    case "delete" where verb == "history", "purge" where verb == "history": return "use '--clear'"
    case "weekdays" where has("every"), "weekday" where has("every"), "days" where has("every"):
      if name.lowercased() != "days", let value, let both = CompletedSchedule("weekdays", startingAt: value) {
        return "use \(both.flags)"
      }
      return "use '--every', such as --every 'Mon,Tue 07:30'"
    case "v" where verb != "": return "use 'suzu --version'"
    case "app" where verb == "apps": return "APP is an argument, without a flag: suzu apps deny APP"
    case "times", "repetitions", "max": return use("count")
    case "tz", "timezone", "time-zone": return use("zone")
    case "button", "buttons", "actions": return use("action")
    case "sleep", "after", "delay": return use("in")
    case "when", "time", "date": return use("at")
    case "priority", "importance": return use("level")
    case "timeout": return use("expires")
    case "remind", "insist", "persist", "renotify", "again": return use("nag")
    case "command", "exec", "cmd": return use("run")
    case "open", "link", "click", "href": return use("url")
    case "input": return use("reply")
    case "sticky", "persistent": return has("style") ? "use '--style alert'" : nil
    case "critical", "urgent": return has("level") ? "use '--level critical'" : nil
    case "replace" where has("wait"), "replaces" where has("wait"), "name" where has("wait"): return use("id")
    case "shown" where has("delivered"), "active" where has("delivered"): return use("delivered")
    case "picture", "photo": return use("image")
    case "title", "titel", "tilte", "titles", "summary", "subject":
      return has("every") ? "TITLE is the \(isEdit ? "second" : "first") argument, without a flag" : nil
    case "body", "message", "text", "description":
      return has("every") ? "BODY is the \(isEdit ? "third" : "second") argument, without a flag" : nil
    case "at" where has("match"), "every" where has("match"), "rule" where has("match"), "in" where has("match"):
      return "the schedule is the argument, such as suzu next 'Mon 02:30'"
    case "id": return isEdit ? "an id cannot be changed" : "an id is an argument, without a flag"
    default: break
    }
    // A guess with a typing error.
    if !flags.contains(where: { name.distance(to: $0.name) <= 1 }),
      let near = name.misspelling(ofOneOf: ["button", "time", "times", "weekdays", "timezone", "timeout"]),
      near != name,
      let advice = advice(onFlag: near, among: flags, of: verb)
    {
      return advice
    }
    return owners(of: name, except: verb)
  }

  /// The verbs that have the flag; nil if that says nothing, because there are none or many.
  private static func owners(of flag: String, except verb: String) -> String? {
    let owners = Command.verbs.filter {
      $0.name != NotifyCommand.notifySendName && $0.flags.contains { $0.name == flag }
    }
    guard (1...4).contains(owners.count), owners.allSatisfy({ $0.name != verb }) else { return nil }
    let names = owners.map { "'suzu \($0.name)'" }
    let text = names.count == 1 ? names[0] : names.dropLast().joined(separator: ", ") + " and " + names[names.count - 1]
    return "only \(text) \(names.count == 1 ? "has" : "have") it"
  }
}
