// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import CenterContract
internal import DBus
internal import EventLoop
internal import Freedesktop
internal import Glibc
internal import NotificationModel
internal import SystemFiles

extension Verb {
  static let doctor = Verb(
    name: "doctor", synopsis: "[--json] [--ssh [HOST]]", summary: "check what works here, and suggest fixes",
    flags: [
      Flag("json", nil, "print JSON"),
      Flag("ssh", nil, "print how programs of another machine reach this desktop"),
    ],
    examples: ["suzu doctor", "suzu doctor --json", "suzu doctor --ssh build"]
  ) { arguments, loop in
    if arguments.has("ssh") {
      Console.print(try SSHLines(arguments).text)
      return EX_OK
    }
    try arguments.refuseWords()
    let findings = await DoctorCommand(on: loop).examine()
    if arguments.has("json") {
      Console.print(PlainValue.list(findings.map(\.plainValue)).json)
    } else {
      let ink = Ink.output
      var isServer = false
      for finding in findings {
        // The findings about the server follow under one heading.
        if finding.isOfServer && !isServer { Console.print("What you get here:") }
        isServer = finding.isOfServer
        Console.print(finding.line(in: ink))
      }
    }
    return findings.contains { $0.state == .missing } ? EX_UNAVAILABLE : EX_OK
  }
}

/// The result of one check.
struct Finding: Equatable {
  enum State: String {
    /// It works.
    case good
    /// It works partly, or Suzu works without it.
    case degraded
    /// Nothing works without it.
    case missing
  }

  let what: String
  let state: State
  let text: String
  /// Whether the finding describes how the notification server shows notifications.
  var isOfServer = false

  /// The line for the terminal.
  func line(in ink: Ink = .none) -> String {
    let mark =
      switch state {
      case .good: ink.green("ok     ")
      case .degraded: ink.yellow("partly ")
      case .missing: ink.red("MISSING")
      }
    return (isOfServer ? "  " : "") + "\(mark)  \(what): " + PrintableText.line(text, atMost: 4096)
  }

  var plainValue: PlainValue {
    .dictionary(["what": .text(what), "state": .text(state.rawValue), "text": .text(text)])
  }
}

/// `suzu doctor`: checks everything between a request and a click, in that order.
struct DoctorCommand {
  private let loop: EventLoop

  init(on loop: EventLoop) {
    self.loop = loop
  }

  func examine() async -> [Finding] {
    let findings = await examineServers()
    return findings + [await PicturesFinding.find(on: loop)].compactMap(\.self)
  }

  private func examineServers() async -> [Finding] {
    let findings = await examineDesktop()
    if let home = await HomeFinding.find(on: loop) { return Self.eased(findings, by: home) }
    guard let terminal = await TerminalFinding.find(on: loop) else { return findings }
    return Self.eased(findings, by: terminal)
  }

  /// If something else shows notifications, what is missing for the desktop is not needed for everything.
  private static func eased(_ findings: [Finding], by other: Finding) -> [Finding] {
    if other.state != .good { return findings + [other] }
    return findings.map { $0.state == .missing ? Finding(what: $0.what, state: .degraded, text: $0.text) : $0 } + [
      other
    ]
  }

  private func examineDesktop() async -> [Finding] {
    let connection: Connection
    do {
      let address = try BusAddress.session()
      connection = try await Connection.open(address, on: loop)
    } catch {
      return [Finding(what: "session bus", state: .missing, text: "\(error)")] + LinkReport.findings + [
        xdgOpen, dialogs(nil),
      ]
    }
    var findings = [Finding(what: "session bus", state: .good, text: connection.address.text)]
    let properties = await centerProperties(connection)
    findings += await center(connection, properties) + LinkReport.findings
    // The server's findings come last, under their own heading.
    findings += [xdgOpen, dialogs(properties.flatMap { CenterFindings($0).dialogProblem })]
    findings += await server(connection, failure: properties.flatMap { CenterFindings($0).serverFailure })
    await connection.close()
    return findings
  }

  /// The properties of the center; nil if none answers.
  private func centerProperties(_ connection: Connection) async -> [String: Value]? {
    let center = RemoteObject(CenterBus.name, CenterBus.path, StandardInterfaces.properties, startsService: false)
    return try? await connection.call(
      StandardInterfaces.getAll, of: center, CenterBus.interface.text, limit: .seconds(2))
  }

  private func center(_ connection: Connection, _ properties: [String: Value]?) async -> [Finding] {
    if let properties, let version = properties["Version"]?.string {
      let runs = Finding(what: "center", state: .good, text: "suzud \(version) runs")
      return [runs] + CenterFindings(properties).findings
        + [await deniedApps(connection), await quietHours(connection), await speech(connection)].compactMap(\.self)
    }
    return [await absentCenter(CenterBus.name, connection)]
  }

  /// The apps whose notifications are not shown; nil if there are none.
  private func deniedApps(_ connection: Connection) async -> Finding? {
    let center = RemoteObject(CenterBus.name, CenterBus.path, CenterBus.interface, startsService: false)
    guard let apps = try? await connection.call(CenterMethods.apps, of: center, limit: .seconds(2)) else { return nil }
    return CenterFindings.denied(apps.map { AppSettings($0, of: "") })
  }

  /// The quiet hours of all apps; nil if there are none.
  private func quietHours(_ connection: Connection) async -> Finding? {
    let center = RemoteObject(CenterBus.name, CenterBus.path, CenterBus.interface, startsService: false)
    guard let words = try? await connection.call(CenterMethods.quiet, of: center, "", limit: .seconds(2)) else {
      return nil
    }
    return CenterFindings.quiet(QuietReport(words, of: nil))
  }

  /// Whether requests can be spoken that ask for it; nil if none of the next ones does.
  private func speech(_ connection: Connection) async -> Finding? {
    let center = RemoteObject(CenterBus.name, CenterBus.path, CenterBus.interface, startsService: false)
    guard let (next, _) = try? await connection.call(CenterMethods.pending, of: center, "", [:], limit: .seconds(2))
    else { return nil }
    return CenterFindings.speech(next.count { $0.values["speak"] == true }, isInstalled: Speaker.isInstalled)
  }

  private func absentCenter(_ name: BusName, _ connection: Connection) async -> Finding {
    if (try? await connection.owner(of: name)) ?? nil != nil {
      return Finding(what: "center", state: .missing, text: "a process owns '\(name)' but does not answer")
    }
    if (try? await connection.isActivatable(name)) == true {
      return Finding(what: "center", state: .good, text: "not running; the bus starts it when it is needed")
    }
    return Finding(
      what: "center", state: .missing,
      text: "not running, and the bus does not know how to start it; start 'suzud', or install Suzu completely")
  }

  // MARK: The notification server

  private func server(_ connection: Connection, failure: String?) async -> [Finding] {
    let server = NotificationServerClient(on: connection)
    guard let events = try? await server.events() else { return [noServer(isActivatable: false)] }
    for await event in events {
      switch event {
      case .appeared(let state):
        var settings = state.settings
        // GNOME's setting is read by a program, which only this command starts.
        if settings.isQuiet == nil { settings.isQuiet = await DoNotDisturb(on: connection).isOn() }
        return describe(state, settings)
      default: return [noServer(isActivatable: (try? await server.isActivatable()) ?? false, failure: failure)]
      }
    }
    return [noServer(isActivatable: false)]
  }

  private func noServer(isActivatable: Bool, failure: String? = nil) -> Finding {
    if isActivatable, let failure {
      return Finding(
        what: "notification server", state: .missing,
        text: "it does not start: \(failure); notifications wait: without a desktop, run 'suzu popups' in a terminal")
    }
    if isActivatable {
      return Finding(
        what: "notification server", state: .good, text: "not running; the bus starts it when it is needed")
    }
    return Finding(
      what: "notification server", state: .missing,
      text: "none; notifications wait for one: run 'suzu popups' in a terminal, or install one, "
        + "for instance: apt install dunst")
  }

  private func describe(_ state: ServerState, _ settings: ServerSettings) -> [Finding] {
    let information = state.information
    let names = state.capabilities.map(\.rawValue).sorted().joined(separator: " ")
    return [
      Finding(
        what: "notification server", state: .good,
        text: "\(information.name) \(information.version) by \(information.vendor)"),
      Finding(what: "capabilities", state: .good, text: names.isEmpty ? "none" : names),
    ]
      + ServerFindings(
        state.traits, settings, canAsk: Chooser.program != nil, canPrompt: Prompt.isAvailable
      ).all
  }

  // MARK: Programs

  /// Checks for a program that asks for a line of text, or for a choice if the server draws few buttons.
  ///
  /// - Parameter problem: why the center could not open a window if there is such a program.
  private func dialogs(_ problem: String?) -> Finding {
    if Prompt.isAvailable, let problem { return Finding(what: "dialogs", state: .degraded, text: problem) }
    if let program = Chooser.program {
      let text = program == "zenity" ? "zenity or kdialog" : program
      return Finding(what: "dialogs", state: .good, text: "shown with \(text)")
    }
    if Prompt.isAvailable {
      return Finding(
        what: "dialogs", state: .degraded,
        text:
          "kdialog asks for replies, but lists need 'suzu-window' or zenity: where a server draws no buttons, only a "
          + "click on the notification itself counts; get one with: apt install zenity")
    }
    return Finding(
      what: "dialogs", state: .degraded,
      text:
        "none of 'suzu-window', 'zenity' and 'kdialog' is installed: replies cannot be asked for, and where a server "
        + "draws no buttons, only a click on the notification itself counts; get one with: apt install zenity")
  }

  private var xdgOpen: Finding {
    if let path = ProgramSearch.current.path(of: "xdg-open") {
      return BrowserSearch(environment: ChildProcess.inheritedEnvironment()).finding(opener: path)
    }
    return Finding(
      what: "opening URLs", state: .degraded, text: "'xdg-open' is not installed; get it with: apt install xdg-utils")
  }
}
