// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// How a unit ended, as its notification says it.
struct UnitReport {
  let unit: String
  let isSystem: Bool
  let result: UnitResult
  /// The last line that it has logged.
  var lastLine: String?
  /// The words that open a terminal; nil if none is installed.
  var terminal: [String]?
  var mute = usualMute

  static let usualMute: Duration = .seconds(3600)

  init(unit: String, isSystem: Bool, result: UnitResult) {
    self.unit = unit
    self.isSystem = isSystem
    self.result = result
  }

  /// Whether the text can be the name of a unit:
  /// https://www.freedesktop.org/software/systemd/man/latest/systemd.unit.html
  static func isName(_ text: String) -> Bool {
    let types = [
      "service", "socket", "device", "mount", "automount", "swap", "target", "path", "timer", "slice", "scope",
    ]
    guard text.utf8.count <= 255, let dot = text.lastIndex(of: "."), dot != text.startIndex,
      types.contains(String(text[dot...].dropFirst()))
    else { return false }
    return text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: ":-_.\\@".utf8.contains(byte)
      }
    }
  }

  /// The same for every end of the unit, so that a newer one takes the place of the last.
  var id: String { (isSystem ? "system-unit-" : "unit-") + unit }

  var request: [String: PlainValue] {
    var request: [String: PlainValue] = [
      "id": .text(requestID), "title": .text(unit + (result.hasFailed ? " failed" : " finished")),
      "icon": .text(result.hasFailed ? "dialog-error" : "dialog-information"), "thread": .text("units"),
      "actions": .list(actions.map { .dictionary($0) }),
      "userInfo": .dictionary(["unit": .text(unit), "result": .text(result.result), "status": .text(result.status)]),
    ]
    let body = [sentence, lastLine].compactMap(\.self).joined(separator: "\n")
    if !body.isEmpty { request["body"] = .text(body) }
    return request
  }

  /// A name of a unit can be as long as an id, and then has no room before it.
  private var requestID: String { String(id.prefix(255)) }

  private var sentence: String? {
    switch result.result {
    case "success": nil
    case "exit-code": result.status.isEmpty ? "it has failed" : "exit status \(result.status)"
    case "signal", "core-dump": result.status.isEmpty ? "a signal ended it" : "ended by signal \(result.signal)"
    case "timeout": "it took too long"
    case "watchdog": "it did not answer its watchdog"
    case "oom-kill": "the memory was used up"
    case "start-limit-hit": "it was started too often in a short time"
    case "resources": "a resource was missing"
    case "protocol": "it did not say that it had started"
    case "exec-condition": "its condition was not met"
    case "failed": nil
    default: PrintableText.line(result.result, atMost: 60)
    }
  }

  private var actions: [[String: PlainValue]] {
    let manager = isSystem ? [] : ["--user"]
    var actions: [[String: PlainValue]] = []
    func add(_ id: String, _ title: String, _ words: [String], _ key: String) {
      actions.append([
        "id": .text(id), "title": .text(title), "run": .list(words.map { .text($0) }), key: .flag(true),
      ])
    }
    if unit.hasSuffix(".service") {
      add(
        "restart", "Restart", ["systemctl"] + manager + ["restart", "--no-block", "--", unit], "authenticationRequired")
    }
    if let terminal {
      let field = isSystem ? "--unit" : "--user-unit"
      add("log", "Log", terminal + ["journalctl"] + manager + ["--pager-end", "\(field)=\(unit)"], "foreground")
    }
    actions.append([
      "id": .text("mute"), "title": .text("Mute for \(mute.text)"),
      "run": .list([RunButtons.ownProgram, "mute", requestID, mute.text].map { .text($0) }),
    ])
    return actions
  }
}
