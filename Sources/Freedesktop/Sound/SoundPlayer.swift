// SPDX-License-Identifier: Apache-2.0
public import EventLoop
internal import SystemFiles

/// Plays the sounds of notifications when the notification server does not.
///
/// Uses `canberra-gtk-play` if it is installed, which knows the user's theme and the sound server; otherwise the first
/// program that can play the file.
public actor SoundPlayer {
  /// The result of playing a sound.
  public enum Ending: Hashable, Sendable {
    /// It was played to its end, or to the limit.
    case played
    /// The user's theme disables it.
    case disabled
    /// No theme has the name, or the file is missing, unreadable, not regular, or over 50 MiB.
    case notFound
    /// No installed program can play it.
    case noPlayer
    /// All programs that could play it failed; the message of the last one.
    case failed(String)
    /// It was skipped because too many others were playing.
    case dropped
  }

  /// The limits of a sound.
  public struct Limits: Sendable {
    /// The maximum length, with all attempts to play it.
    public var duration: Duration = .seconds(30)
    /// How long its player then has to end by itself.
    public var grace: Duration = .seconds(2)
    /// The maximum number of simultaneous sounds.
    package var simultaneous = 2

    /// The default limits.
    public init() {}
  }

  /// The sounds that `default` stands for, by the [Sound Naming
  /// Specification](https://specifications.freedesktop.org/sound-naming-spec/latest/), best first.
  public static let defaultNames = ["message-new-instant", "bell"]

  private let loop: EventLoop
  private let limits: Limits
  private let defaults: [String]
  private var playing = 0
  /// The event loop.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// Makes a player on a loop.
  ///
  /// - Parameter defaults: the names that `default` stands for, best first.
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
      return await play(file, byCanberra: (ProgramSearch.current.path(of: Self.canberra) != nil), until: end)
    }
    return await playTheme(sound == "default" ? defaults : [sound], until: end)
  }

  private func playTheme(_ names: [String], until end: Duration) async -> Ending {
    let names = names.filter(SoundTheme.isName)
    if ProgramSearch.current.path(of: Self.canberra) != nil {
      for name in names {
        // It fails for an unknown name, but also without a screen or a sound server.
        if await run([Self.canberra, "--id=" + name], until: end) == .played { return .played }
      }
    }
    let theme = SoundTheme.current
    for name in names {
      switch theme.find(name) {
      case .disabled: return .disabled
      case .file(let path):
        // Canberra was tried above.
        if let file = SoundFile(path) { return await play(file, byCanberra: false, until: end) }
      case nil: break
      }
    }
    return .notFound
  }

  /// The player of libcanberra, which follows the desktop's sound settings.
  private static let canberra = "canberra-gtk-play"

  private func play(_ file: SoundFile, byCanberra: Bool, until end: Duration) async -> Ending {
    var commands = SoundProgram.present(for: file).map { [$0.name] + $0.options + [file.path] }
    if byCanberra { commands.insert([Self.canberra, "--file=" + file.path], at: 0) }
    var ending = Ending.noPlayer
    for command in commands {
      // A player fails at once if its sound server is missing; the next one may use another.
      ending = await run(command, until: end)
      if ending == .played { break }
    }
    return ending
  }

  private func run(_ words: [String], until end: Duration) async -> Ending {
    let left = end - EventLoop.Clock.monotonic.now
    // The sound reached its time limit; and after a cancellation no other player is tried.
    guard left > .zero, !Task.isCancelled else { return .played }
    let command = ChildProcess.Command(words, limit: left, grace: limits.grace)
    switch await ChildProcess.ask(command, longest: 0, on: loop).ending {
    case .exited(0, _), .timedOut: return .played
    case .exited(let status, _): return .failed("\(words[0]): exit \(status)")
    case .signalled(let signal): return .failed("\(words[0]): signal \(signal)")
    case .running: return .failed("\(words[0]): the end of the program cannot be observed")
    case .notStarted(let why): return .failed(why)
    }
  }
}
