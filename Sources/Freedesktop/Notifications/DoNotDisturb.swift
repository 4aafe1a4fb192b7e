// SPDX-License-Identifier: Apache-2.0
public import DBus
internal import EventLoop

/// *Do not disturb* of the notification server, where the server or the program that stores its settings tells: Plasma,
/// GNOME Shell, dunst, mako, SwayNotificationCenter and Xfce's.
///
/// Between queries there are no subscriptions. No server is started.
public struct DoNotDisturb: Sendable {
  private let connection: Connection
  private let limit: Duration
  private let pause: Duration
  /// Prints whether GNOME shows banners: its setting can be read by GNOME's own programs only.
  private let settingsReader: [String]

  /// How often a server is asked that does not report changes, while someone waits for the end.
  public static let usualPause: Duration = .seconds(30)

  /// - Parameters:
  ///   - limit: the limit for each answer.
  ///   - pause: the time between two questions to a server that does not report changes.
  public init(on connection: Connection, limit: Duration = .seconds(2), pause: Duration = usualPause) {
    self.init(
      on: connection, limit: limit, pause: pause,
      settingsReader: ["gsettings", "get", "org.gnome.desktop.notifications", "show-banners"])
  }

  package init(on connection: Connection, limit: Duration, pause: Duration, settingsReader: [String]) {
    self.connection = connection
    self.limit = limit
    self.pause = pause
    self.settingsReader = settingsReader
  }

  /// Whether it is on; nil if no server runs, or the server does not tell.
  public func isOn() async -> Bool? {
    guard let owner = (try? await connection.owner(of: NotificationsBus.name)) ?? nil else { return nil }
    let server = RemoteObject(owner, NotificationsBus.path, NotificationsBus.interface, startsService: false)
    guard
      let (name, _, _, _) = try? await connection.call(NotificationsBus.getServerInformation, of: server, limit: limit)
    else { return nil }
    if name == "gnome-shell" { return await showBanners().map { !$0 } }
    return await ServerSettings.ask(name, owner, on: connection, limit: limit).isQuiet
  }

  /// Waits until it is off, the server has gone or does not tell any more. Returns false if that takes longer than the
  /// given time.
  public func ended(within limit: Duration) async -> Bool {
    await withTaskExecutorPreference(connection.loop) {
      await withTaskGroup { group in
        group.addTask {
          try? await connection.loop.sleep(for: limit)
          return false
        }
        group.addTask {
          await awaitEnd()
          return true
        }
        let hasEnded = await group.next() ?? false
        group.cancelAll()
        return hasEnded && !Task.isCancelled
      }
    }
  }

  private func awaitEnd() async {
    // One notice is enough for any number of changes, because one query follows.
    let (changes, change) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    change.yield()
    await withTaskGroup { group in
      group.addTask { await follow(change) }
      group.addTask {
        while !Task.isCancelled {
          try? await connection.loop.sleep(for: pause)
          change.yield()
        }
      }
      group.addTask {
        for await _ in changes where await isOn() != true { break }
        change.finish()
      }
      // The last task ends first, unless the connection has been closed.
      await group.next()
      group.cancelAll()
    }
  }

  /// Every signal of the server may tell of a change.
  private func follow(_ change: AsyncStream<Void>.Continuation) async {
    guard
      let signals = try? await connection.signals(matching: MatchRule(sender: NotificationsBus.name), buffering: 16)
    else { return await sleep() }
    do { for try await _ in signals { change.yield() } } catch {}
    await sleep()
  }

  /// Without signals, the questions go on.
  private func sleep() async {
    while !Task.isCancelled { try? await connection.loop.sleep(for: .seconds(3600)) }
  }

  /// A setting of GNOME; nil if it cannot be read.
  private func showBanners() async -> Bool? {
    let command = ChildProcess.Command(settingsReader, limit: limit)
    let answer = await ChildProcess.ask(command, longest: 1024, on: connection.loop)
    guard case .exited(0, _) = answer.ending else { return nil }
    switch answer.output?.filter({ !$0.isWhitespace }) {
    case "true": return true
    case "false": return false
    default: return nil
    }
  }
}
