// SPDX-License-Identifier: Apache-2.0

/// What a terminal can do with OSC 99, as its answer to the question says.
struct TerminalFeatures: Equatable {
  var hasBody = true
  var hasButtons = false
  /// Whether it reports a click.
  var reportsClicks = false
  /// Whether it reports that a notification was closed.
  var reportsEnd = false
  var hasUrgency = false
  var hasSounds = false
  /// Whether it closes a notification after a time.
  var expires = false

  /// A terminal that answers nothing: a title and a body.
  static let basic = TerminalFeatures()

  init() {}

  /// Reads `p=title,body:a=report:c=1…`; unknown keys mean nothing.
  init(answer: String) {
    var values: [Substring: [Substring]] = [:]
    for pair in answer.prefix(1024).split(separator: ":") {
      guard let equals = pair.firstIndex(of: "=") else { continue }
      values[pair[..<equals]] = pair[pair.index(after: equals)...].split(separator: ",")
    }
    let payloads = values["p"] ?? []
    hasBody = payloads.contains("body")
    hasButtons = payloads.contains("buttons")
    reportsClicks = values["a"]?.contains("report") == true
    reportsEnd = values["c"] == ["1"]
    hasUrgency = values["u"]?.contains("2") == true
    hasSounds = values["s"]?.isEmpty == false
    expires = values["w"] == ["1"]
  }

  /// For people: `title, body, urgency, buttons and answers`.
  var text: String {
    var words = ["title"]
    if hasBody { words.append("body") }
    if hasUrgency { words.append("urgency") }
    if hasSounds { words.append("sound") }
    if expires { words.append("time limit") }
    if hasButtons && reportsClicks { words.append("buttons") }
    if reportsClicks { words.append("answers") }
    return words.dropLast().joined(separator: ", ") + (words.count > 1 ? " and " : "") + (words.last ?? "")
  }
}
