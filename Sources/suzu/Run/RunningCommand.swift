// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Glibc
internal import NotificationModel
internal import SystemFiles

/// A command that runs in our place: in our process group, so that the terminal is its own, with our descriptors, or
/// with pipes and terminals to them.
///
/// Confined to the loop's thread.
final class RunningCommand {
  enum Ending: Equatable {
    case exited(Int32)
    case signalled(Int32)
    /// It could not be started, with the status of a shell: 127 if it is not there, else 126.
    case notStarted(String, status: Int32)
  }

  private let loop: EventLoop
  private let processID: pid_t
  private var ending: Ending?
  private var whenEnded: ((Ending) -> Void)?
  /// Whether the terminal has interrupted it: Ctrl-C or Ctrl-\.
  private(set) var wasInterrupted = false
  /// Called when the terminal's window has another size.
  var whenResized: () -> Void = {}

  /// Signals that would end us, or stop us, and are for the command.
  private static let passedOn = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM, SIGTSTP, SIGCONT]

  /// Starts the command.
  ///
  /// - Parameters:
  ///   - words: the program and its arguments.
  ///   - descriptors: its standard output and error, if they are not ours.
  init(
    _ words: [String], descriptors: [(number: Int32, of: Int32)], hasInput: Bool, on loop: EventLoop
  ) throws {
    self.loop = loop
    var mask = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &mask)
    var processID: pid_t = 0
    // Before it starts: its end must not come unnoticed.
    let owner = Owner()
    for signal in Self.passedOn where !Process.ignores(signal) {
      try loop.onSignal(signal, tellingOrigin: { owner.command?.received(signal, $0) })
    }
    try loop.onSignal(SIGCHLD) { [unowned loop] in
      // In the next turn: a SIGCONT that came at the same time is passed on first.
      loop.performNext { owner.command?.look() }
    }
    try loop.onSignal(SIGWINCH) { owner.command?.whenResized() }
    let code = Self.spawn(words, descriptors, hasInput: hasInput, mask: mask, &processID)
    self.processID = processID
    if let code { ending = code }
    owner.command = self
  }

  /// Signals may come before the command does, and after it has ended.
  private final class Owner { weak var command: RunningCommand? }

  /// Waits for its end.
  func ended() async -> Ending {
    await loop.withContinuation { continuation in
      look()
      if let ending { return continuation.resume(returning: ending) }
      whenEnded = { continuation.resume(returning: $0) }
    }
  }

  // MARK: Signals

  /// What the terminal sends comes to the command as well, which is in our group.
  private func received(_ signal: Int32, _ origin: SignalOrigin) {
    if origin == .kernel, signal == SIGINT || signal == SIGQUIT { wasInterrupted = true }
    guard ending == nil, origin == .process || signal == SIGCONT else { return }
    kill(processID, signal)
  }

  /// Follows what has become of the command. If it has stopped, we stop, so that a shell can go on, and with us it
  /// continues.
  private func look() {
    guard ending == nil else { return }
    var status: Int32 = 0
    while waitpid(processID, &status, WNOHANG | WUNTRACED) == processID {
      let signal = status & 0x7f
      if signal == 0x7f {
        kill(getpid(), SIGSTOP)
        // The signal that continued this process may have been sent to it alone.
        kill(processID, SIGCONT)
      } else {
        let ending: Ending = signal == 0 ? .exited((status >> 8) & 0xff) : .signalled(signal)
        self.ending = ending
        whenEnded.take()?(ending)
        return
      }
    }
  }

  // MARK: Starting

  /// Returns nil, or how the start failed.
  private static func spawn(
    _ words: [String], _ descriptors: [(number: Int32, of: Int32)], hasInput: Bool, mask: sigset_t,
    _ processID: inout pid_t
  ) -> Ending? {
    let name = words[0]
    guard let path = name.contains("/") ? name : ProgramSearch.current.path(of: name) else {
      return .notStarted("\(PrintableText.line(name, atMost: 200)): command not found", status: 127)
    }
    var code = spawn(path, words, descriptors, hasInput, mask, &processID)
    // A script without '#!', which shells run themselves.
    if code == ENOEXEC {
      code = spawn("/bin/sh", ["/bin/sh", path] + words.dropFirst(), descriptors, hasInput, mask, &processID)
    }
    if code == 0 { return nil }
    let error = Errno(rawValue: code)
    return .notStarted(
      "\(PrintableText.line(name, atMost: 200)): \(error)", status: error.meansNoFile ? 127 : 126)
  }

  /// Returns 0 or the number of the error.
  private static func spawn(
    _ path: String, _ words: [String], _ descriptors: [(number: Int32, of: Int32)], _ hasInput: Bool, _ mask: sigset_t,
    _ processID: inout pid_t
  ) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    for (number, descriptor) in descriptors { posix_spawn_file_actions_adddup2(&actions, descriptor, number) }
    if !hasInput { posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0) }
    var mask = mask
    posix_spawnattr_setsigmask(&attributes, &mask)
    var usual = sigset_t()
    sigemptyset(&usual)
    // We ignore it, but our caller may not.
    if !Command.startedIgnoringPipes { sigaddset(&usual, SIGPIPE) }
    posix_spawnattr_setsigdefault(&attributes, &usual)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    return posix_spawn(&processID, path, &actions, &attributes, &arguments, environ)
  }
}
