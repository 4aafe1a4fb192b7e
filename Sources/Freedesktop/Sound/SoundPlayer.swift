// SPDX-License-Identifier: Apache-2.0
public import EventLoop

/// Plays the sounds of notifications, where the notification server does not.
///
/// With `canberra-gtk-play` where that is there, which knows the user's theme and the sound server; else with the first
/// program that can play the file.
public actor SoundPlayer {
  /// What became of a sound.
  public enum Ending: Hashable, Sendable {
    /// To its end, or to the limit.
    case played
    /// The user's theme has silence for it.
    case disabled
    /// No theme has the name, or there is no such file: a regular one, under 50 MiB, that we may read.
    case notFound
    /// There is no program that plays it.
    case noPlayer
    /// The programs that could play it failed; what the last one said.
    case failed(String)
    /// So many others were playing that nobody would have heard it, or so late that nobody would know what for.
    case dropped
  }

  /// What bounds a sound.
  public struct Limits: Sendable {
    /// How long one may last, with all that was tried for it.
    public var duration: Duration = .seconds(30)
    /// How long its player then has to end by itself.
    public var grace: Duration = .seconds(2)
    /// How many play at once.
    public var simultaneous = 2

    /// The usual ones.
    public init() {}
  }

  /// The sounds of `default`, by the
  /// [Sound Naming Specification](https://specifications.freedesktop.org/sound-naming-spec/latest/), the best first.
  public static let defaultNames = ["message-new-instant", "bell"]

  private let loop: EventLoop
  private let limits: Limits
  private let defaults: [String]
  private var playing = 0
  /// The loop.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// A player on a loop.
  ///
  /// - Parameter defaults: the names that `default` stands for, the best first.
  public init(on loop: EventLoop, limits: Limits = Limits(), defaults: [String] = SoundPlayer.defaultNames) {
    self.loop = loop
    self.limits = limits
    self.defaults = defaults
  }

  /// Plays `default`, a name of the sound theme, or the file at an absolute path, and returns at its end.
  ///
  /// Cancelling the task ends the sound.
  public func play(_ sound: String) async -> Ending {
    guard playing < limits.simultaneous else { return .dropped }
    playing += 1
    defer { playing -= 1 }
    let end = EventLoop.Clock.monotonic.now + limits.duration
    if sound.contains("/") {
      guard let file = SoundFile(sound) else { return .notFound }
      return await play(file, byCanberra: InstalledProgram.exists(Self.canberra), until: end)
    }
    return await playTheme(sound == "default" ? defaults : [sound], until: end)
  }

  private func playTheme(_ names: [String], until end: Duration) async -> Ending {
    let names = names.filter(SoundTheme.isName)
    if InstalledProgram.exists(Self.canberra) {
      for name in names {
        // It fails for a name that it does not find, and for a screen or a sound server that it does not find.
        if await run([Self.canberra, "--id=" + name], until: end) == .played { return .played }
      }
    }
    let theme = SoundTheme.current
    for name in names {
      switch theme.find(name) {
      case .disabled: return .disabled
      case .file(let path):
        // Canberra has had its turn.
        if let file = SoundFile(path) { return await play(file, byCanberra: false, until: end) }
      case nil: break
      }
    }
    return .notFound
  }

  /// Of libcanberra; it plays by name what the desktop's settings say.
  private static let canberra = "canberra-gtk-play"

  private func play(_ file: SoundFile, byCanberra: Bool, until end: Duration) async -> Ending {
    var commands = SoundProgram.present(for: file).map { [$0.name] + $0.options + [file.path] }
    if byCanberra { commands.insert([Self.canberra, "--file=" + file.path], at: 0) }
    var ending = Ending.noPlayer
    for command in commands {
      // A player whose sound server is not there fails at once, and the next one may have another.
      ending = await run(command, until: end)
      if ending == .played { break }
    }
    return ending
  }

  private func run(_ words: [String], until end: Duration) async -> Ending {
    let left = end - EventLoop.Clock.monotonic.now
    // It was played for as long as it may; and whoever cancelled wants to hear no other.
    guard left > .zero, !Task.isCancelled else { return .played }
    let command = ChildProcess.Command(words, limit: left, grace: limits.grace)
    switch await ChildProcess.ask(command, longest: 0, on: loop).ending {
    case .exited(0, _), .timedOut: return .played
    case .exited(let status, _): return .failed("\(words[0]): exit \(status)")
    case .signalled(let signal): return .failed("\(words[0]): signal \(signal)")
    case .running: return .failed("\(words[0]): nobody hears of its end any more")
    case .notStarted(let why): return .failed(why)
    }
  }
}
