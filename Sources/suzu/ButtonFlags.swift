// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// The flags that say what a button does: `--action ok=OK --run ok='touch /tmp/x'`.
///
/// Without an id, `--run`, `--url`, `--launch` and `--http` are about a click on the notification itself.
struct ButtonFlags {
  static let flags = [
    Flag("action", letter: "A", "[ID=]TITLE", isList: true, "add a button; may be repeated; -A implies --wait"),
    Flag("run", "[ID=]COMMAND", isList: true, "run a program"),
    Flag("url", "[ID=]URL", isList: true, "open a URL"),
    Flag("launch", "[ID=]APP", completing: .apps, isList: true, "launch an app"),
    Flag("http", "[ID=]URL", isList: true, "call a server; 'PUT URL' for another method than POST"),
    Flag("http-header", "ID=HEADER", isList: true, "with --http: send this: 'NAME: VALUE'"),
    Flag("http-body", "ID=TEXT", isList: true, "with --http: send this text, or JSON"),
    Flag("snooze", "ID=DURATION,…", isList: true, "show it again then; of several times, ask for one"),
    Flag("reply", "ID=TEXT", isList: true, "ask for a line of text; TEXT says what to type"),
  ]

  /// The id of a click on the notification itself.
  private static let click = "default"

  private let mustHaveIDs: Bool
  /// Whether a flag may name a button that the request has already, as in `suzu edit`.
  private let mayNameOthers: Bool
  private var actions: [[String: PlainValue]] = []
  /// The URL of a click on the notification itself.
  private(set) var url: String?

  /// - Parameter mustHaveIDs: whether each flag must name a button, as in a category. If not, a button without an id
  ///   gets its number, from 0.
  /// - Parameter editing: whether a flag may name a button of the stored request, unless all buttons are replaced. Such
  ///   a button gets no title here.
  init(_ arguments: Arguments, mustHaveIDs: Bool = false, editing: Bool = false) throws(CommandError) {
    self.mustHaveIDs = mustHaveIDs
    mayNameOthers = editing && arguments.all("action").isEmpty
    for (number, text) in arguments.all("action").enumerated() {
      let (id, title) =
        mustHaveIDs || text.contains("=")
        ? try Self.pair(text, "action", mustHaveIDs ? "ID=TITLE" : "[ID=]TITLE") : (String(number), text)
      if title.allSatisfy(\.isWhitespace) {
        let id = PrintableText.line(id, atMost: 60)
        throw .usage("'--action \(PrintableText.line(text, atMost: 60))' needs a title: --action \(id)=TITLE")
      }
      actions.append(["id": .text(id), "title": .text(title)])
    }
    for text in arguments.all("run") { try addRun(text) }
    for text in arguments.all("url") { try addURL(text) }
    for text in arguments.all("launch") { try addLaunch(text) }
    for text in arguments.all("http") { try addCall(text) }
    for text in arguments.all("http-header") { try addHeader(text) }
    for text in arguments.all("http-body") {
      let (id, body) = try Self.pair(text, "http-body", #"ID=TEXT, such as on='{"light": true}'"#)
      try changeCall(of: id, "http-body") { call throws(CommandError) in
        if call["body"] != nil { throw Self.twice("http-body", of: id) }
        // A string or a number is a text, as it was typed.
        switch try? JSONReader.read(body) {
        case .list(let values)?: call["body"] = .list(values)
        case .dictionary(let values)?: call["body"] = .dictionary(values)
        default: call["body"] = .text(body)
        }
      }
    }
    for text in arguments.all("snooze") {
      let (id, times) = try Self.pair(text, "snooze", "ID=DURATION, such as later=10m")
      try set("snooze", Self.snooze(times), of: id, "snooze")
    }
    for text in arguments.all("reply") {
      let (id, placeholder) = try Self.pair(text, "reply", "ID=TEXT, such as answer='Your answer'")
      try set("input", .dictionary(["placeholder": .text(placeholder)]), of: id, "reply")
    }
  }

  /// The value of `actions`; nil if there are none.
  var value: PlainValue? { actions.isEmpty ? nil : .list(actions.map { .dictionary($0) }) }

  private mutating func addRun(_ text: String) throws(CommandError) {
    let (id, command) = target(of: text)
    if id == nil, mustHaveIDs { throw needsID("run", text) }
    let words = try CommandWords.split(command, of: "--run \(PrintableText.line(text, atMost: 60))")
    // An assignment before a program is the shell's.
    if id == nil, let first = words.first, let equals = first.firstIndex(of: "=") {
      throw missing(String(first[..<equals]), "run", text)
    }
    let program = words[0].split(separator: "/").last.map(String.init) ?? words[0]
    try set("run", .list(words.map { .text($0) }), of: id ?? Self.click, "run", title: "Run \(program)")
  }

  private mutating func addURL(_ text: String) throws(CommandError) {
    let (id, url) = target(of: text)
    if let id { return try set("url", .text(url), of: id, "url") }
    // A URL has a scheme before any '='.
    if let equals = text.firstIndex(of: "="), mustHaveIDs || !text[..<equals].contains(":") {
      throw missing(String(text[..<equals]), "url", text)
    }
    if mustHaveIDs { throw needsID("url", text) }
    if self.url != nil { throw Self.twice("url", of: Self.click) }
    let own = actions.first { $0["id"] == .text(Self.click) }
    if let other = Self.effects.first(where: { own?[$0] != nil }) { throw Self.conflict(other, "url", of: Self.click) }
    self.url = text
  }

  private mutating func addLaunch(_ text: String) throws(CommandError) {
    let (id, app) = target(of: text)
    if id == nil, mustHaveIDs { throw needsID("launch", text) }
    if id == nil, let equals = text.firstIndex(of: "=") { throw missing(String(text[..<equals]), "launch", text) }
    try set("launch", .text(app), of: id ?? Self.click, "launch", title: "Open")
  }

  private mutating func addCall(_ text: String) throws(CommandError) {
    let (id, call) = target(of: text)
    if id == nil, mustHaveIDs { throw needsID("http", text) }
    // A URL has a scheme before any '='.
    if id == nil, let equals = text.firstIndex(of: "="), !text[..<equals].contains(":") {
      throw missing(String(text[..<equals]), "http", text)
    }
    var words: [String: PlainValue] = ["url": .text(call)]
    if let blank = call.firstIndex(of: " "), !call[..<blank].contains(":") {
      words = [
        "method": .text(call[..<blank].uppercased()), "url": .text(String(call[call.index(after: blank)...])),
      ]
    }
    try set("http", .dictionary(words), of: id ?? Self.click, "http", title: "Send")
  }

  private mutating func addHeader(_ text: String) throws(CommandError) {
    let form = "ID='NAME: VALUE', such as on='X-Reason: suzu'"
    let (id, header) = try Self.pair(text, "http-header", form, isSecret: true)
    guard let colon = header.firstIndex(of: ":") else {
      throw .usage("'--http-header \(PrintableText.line(id, atMost: 60))=…' must be \(form)")
    }
    let name = String(header[..<colon])
    let value = header[header.index(after: colon)...].drop { $0 == " " }
    try changeCall(of: id, "http-header") { call throws(CommandError) in
      var headers: [String: PlainValue] = if case .dictionary(let headers)? = call["headers"] { headers } else { [:] }
      if headers[name] != nil { throw Self.twice("http-header", of: id) }
      headers[name] = .text(String(value))
      call["headers"] = .dictionary(headers)
    }
  }

  /// Changes the call of a button, which `--http` has given it.
  private mutating func changeCall(
    of id: String, _ flag: String, _ change: (inout [String: PlainValue]) throws(CommandError) -> Void
  ) throws(CommandError) {
    guard let index = actions.firstIndex(where: { $0["id"] == .text(id) }),
      case .dictionary(var call)? = actions[index]["http"]
    else {
      let id = PrintableText.line(id, atMost: 60)
      throw .usage("'--\(flag) \(id)=…' needs a call: --http \(id)=URL")
    }
    try change(&call)
    actions[index]["http"] = .dictionary(call)
  }

  /// The button that the text begins with, and the rest.
  private func target(of text: String) -> (id: String?, rest: String) {
    guard let equals = text.firstIndex(of: "=") else { return (nil, text) }
    let id = String(text[..<equals])
    let isKnown = id == Self.click || actions.contains { $0["id"] == .text(id) }
    // A URL has a scheme before any '='.
    let isOther = mayNameOthers && !id.isEmpty && !id.contains { $0 == ":" || $0.isWhitespace }
    return isKnown || isOther ? (id, String(text[text.index(after: equals)...])) : (nil, text)
  }

  private static let effects = ["run", "url", "launch", "http", "snooze"]

  /// - Parameter title: the label of a click on the notification itself.
  private mutating func set(
    _ key: String, _ value: PlainValue, of id: String, _ flag: String, title: String? = nil
  ) throws(CommandError) {
    if id == Self.click, !mustHaveIDs, !actions.contains(where: { $0["id"] == .text(id) }) {
      actions.append(["id": .text(id), "title": .text(title ?? "Open")])
    }
    if mayNameOthers, !actions.contains(where: { $0["id"] == .text(id) }) { actions.append(["id": .text(id)]) }
    guard let index = actions.firstIndex(where: { $0["id"] == .text(id) }) else {
      throw missing(id, flag, "\(id)=…")
    }
    if let other = (key == "input" ? ["input"] : Self.effects).first(where: { actions[index][$0] != nil }) {
      throw other == key ? Self.twice(flag, of: id) : Self.conflict(other, flag, of: id)
    }
    if id == Self.click, url != nil, key != "input" { throw Self.conflict("url", flag, of: id) }
    actions[index][key] = value
  }

  /// A duration, or a list of times, separated by commas.
  private static func snooze(_ text: String) -> PlainValue {
    let times = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
      var part = part.drop { $0 == " " }
      while part.last == " " { part.removeLast() }
      return String(part)
    }
    return times.count > 1 ? .list(times.map { .text($0) }) : .text(text)
  }

  private static func twice(_ flag: String, of id: String) -> CommandError {
    .usage("'--\(flag)' is given twice for \(name(of: id))")
  }

  private static func conflict(_ one: String, _ other: String, of id: String) -> CommandError {
    .usage("\(name(of: id)) can do one thing; '--\(one)' and '--\(other)' cannot be combined")
  }

  private static func name(of id: String) -> String {
    id == click ? "a click on the notification" : "the button '\(id)'"
  }

  private func needsID(_ flag: String, _ text: String) -> CommandError {
    if let equals = text.firstIndex(of: "=") { return missing(String(text[..<equals]), flag, text) }
    return .usage("'--\(flag) \(PrintableText.line(text, atMost: 60))' must name a button: --\(flag) ID=…")
  }

  private func missing(_ id: String, _ flag: String, _ text: String) -> CommandError {
    let known: [String] = actions.compactMap { if case .text(let id)? = $0["id"] { id } else { nil } }
    // A button without an id has its number.
    if actions.enumerated().contains(where: { $1["title"] == .text(id) && $1["id"] == .text(String($0)) }) {
      return .usage(Self.idless(id))
    }
    let near = suggestion(for: id, among: known)
    let hint = near.isEmpty ? "; add --action \(PrintableText.line(id, atMost: 60))='…' for it" : near
    return .usage(
      "'--\(flag) \(PrintableText.line(text, atMost: 60))': no button has the id '\(PrintableText.line(id, atMost: 60))'\(hint)"
    )
  }

  /// The text for a button that has a title and no id.
  private static func idless(_ title: String) -> String {
    let (typed, id) = named(title)
    return "the button '\(PrintableText.line(title, atMost: 60))' has no id; write --action \(id)=\(typed)"
  }

  /// A title as a shell takes it, and an id made of its first word.
  static func named(_ title: String) -> (title: String, id: String) {
    let word = title.lowercased().prefix { $0.isLetter || $0.isNumber }
    let typed = PrintableText.line(title, atMost: 60)
    let isPlain = title.allSatisfy { $0.isLetter || $0.isNumber }
    return (isPlain ? typed : "'\(typed)'", word.isEmpty ? "ID" : String(word))
  }

  /// - Parameter isSecret: whether an error does not quote the text.
  private static func pair(
    _ text: String, _ flag: String, _ form: String, isSecret: Bool = false
  ) throws(CommandError) -> (String, String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else {
      throw .usage("'--\(flag) \(isSecret ? "…" : text)' must be \(form)")
    }
    return (String(parts[0]), String(parts[1]))
  }
}
