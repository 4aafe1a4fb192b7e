// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop
internal import Freedesktop
internal import NotificationModel

/// What the center needs of the desktop besides its notification server. Each is a function, so that a test can be the
/// desktop.
struct Desktop: Sendable {
  /// What came of asking for a line of text.
  enum Reply: Sendable {
    case text(String)
    case cancelled
    /// There is nothing to ask with.
    case unavailable(String)
  }

  // MARK: Callers

  /// What a caller may do; nil: it could not be identified this time, and may be the next time. Unless told otherwise, no
  /// caller may do anything.
  var identify: @Sendable (BusName) async -> Rights? = { _ in Rights.none }

  // MARK: The lock

  var isLocked: @Sendable () async -> Bool = { false }
  /// Whether the session is unlocked within that time.
  var unlocked: @Sendable (Duration) async -> Bool = { _ in true }

  // MARK: Questions

  /// Whether lists can be shown to choose from.
  var canAsk: @Sendable () -> Bool = { false }
  /// Which of the labels was chosen; nil: none. Where the list cannot be shown it is `instead`.
  var choose: @Sendable (DialogHeading, _ labels: [String], _ token: String?, _ instead: Int?) async -> Int? = {
    _, _, _, _ in nil
  }
  var prompt: @Sendable (DialogHeading, Action.Input, _ token: String?) async -> Reply = { _, _, _ in
    .unavailable("there is nothing to ask with")
  }

  // MARK: Apps

  /// Whether the app of that id can be told of an action over the bus, which starts it.
  var isActivatable: @Sendable (_ app: String) async -> Bool = { _ in false }
  /// Tells it; nil: it takes no actions.
  var activate: @Sendable (_ app: String, _ action: String, Value, _ token: String?) async -> Outcome? = { _, _, _, _ in
    nil
  }
  /// What the user knows the app by; nil: it has no desktop entry.
  var name: @Sendable (_ app: String) -> String? = { _ in nil }
  /// Whether there is a desktop entry of that id.
  var isInstalled: @Sendable (_ app: String) -> Bool = { _ in false }
  /// Starts what the entry, `id` or `id:action`, stands for.
  var launch: @Sendable (_ entry: String, _ token: String?) async -> Outcome = { _, _ in .failed("nothing launches") }
  /// Gives a program that was started for an app a place of its own, where it outlives us.
  var takeOut: @Sendable (_ app: String, _ process: Int32) -> Void = { _, _ in }

  // MARK: URLs

  /// Which may be opened.
  var policy: @Sendable () -> URLPolicy = { URLPolicy() }
  /// Opens one; nil: by the opener, as outside of a sandbox.
  var open: (@Sendable (_ url: String, _ token: String?, URLPolicy) async -> URLOpener.Ending)?

  // MARK: Signs

  /// The number on the app's launcher; 0 takes it away.
  var setBadge: @Sendable (_ app: String, Int) -> Void = { _, _ in }
  /// Plays a theme's sound or a file, where the notification server does not.
  var play: @Sendable (_ sound: String) -> Void = { _ in }
}

extension Desktop {
  /// The one that the session has.
  static func real(on connection: Connection) -> Desktop {
    let loop = connection.loop
    let lock = SessionLock(on: connection)
    let launcher = Launcher(on: connection)
    // Where no theme is installed, the bell that came with us.
    let player = SoundPlayer(on: loop, defaults: SoundPlayer.defaultNames + ["suzu-bell"])
    let applications = ApplicationLauncher()
    var desktop = Desktop()
    desktop.isLocked = { await lock.isLocked() }
    desktop.unlocked = { await lock.unlocked(within: $0) }
    desktop.canAsk = { Chooser.isAvailable }
    desktop.choose = { heading, labels, token, instead in
      switch await Chooser(title: heading.app, heading: heading.text, choices: labels).ask(
        activationToken: token, on: loop)
      {
      case .chosen(let index): return index
      case .cancelled, .closed: return nil
      case .failed(let why):
        Log.warning("a list could not be shown", why)
        return instead
      case .unavailable: return instead
      }
    }
    desktop.prompt = { heading, _, token in
      // The programs take all texts of such a dialog from their command line, which other users can read.
      let prompt = Prompt(title: heading.app, text: "Your answer to \(heading.app):")
      return switch await prompt.ask(activationToken: token, on: loop) {
      case .answered(let text): .text(text)
      case .cancelled, .closed: .cancelled
      case .failed(let why): .unavailable(why)
      case .unavailable: .unavailable("there is nothing to ask with: install zenity or kdialog")
      }
    }
    desktop.isActivatable = { app in
      guard let application = BusApplication(app) else { return false }
      return (try? await application.canBeReached(on: connection)) ?? false
    }
    desktop.activate = { app, action, response, token in
      guard let application = BusApplication(app) else { return nil }
      do throws(CallError) {
        try await application.activateAction(action, parameters: [response], activationToken: token, on: connection)
        return .done
      } catch {
        return error.meansNoApplication ? nil : .failed("\(app): \(error)")
      }
    }
    desktop.name = { app in
      guard let entry = try? applications.applications.entry(app) else { return nil }
      return entry.name?.text(in: MessageLanguages(environment: ChildProcess.inheritedEnvironment()))
    }
    desktop.isInstalled = { ((try? applications.applications.entry($0)) ?? nil) != nil }
    desktop.launch = { entry, token in
      let parts = entry.split(separator: ":", maxSplits: 1).map(String.init)
      let ending = await applications.launch(
        parts[0], action: parts.count > 1 ? parts[1] : nil, activationToken: token, on: connection)
      return Outcome(ending)
    }
    desktop.policy = {
      // Files too: whoever is in a sandbox cannot ask for them.
      URLPolicy(added: UserSchemes.read(), allowsFiles: true) { applications.applications.declaredSchemes() }
    }
    if URLOpener.isInSandbox {
      desktop.open = { url, token, policy in
        await URLOpener.open(url, activationToken: token, throughPortalOf: connection, on: loop, policy: policy)
      }
    }
    desktop.identify = { name in
      Rights(await CallerIdentification().identify(name, on: connection))
    }
    desktop.takeOut = { app, process in
      _ = Task(executorPreference: loop) { await ProgramScope(of: app).take(process, on: connection) }
    }
    desktop.setBadge = { app, number in
      _ = Task(executorPreference: loop) { try? await launcher.set(Int64(number), of: app) }
    }
    desktop.play = { sound in
      _ = Task(executorPreference: loop) {
        let ending = await player.play(sound)
        if ending != .played && ending != .disabled { Log.info("a sound was not played") }
      }
    }
    return desktop
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
