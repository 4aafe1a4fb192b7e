// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import NotificationModel

/// How a command ended, as its notification says it.
struct RunReport {
  let words: [String]
  /// The text that names the command, instead of its words.
  var title: String?
  let ending: RunningCommand.Ending
  let time: Duration
  /// The last line of its errors.
  var lastLine: String?
  /// The keys that flags gave.
  var looks: [String: PlainValue] = [:]
  /// What the buttons are, if any.
  var buttons: PlainValue?
  /// What a click on the notification opens.
  var url: String?
  var folder: String?

  /// Whether the command failed. The end of its reader is no failure: `… | head` ends a command so.
  var hasFailed: Bool { !(status == 0 || ending == .signalled(SIGPIPE)) }

  /// As a shell says it.
  var status: Int32 {
    switch ending {
    case .exited(let status), .notStarted(_, let status): status
    case .signalled(let signal): 128 + signal
    }
  }

  /// Names the command in a title.
  static func name(_ words: [String], title: String?) -> String {
    let line = title ?? words.map(CommandWords.quoted).joined(separator: " ")
    return PrintableText.line(line, atMost: longestName)
  }

  private static let longestName = 80

  var request: [String: PlainValue] {
    let name = Self.name(words, title: title)
    var request = looks
    request["title"] = .text(name + (hasFailed ? " failed" : " finished"))
    request["body"] = .text([sentence, lastLine].compactMap(\.self).joined(separator: "\n"))
    if request["icon"] == nil { request["icon"] = .text(hasFailed ? "dialog-error" : "utilities-terminal") }
    request["actions"] = buttons
    if let url { request["url"] = .text(url) }
    var info: [String: PlainValue] = ["status": .integer(Int64(status)), "took": .text(took)]
    if !words.isEmpty { info["command"] = .text(PrintableText.line(words.joined(separator: " "), atMost: 1000)) }
    info["folder"] = folder.map { .text($0) }
    request["userInfo"] = .dictionary(info)
    return request
  }

  private var sentence: String {
    switch ending {
    case .exited(0), .signalled(SIGPIPE): "took \(took)"
    case .exited(let status): "exit status \(status) after \(took)"
    case .signalled(let signal): "ended by signal \(signal) (\(String(cString: strsignal(signal)))) after \(took)"
    case .notStarted(let why, _): why
    }
  }

  /// In units that a person reads.
  private var took: String {
    if time < .seconds(1) { return Duration.milliseconds(time.components.attoseconds / 1_000_000_000_000_000).text }
    let seconds = time.components.seconds
    return Duration.seconds(time < .seconds(86400) ? seconds : seconds / 60 * 60).text
  }
}
