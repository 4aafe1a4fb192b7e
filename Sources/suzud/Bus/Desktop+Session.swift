// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
internal import EventLoop
internal import Freedesktop
internal import NotificationModel

extension Desktop {
  /// The desktop of the running session.
  static func real(on connection: Connection) -> Desktop {
    let applications = ApplicationLauncher()
    var desktop = Desktop()
    desktop.identify = { caller in
      Rights(await CallerIdentification().identify(caller.name, on: connection))
    }
    desktop.session = Session(on: connection)
    desktop.quiet = Quiet(on: connection)
    desktop.dialogs = Dialogs(on: connection.loop)
    desktop.apps = Apps(applications, on: connection)
    desktop.urls = URLs(applications, on: connection)
    desktop.signs = Signs(on: connection)
    return desktop
  }
}

extension Desktop.Session {
  fileprivate init(on connection: Connection) {
    let lock = SessionLock(on: connection)
    isLocked = { await lock.isLocked() }
    unlocked = { await lock.unlocked(within: $0) }
  }
}

extension Desktop.Quiet {
  fileprivate init(on connection: Connection) {
    let desktop = DoNotDisturb(on: connection)
    isOn = { await desktop.isOn() }
    ended = { await desktop.ended(within: $0) }
  }
}

extension Desktop.Dialogs {
  fileprivate init(on loop: EventLoop) {
    canAsk = { Chooser.program != nil }
    choose = { heading, labels, token in
      let chooser = Chooser(
        title: heading.app, heading: heading.text, text: heading.notification, choices: labels)
      switch await chooser.ask(activationToken: token, on: loop) {
      case .chosen(let index): return .chosen(index)
      case .cancelled, .closed: return .cancelled
      case .failed(let why):
        Log.warning("could not show a list of actions", why)
        return .unavailable(Self.explained(why))
      case .unavailable: return .unavailable(Desktop.Dialogs.noList)
      }
    }
    prompt = { heading, input, token in
      let text = heading.question(input, isReadByOthers: OtherPeople().arePresent())
      let prompt = Prompt(
        title: heading.app, text: text,
        question: Prompt.Question(text: heading.notification, hint: input.placeholder, button: input.button))
      return switch await prompt.ask(activationToken: token, on: loop) {
      case .answered(let text): .text(text)
      case .cancelled, .closed: .cancelled
      case .failed(let why): .unavailable(Self.explained(why))
      case .unavailable: .unavailable("no dialog program is installed: install 'suzu-window', zenity or kdialog")
      }
    }
  }

  /// The failure of a dialog program, with its most frequent cause.
  private static func explained(_ why: String) -> String {
    Display.isKnown ? why : "\(why); the center has no display: see 'suzu doctor'"
  }
}

extension Desktop.Apps {
  /// How long an app that a click starts may take: to start, which the bus limits as well, and to handle the response.
  private static let startLimit: Duration = .seconds(120)

  fileprivate init(_ applications: ApplicationLauncher, on connection: Connection) {
    isActivatable = { app in
      guard let application = BusApplication(app) else { return false }
      return (try? await application.canBeReached(on: connection)) ?? false
    }
    activate = { app, action, response, token in
      guard let application = BusApplication(app) else { return nil }
      do throws(CallError) {
        try await application.activateAction(
          action, parameters: [.properties(response.properties)], activationToken: token, on: connection,
          limit: Self.startLimit)
        return .done
      } catch {
        if case .refused(let refusal) = error, refusal.name == HandlerBus.failure {
          return .failed(DisplayText.line(refusal.message))
        }
        return error.meansNoApplication ? nil : .failed("\(app): \(error)")
      }
    }
    changesPushes = { app in
      guard BusApplication(app) != nil, let entry = try? applications.applications.entry(app) else { return false }
      return entry.isBusActivatable && entry.changesPushes
    }
    start = { app in
      guard let application = BusApplication(app) else { return .failed }
      return switch try? await connection.call(BusMethods.startService, of: .bus, application.name, 0) {
      case nil: .failed
      // DBUS_START_REPLY_SUCCESS
      case 1: .started
      default: .runs
      }
    }
    name = { app in
      guard let entry = try? applications.applications.entry(app) else { return nil }
      return entry.name?.text(in: MessageLanguages(environment: ChildProcess.inheritedEnvironment()))
    }
    isInstalled = { ((try? applications.applications.entry($0)) ?? nil) != nil }
    launch = { entry, token in
      let parts = entry.split(separator: ":", maxSplits: 1).map(String.init)
      let ending = await applications.launch(
        parts[0], action: parts.count > 1 ? parts[1] : nil, activationToken: token, on: connection)
      return Outcome(ending)
    }
    takeOut = { app, process in
      _ = Task(executorPreference: connection.loop) { await ProgramScope(of: app).take(process, on: connection) }
    }
  }
}

extension Desktop.URLs {
  fileprivate init(_ applications: ApplicationLauncher, on connection: Connection) {
    policy = {
      // Files are allowed: requests of sandboxed programs were checked before.
      URLPolicy(added: UserSchemes.read(), allowsFiles: true) { applications.applications.declaredSchemes() }
    }
    if URLOpener.isInSandbox {
      open = { url, token, policy in
        await URLOpener.open(
          url, activationToken: token, throughPortalOf: connection, on: connection.loop, policy: policy)
      }
    }
  }
}

extension Desktop.Signs {
  fileprivate init(on connection: Connection) {
    let loop = connection.loop
    let launcher = Launcher(on: connection)
    // If no sound theme is installed, the bell that comes with Suzu is played.
    let player = SoundPlayer(on: loop, defaults: SoundPlayer.defaultNames + ["suzu-bell"])
    setBadge = { app, number in
      _ = Task(executorPreference: loop) {
        if number == 0 { try? await launcher.clear(app) } else { try? await launcher.set(Int64(number), of: app) }
      }
    }
    play = { sound in
      _ = Task(executorPreference: loop) {
        let ending = await player.play(sound)
        if ending != .played && ending != .disabled { Log.info("a sound was not played") }
      }
    }
    let speaker = Speaker(on: loop)
    speak = { text, urgency in await speaker.speak(text, urgency) }
  }
}

extension Outcome {
  fileprivate init(_ ending: ApplicationLauncher.Ending) {
    self =
      switch ending {
      case .launched: .done
      case .notInstalled(let id): .failed("no app '\(id)' is installed")
      case .noSuchAction(let action): .failed("the app has no action '\(action)'")
      case .invalid(let why), .failed(let why): .failed(why)
      }
  }
}
