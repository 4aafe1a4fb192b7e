// SPDX-License-Identifier: Apache-2.0

/// A button of a notification and its effect.
public struct Action: Hashable, Sendable, Codable {
  /// The id that handlers get.
  public var id: String
  /// The label of the button.
  public var title: String
  /// An icon name of the theme.
  public var icon: String?
  /// Whether the action opens a window: its program has no time limit, and does not run while the session is locked.
  public var foreground: Bool
  /// Whether the action is destructive and cannot be undone.
  public var destructive: Bool
  /// Whether the action waits for the session to be unlocked.
  public var authenticationRequired: Bool
  /// The line of text that the action asks for; nil for none.
  public var input: Input?
  /// The effect of a press; nil if the app that owns the request handles it.
  public var effect: Effect?
  /// Whether the action may run again if it was interrupted.
  public var retry: Bool

  /// The effect of an action.
  public enum Effect: Hashable, Sendable {
    /// Runs a program: its name or path, then its arguments, without a shell. Each may be a ``Template``.
    case run([String])
    /// Opens a URL, which may be a ``Template``.
    case url(String)
    /// Launches the app of a desktop entry: its id, or `id:action`.
    case launch(String)
    /// Calls a server.
    case http(HTTPCall)
    /// Shows the notification again after this time.
    case snooze(Duration)
    /// Shows the notification again at the time that the user chooses from these.
    case snoozeUntil([SnoozeTime])
  }

  /// A line of text that an action asks for.
  public struct Input: Hashable, Sendable, Codable {
    /// The placeholder of the empty line.
    public var placeholder: String?
    /// The label of the button that sends it.
    public var button: String?

    /// Creates a line of text.
    public init(placeholder: String? = nil, button: String? = nil) {
      self.placeholder = placeholder
      self.button = button
    }
  }

  /// The identifier of a click on the notification itself.
  public static let defaultID = "default"
  /// The identifier of a dismissal, for categories with `customDismiss`.
  public static let dismissID = "dismiss"
  /// The identifier under which an app gets a silent push, as if it were a response.
  package static let silentPushID = "content-available"
  /// The action that stands for a silent push: its app handles it.
  package static let silentPush = Action(id: silentPushID, title: "Silent push")
  /// The identifier of a click that should have opened the list of actions, which could not be shown.
  public static let listID = "list"

  /// Creates an action.
  public init(
    id: String, title: String, icon: String? = nil, foreground: Bool = false, destructive: Bool = false,
    authenticationRequired: Bool = false, input: Input? = nil, effect: Effect? = nil, retry: Bool = false
  ) {
    self.id = id
    self.title = title
    self.icon = icon
    self.foreground = foreground
    self.destructive = destructive
    self.authenticationRequired = authenticationRequired
    self.input = input
    self.effect = effect
    self.retry = retry
  }
}

extension Action {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case id, title, icon, foreground, destructive, authenticationRequired, input, run, url, launch, http, snooze, retry
  }

  private static let known = KnownKeys(CodingKeys.allCases.map(\.rawValue))

  /// Decodes and checks one entry of `actions`.
  public init(from decoder: any Decoder) throws {
    let fields = try RequestDecoder(of: decoder, known: Self.known)
    id = try fields.required("id", try fields.identifier("id"))
    title = try fields.text("title") ?? id
    icon = try fields.text("icon")
    foreground = try fields.flag("foreground") ?? false
    destructive = try fields.flag("destructive") ?? false
    authenticationRequired = try fields.flag("authenticationRequired") ?? false
    input = try fields.value("input", "a dictionary such as {\"placeholder\": \"Your answer\", \"button\": \"Send\"}")
    retry = try fields.flag("retry") ?? false
    effect = try Self.effect(fields)
    // The text that the user types would be taken for the choice.
    if input != nil, case .snoozeUntil = effect {
      throw RequestError(fields.name("input"), "cannot be combined with times in 'snooze', only with a duration")
    }
  }

  private static func effect(_ fields: RequestDecoder) throws -> Effect? {
    var effects: [(key: String, effect: Effect)] = []
    if let line = (try? fields.text("run")) ?? nil, line.utf8.count <= 60 {
      let words = line.split(separator: " ").map { "\"\($0)\"" }.joined(separator: ", ")
      throw RequestError(fields.name("run"), "must be a list of strings, not a string; write [\(words)]")
    }
    if let words = try fields.texts("run") { effects.append(("run", .run(try program(words, fields)))) }
    if let url = try fields.parsed("url", urlForm, checkURL) { effects.append(("url", .url(url))) }
    if let entry = try fields.parsed("launch", entryForm, checkEntry) { effects.append(("launch", .launch(entry))) }
    if let call: HTTPCall = try fields.value("http", #"a dictionary such as {"url": "https://example.org/"}"#) {
      effects.append(("http", .http(call)))
    }
    if let times = try snoozeTimes(fields) {
      effects.append(("snooze", .snoozeUntil(times)))
    } else if let delay = try fields.parsed("snooze", Duration.textForm, Duration.parse) {
      guard delay > .zero else { throw RequestError(fields.name("snooze"), "must be positive") }
      effects.append(("snooze", .snooze(delay)))
    }
    if effects.count > 1 {
      throw RequestError(
        fields.name(effects[1].key), "cannot be combined with '\(effects[0].key)': an action has one effect")
    }
    return effects.first?.effect
  }

  /// The times of a `snooze` that is a list, or a single time; nil if it is a duration, or none.
  private static func snoozeTimes(_ fields: RequestDecoder) throws -> [SnoozeTime]? {
    let value: PlainValue? = try fields.value("snooze", SnoozeTime.textForm)
    let name = fields.name("snooze")
    if case .text(let text)? = value, (try? Duration.parse(text)) == nil {
      do throws(RequestError) { return [try SnoozeTime(text)] } catch { throw error.about(name) }
    }
    guard case .list? = value, let texts = try fields.texts("snooze") else { return nil }
    guard 1...SnoozeTime.most ~= texts.count else {
      throw RequestError(name, "must have 1 to \(SnoozeTime.most) times, not \(texts.count)")
    }
    var times: [SnoozeTime] = []
    for (index, text) in texts.enumerated() {
      do throws(RequestError) {
        let time = try SnoozeTime(text)
        if times.contains(time) { throw RequestError("", "repeats \(text.quoted)") }
        times.append(time)
      } catch {
        throw error.about("\(name)[\(index)]")
      }
    }
    return times
  }

  private static func program(_ words: [String], _ fields: RequestDecoder) throws(RequestError) -> [String] {
    guard let program = words.first, !program.isEmpty, !words.contains(where: { $0.utf8.contains(0) }) else {
      throw RequestError(fields.name("run"), "must be a program and its arguments, such as [\"echo\", \"hello\"]")
    }
    for (index, word) in words.enumerated() {
      do throws(RequestError) {
        let template = try Template(word)
        guard index > 0 || !template.hasPlaces else {
          throw RequestError("", "must not contain \(word.quoted): it names the program, which is fixed")
        }
      } catch {
        throw RequestError("\(fields.name("run"))[\(index)]", error.problem)
      }
    }
    return words
  }

  private static let entryForm = "a desktop-entry id such as 'org.gnome.Calendar', or 'id:action'"

  private static func checkEntry(_ text: String) throws(RequestError) -> String {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let isGood = parts.allSatisfy { part in
      !part.isEmpty && !part.utf8.contains { $0 <= 32 || $0 == 127 || $0 == UInt8(ascii: "/") }
    }
    guard isGood, text.utf8.count <= 255, text.utf8.first != UInt8(ascii: ".") else {
      throw RequestError("", "must be \(entryForm), not \(text.quoted)")
    }
    return text
  }

  /// Encodes the entry with the same keys.
  public func encode(to encoder: any Encoder) throws { try plain.encode(to: encoder) }

  /// The entry as keys and values, without defaults.
  public var plain: PlainValue {
    var words: [String: PlainValue] = ["id": .text(id), "title": .text(title)]
    if let icon { words["icon"] = .text(icon) }
    if foreground { words["foreground"] = .flag(true) }
    if destructive { words["destructive"] = .flag(true) }
    if authenticationRequired { words["authenticationRequired"] = .flag(true) }
    if let input { words["input"] = input.plain }
    if retry { words["retry"] = .flag(true) }
    switch effect {
    case .run(let program): words["run"] = .list(program.map { .text($0) })
    case .url(let url): words["url"] = .text(url)
    case .launch(let entry): words["launch"] = .text(entry)
    case .http(let call): words["http"] = call.plain
    case .snooze(let delay): words["snooze"] = .text(delay.text)
    case .snoozeUntil(let times): words["snooze"] = .list(times.map { .text($0.text) })
    case nil: break
    }
    return .dictionary(words)
  }
}

extension Action.Input {
  /// Decodes and checks the entry `input` of an action.
  public init(from decoder: any Decoder) throws {
    let fields = try RequestDecoder(of: decoder, known: KnownKeys(["placeholder", "button"]))
    placeholder = try fields.text("placeholder")
    button = try fields.text("button")
  }

  /// Encodes the entry with the same keys.
  public func encode(to encoder: any Encoder) throws { try plain.encode(to: encoder) }

  var plain: PlainValue {
    var words: [String: PlainValue] = [:]
    if let placeholder { words["placeholder"] = .text(placeholder) }
    if let button { words["button"] = .text(button) }
    return .dictionary(words)
  }
}
