// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import Freedesktop
internal import NotificationModel
internal import SystemFiles

/// What keeps an accepted request from being seen, or one of its buttons from working, as far as it is known at once.
/// The command says so, instead of leaving it to the history.
struct Obstacles {
  let center: Center
  /// Only requests with buttons need it, and the others must not wait for it.
  private let environment: @Sendable () -> [String: String]

  init(_ center: Center, environment: @escaping @Sendable () -> [String: String]) {
    self.center = center
    self.environment = environment
  }

  /// One line for each.
  ///
  /// - Parameters:
  ///   - waits: whether the command waits for the end, which says if the app is not allowed, and for the answer.
  ///   - isFromFile: whether a file gave the request.
  ///   - isQuestion: whether a program waits for the answer, so that quiet hours do not hold it.
  func lines(
    for words: [String: PlainValue], waits: Bool, isFromFile: Bool, isQuestion: Bool = false
  ) async -> [String] {
    if let level = Self.levelIfPlain(words) {
      return await lines(for: NotifyCommand.app(of: words), waits: waits, level: isQuestion ? nil : level, isNow: true)
    }
    guard let request = try? NotificationRequest(words) else { return [] }
    let app = request.app.text
    var lines = await lines(
      for: app, waits: waits, level: isQuestion ? nil : request.content.level, isNow: request.schedule.isNow)
    if request.content.speak, !Speaker.isInstalled {
      lines.append("it will not be spoken: install speech-dispatcher, and a voice such as espeak-ng")
    }
    let actions = await actions(of: request, app)
    if actions.isEmpty { return lines }
    if !waits, let line = Self.misplaced(actions, of: request) { lines.append(line) }
    if !waits, let line = Self.idle(actions, of: request, isFromFile: isFromFile) { lines.append(line) }
    let environment = environment()
    return lines + Self.gaps(in: actions, of: request) + Self.unopenedURLs(of: actions, environment)
      + Self.missingPrograms(of: actions, environment)
  }

  /// The level, if the request comes at once and has no buttons, so that it need not be decoded here: that would take
  /// longer than to send it.
  private static func levelIfPlain(_ words: [String: PlainValue]) -> NotificationRequest.Level? {
    guard words.keys.allSatisfy({ plainKeys.contains($0) }) else { return nil }
    guard case .text(let text)? = words["level"] else { return .active }
    return NotificationRequest.Level(rawValue: text)
  }

  private static let plainKeys = ["title", "subtitle", "body", "app", "appName", "id", "icon", "level", "style"]

  /// Those that do not depend on the contents.
  ///
  /// - Parameter level: nil if quiet hours do not hold it.
  private func lines(
    for app: String, waits: Bool, level: NotificationRequest.Level?, isNow: Bool
  ) async -> [String] {
    async let denial = waits ? nil : denial(of: app)
    async let quiet = isNow ? quietHours(hold: app, level) : nil
    async let server = isNow ? center.serverStatus() : .present
    var lines: [String] = []
    if let denial = await denial { lines.append(denial) }
    if let quiet = await quiet { lines.append(quiet) }
    switch try? await server {
    case .absent: lines.append("no notification server runs, so the request waits for one; see 'suzu doctor'")
    case .failed(let why):
      lines.append("the notification server does not start, so the request waits for one: \(why); see 'suzu doctor'")
    case .present, nil: break
    }
    return lines
  }

  /// A line about quiet hours that hold a request which is due now; nil if they do not.
  private func quietHours(hold app: String, _ level: NotificationRequest.Level?) async -> String? {
    guard let level, let report = try? await center.quiet(app: app), let end = report.end, !report.limit.lets(level)
    else { return nil }
    let louder = report.limit == .timeSensitive ? "; to see it at once, add --level timeSensitive" : ""
    return "quiet hours hold it \(QuietText(time: .current()).until(end))\(louder)"
  }

  /// A line about the user's decision not to see anything of this app; nil if there is none.
  func denial(of app: String) async -> String? {
    guard (try? await center.deniesAlerts(app: app)) == true else { return nil }
    return "'\(app)' may not show notifications; to allow it, run 'suzu apps allow \(app)'"
  }

  /// The buttons of the request or of its category, and the click on the notification itself.
  private func actions(of request: NotificationRequest, _ app: String) async -> [Action] {
    let content = request.content
    var actions = content.actions
    if actions.isEmpty, let name = content.category?.text {
      let categories = (try? await center.categories(app: app)) ?? []
      actions = categories.first { $0.category.id.isIdentical(to: name) }?.category.actions ?? []
    }
    if let url = content.url { actions.append(Action(id: Action.defaultID, title: "", effect: .url(url))) }
    return actions
  }

  /// A line about buttons that only close the notification; nil if one of them does more. One button for *no* beside
  /// others is fine.
  static func idle(_ actions: [Action], of request: NotificationRequest, isFromFile: Bool = false) -> String? {
    // The buttons of another app are for that app, and an answer ends what is shown again and again.
    guard request.app == .suzu, request.content.nag == nil, let first = actions.first,
      actions.allSatisfy({ $0.effect == nil && $0.input == nil })
    else { return nil }
    let id = PrintableText.line(first.id, atMost: 60)
    // Its number was made up, and says nothing to the user.
    if actions.count == 1, first.id == "0", !isFromFile, request.content.category == nil {
      let (title, id) = ButtonFlags.named(first.title)
      return
        "the button '\(PrintableText.line(first.title, atMost: 60))' has no id and only closes the notification; to "
        + "do more, write --action \(id)=\(title) --run \(id)=COMMAND, or print the answer with --wait"
    }
    let buttons =
      actions.count == 1
      ? "the button '\(id)' only closes the notification" : "no button does more than close the notification"
    let remedy =
      if let category = request.content.category?.text, request.content.actions.isEmpty {
        "give the actions of the category '\(PrintableText.line(category, atMost: 60))' a 'run', 'url', 'launch', 'http' or 'snooze'"
      } else if isFromFile {
        "give its action a 'run', 'url', 'launch', 'http' or 'snooze'"
      } else {
        "to do more, add --run \(CommandWords.quoted(id + "=COMMAND")), --url, --launch, --http or --snooze"
      }
    return "\(buttons); \(remedy), or print the answer with --wait"
  }

  /// A line about the only button, which does nothing, while a click on the notification does what was probably meant
  /// for the button; nil if that is not so.
  static func misplaced(_ actions: [Action], of request: NotificationRequest) -> String? {
    let buttons = actions.filter { $0.id != Action.defaultID }
    guard request.app == .suzu, request.content.category == nil, buttons.count == 1, let button = buttons.first,
      button.effect == nil, button.input == nil,
      let flag = actions.first(where: { $0.id == Action.defaultID })?.effect.flatMap(Self.flag(of:))
    else { return nil }
    let title = PrintableText.line(button.title, atMost: 60)
    var remedy = "--\(flag) \(PrintableText.line(button.id, atMost: 60))=…"
    if button.id == "0" {
      let named = ButtonFlags.named(button.title)
      remedy = "--action \(named.id)=\(named.title) --\(flag) \(named.id)=…"
    }
    return "the button '\(title)' only closes the notification: '--\(flag)' without an id is for a click on the "
      + "notification itself; did you mean \(remedy)?"
  }

  /// The flag that gives an action this effect; nil if it needs an id.
  private static func flag(of effect: Action.Effect) -> String? {
    switch effect {
    case .run: "run"
    case .url: "url"
    case .launch: "launch"
    case .http: "http"
    default: nil
    }
  }

  /// The placeholders that will have no value.
  static func gaps(in actions: [Action], of request: NotificationRequest) -> [String] {
    actions.flatMap { action in
      let texts: [String] =
        switch action.effect {
        case .run(let words): words
        case .url(let url): [url]
        case .http(let call): call.templates
        default: []
        }
      var known = Set(request.content.userInfo.keys)
      return texts.flatMap { (try? Template($0).userInfoKeys) ?? [] }.filter { known.insert($0).inserted }.map { key in
        "\(Self.name(of: action)) will fail, because it needs {userInfo.\(key)}; add --user-info \(key)=VALUE"
      }
    }
  }

  /// Users do not know the id of a click.
  private static func name(of action: Action) -> String {
    action.id == Action.defaultID
      ? "a click on the notification" : "the action '\(PrintableText.line(action.id, atMost: 60))'"
  }

  /// The apps and programs that are not installed.
  private static func missingPrograms(of actions: [Action], _ environment: [String: String]) -> [String] {
    let applications = InstalledApplications(environment: environment)
    let search = ProgramSearch(path: environment["PATH"])
    return actions.compactMap { action in
      switch action.effect {
      case .launch(let name):
        let app = String(name.prefix { $0 != ":" })
        let found: DesktopEntry?
        // An entry that cannot be read is another matter.
        do throws(DesktopEntryError) { found = try applications.entry(app) } catch { return nil }
        guard let found else {
          return "\(Self.name(of: action)) will fail, because no app '\(app)' is installed"
            + AppGuess.hint(for: app, environment: environment)
        }
        if found.needsTerminal {
          return "\(Self.name(of: action)) will fail, because the app '\(app)' needs a terminal"
        }
        let own = String(name.dropFirst(app.count + 1))
        guard name.count > app.count, !found.actions.contains(where: { $0.id == own }) else { return nil }
        let known = found.actions.map { "'\(PrintableText.line($0.id, atMost: 60))'" }.joined(separator: ", ")
        return "\(Self.name(of: action)) will fail, because the app '\(app)' has no action '\(own)'; "
          + (known.isEmpty ? "it has none: leave out ':\(own)'" : "it has \(known)")
      case .run(let words):
        // A placeholder may stand for any program.
        guard let program = words.first, !program.contains("{"), search.path(of: program) == nil else { return nil }
        let reason = program.contains("/") ? "there is no program '\(program)'" : "no program '\(program)' is in PATH"
        return "\(Self.name(of: action)) will fail, because \(reason)"
      default: return nil
      }
    }
  }

  /// The URLs that a click will not open.
  private static func unopenedURLs(of actions: [Action], _ environment: [String: String]) -> [String] {
    let settings = try? SettingsFolder(environment: environment)
    return actions.compactMap { action in
      guard case .url(let url) = action.effect else { return nil }
      return OpenedURL(url, environment: environment, settings: settings).obstacle(of: Self.name(of: action))
    }
  }
}
