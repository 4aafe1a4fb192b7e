// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Starts programs: without a shell, in a session of their own, inheriting only what is named here.
public enum ChildProcess {
  /// A command and its options.
  public struct Command: Sendable {
    /// The program, a path or a name to look up in `PATH`, and its arguments.
    public var words: [String]
    /// Variables to add to our environment, or to replace in it.
    public var environment: [String: String]
    /// Variables of our environment to remove.
    public var withheld: Set<String> = []
    /// The working directory as an absolute path; nil for ours.
    public var folder: String?
    /// Receives the process id, on the loop and before the process can be reaped.
    public var whenStarted: (@Sendable (Int32) -> Void)?
    /// Produces the standard input once the program has started; nil for none.
    public var input: (@Sendable () -> String)?
    /// The time limit; nil for none, in which case the output is discarded.
    public var limit: Duration?
    /// The time between SIGTERM and SIGKILL.
    public var grace: Duration
    /// The time after which the caller stops waiting for the end; nil to wait for ever.
    public var patience: Duration?

    /// Creates a command.
    public init(
      _ words: [String], environment: [String: String] = [:], input: String? = nil, limit: Duration? = nil,
      grace: Duration = .seconds(5), patience: Duration? = nil
    ) {
      self.words = words
      self.environment = environment
      if let input { self.input = { input } }
      self.limit = limit
      self.grace = grace
      self.patience = patience
    }
  }

  /// How a program ended.
  public enum Ending: Hashable, Sendable {
    /// It exited with this status; `lastLine` is the last line of its output.
    case exited(Int32, lastLine: String)
    /// A signal ended it.
    case signalled(Int32)
    /// We ended it, because its time limit passed or the calling task was cancelled.
    case timedOut
    /// It is still running: the caller stopped waiting, or the loop ended.
    case running
    /// It could not be started; the reason is the system's.
    case notStarted(String)
  }

  /// The output of a program and how it ended.
  public struct Answer: Hashable, Sendable {
    /// How it ended; ``Ending/timedOut`` if the calling task was cancelled.
    public let ending: Ending
    /// Its whole standard output; nil if that was longer than permitted.
    public let output: String?
  }

  /// Runs a command and returns its output, at most `longest` bytes; standard error is discarded.
  ///
  /// The program ends with its caller: cancelling the task ends it, as its time limit does.
  public static func ask(_ command: Command, longest: Int = 64 << 10, on loop: EventLoop) async -> Answer {
    let cancellation = Cancellation()
    return await withTaskCancellationHandler {
      await loop.withContinuation { continuation in
        loop.perform {
          if cancellation.hasCome { return continuation.resume(returning: Answer(ending: .timedOut, output: "")) }
          start(command, output: .answer, on: loop) { started in
            switch started {
            case .success(let program):
              let child = Child(program.take(), grace: command.grace, keeping: longest + 1, on: loop) {
                ending, output in
                let isWhole = output.count <= longest
                continuation.resume(
                  returning: Answer(ending: ending, output: isWhole ? String(decoding: output, as: UTF8.self) : nil))
              }
              cancellation.child = child
              child.begin(command)
              // It may have been cancelled while it was being started.
              if cancellation.hasCome { child.end() }
            case .failure(let error):
              continuation.resume(returning: Answer(ending: .notStarted(error.message), output: ""))
            }
          }
        }
      }
    } onCancel: {
      loop.perform { cancellation.come() }
    }
  }

  /// Runs a command until it ends or the caller stops waiting. Programs start in the order of the calls.
  public static func run(_ command: Command, on loop: EventLoop) async -> Ending {
    let verdict = Verdict()
    let isBegun = loop.isOnLoop
    if isBegun { begin(command, on: loop, verdict) }
    return await loop.withContinuation { continuation in
      if isBegun { return verdict.hear { continuation.resume(returning: $0) } }
      loop.perform {
        begin(command, on: loop, verdict)
        verdict.hear { continuation.resume(returning: $0) }
      }
    }
  }

  private static func begin(_ command: Command, on loop: EventLoop, _ verdict: Verdict) {
    start(command, output: command.limit == nil ? .discarded : .all, on: loop) { started in
      switch started {
      case .success(let program):
        let child = Child(program.take(), grace: command.grace, keeping: 4096, on: loop) { ending, _ in
          verdict.tell(ending)
        }
        child.begin(command)
      case .failure(let error): verdict.tell(.notStarted(error.message))
      }
    }
    // With a single processor, let the program start first: a user waits for it.
    sched_yield()
  }

  /// Starts a program on the thread for that, and calls `then` on the loop.
  private static func start(
    _ command: Command, output: Spawn.Output, on loop: EventLoop,
    then: @escaping @Sendable (Result<StartedProgram, SpawnError>) -> Void
  ) {
    let (words, variables, withheld) = (command.words, command.environment, command.withheld)
    let (folder, hasInput) = (command.folder, command.input != nil)
    ProgramStarter.shared.add {
      let started: Result<StartedProgram, SpawnError>
      do throws(SpawnError) {
        started = .success(
          StartedProgram(
            try Spawn(
              words, adding: variables, withholding: withheld, folder: folder, hasInput: hasInput, output: output)))
      } catch {
        started = .failure(error)
      }
      loop.perform { then(started) }
    }
  }

  /// Our own environment; entries without `=` are skipped.
  public static func inheritedEnvironment() -> [String: String] {
    var variables: [String: String] = [:]
    var next = environ
    while let entry = next.pointee {
      let text = String(cString: entry)
      if let split = text.firstIndex(of: "="), split != text.startIndex {
        variables[String(text[..<split])] = String(text[text.index(after: split)...])
      }
      next += 1
    }
    return variables
  }
}

/// Stores how a child ended, for a later query. @unchecked: used on the loop's thread only.
private final class Verdict: @unchecked Sendable {
  private var ending: ChildProcess.Ending?
  private var heard: ((ChildProcess.Ending) -> Void)?

  func tell(_ ending: ChildProcess.Ending) {
    self.ending = ending
    heard?(ending)
    heard = nil
  }

  func hear(_ heard: @escaping (ChildProcess.Ending) -> Void) {
    if let ending { heard(ending) } else { self.heard = heard }
  }
}

/// Carries a cancellation to a child. @unchecked: used on the loop's thread only, inside `perform`.
private final class Cancellation: @unchecked Sendable {
  private(set) var hasCome = false
  /// Weak, because the child's watches keep it alive until it ends.
  weak var child: Child?

  func come() {
    hasCome = true
    child?.end()
  }
}

/// A child process until its end is known. The loop's watches keep it alive. @unchecked: confined to the loop's thread.
private final class Child: @unchecked Sendable {
  private var spawn: Spawn
  private let loop: EventLoop
  private var finish: ((ChildProcess.Ending, [UInt8]) -> Void)?
  private var endWatch: EventLoop.DescriptorWatch?
  private var inputWatch: EventLoop.DescriptorWatch?
  private var outputWatch: EventLoop.DescriptorWatch?
  private var deadline: EventLoop.Deadline?
  private var impatience: EventLoop.Deadline?
  private var endObservation: EventLoop.EndObservation?
  private var unwritten: ArraySlice<UInt8> = []
  private var tail: [UInt8] = []
  private var isOverdue = false
  private var isCollected = false
  private let grace: Duration
  /// How many bytes at the end of the output are kept.
  private let longestTail: Int

  init(
    _ spawn: consuming Spawn, grace: Duration, keeping longestTail: Int, on loop: EventLoop,
    finish: @escaping (ChildProcess.Ending, [UInt8]) -> Void
  ) {
    self.spawn = spawn
    self.grace = grace
    self.longestTail = longestTail
    self.loop = loop
    self.finish = finish
  }

  func begin(_ command: ChildProcess.Command) {
    // The program was started while the loop ended.
    if loop.hasEnded { return tell(.running) }
    // Without pidfd_open (before kernel 5.3), or without a free descriptor, its end could not be observed.
    endWatch = try? loop.watch(spawn.handle, for: .readable) { _ in self.hasEnded() }
    guard endWatch != nil else {
      // Its session, which it leads since before its program started. It has not been reaped: see `endSession`.
      kill(-spawn.processID, SIGKILL)
      waitpid(spawn.processID, nil, 0)
      return tell(.notStarted("no descriptor left to watch it with"))
    }
    command.whenStarted?(spawn.processID)
    if let input = command.input, let descriptor = spawn.input {
      unwritten = Array(input().utf8)[...]
      inputWatch = try? loop.watch(descriptor, for: .writable) { _ in self.writeInput() }
    }
    if let descriptor = spawn.output {
      outputWatch = try? loop.watch(descriptor, for: .readable) { _ in self.readOutput() }
    }
    if let limit = command.limit { deadline = loop.schedule(after: limit) { self.timeIsOver() } }
    if let patience = command.patience { impatience = loop.schedule(after: patience) { self.tell(.running) } }
    endObservation = loop.onEnd { self.tell(.running) }
  }

  private func tell(_ ending: ChildProcess.Ending) {
    finish?(ending, tail)
    finish = nil
  }

  private func writeInput() {
    let count = spawn.write(unwritten)
    unwritten.removeFirst(count ?? 0)
    // All is written, or the child does not read: in both cases it gets the end of its input.
    if unwritten.isEmpty || count == nil { endInput() }
  }

  private func endInput() {
    inputWatch?.cancel()
    inputWatch = nil
    spawn.endInput()
  }

  /// Keeps the last few lines: a program with endless output uses no memory here.
  private func readOutput() {
    guard let descriptor = spawn.output else { return }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &buffer, buffer.count)
    if count > 0 {
      if finish == nil { return }
      tail += buffer[..<count]
      if tail.count > longestTail { tail.removeFirst(tail.count - longestTail) }
    } else if count == 0 || errno != EAGAIN {
      outputWatch?.cancel()
      outputWatch = nil
    }
  }

  /// Ends it early, unless it has ended or is about to.
  func end() {
    if finish == nil || isOverdue || isCollected { return }
    deadline?.cancel()
    timeIsOver()
  }

  /// Signals by number, because there is no handle for a process group. The number is still valid: the kernel does not
  /// reuse that of a process group, or of a process that was not reaped. Only `hasEnded` reaps it, and it cancels every
  /// later call of this.
  private func endSession(_ signal: Int32) {
    if !isCollected { kill(-spawn.processID, signal) }
  }

  private func timeIsOver() {
    endSession(isOverdue ? SIGKILL : SIGTERM)
    if !isOverdue {
      isOverdue = true
      deadline = loop.schedule(after: grace) { self.timeIsOver() }
    }
  }

  private func hasEnded() {
    // Processes of its session may remain; they got the same time. Signal them before the number can be reused.
    if isOverdue { endSession(SIGKILL) }
    var status: Int32 = 0
    guard waitpid(spawn.processID, &status, WNOHANG) == spawn.processID else { return }
    isCollected = true
    // Reads the last output: as much as a pipe holds, because a remaining process may still write to it.
    for _ in 0..<16 where outputWatch != nil { readOutput() }
    endWatch?.cancel()
    inputWatch?.cancel()
    deadline?.cancel()
    impatience?.cancel()
    endObservation?.cancel()
    let signal = status & 0x7f
    if isOverdue {
      leave(.timedOut)
    } else if signal != 0 {
      leave(.signalled(signal))
    } else {
      leave(.exited((status >> 8) & 0xff, lastLine: lastLine))
    }
  }

  /// Reports the ending. If a remaining process still holds the output, a reader takes over the pipe first: keeping it
  /// would use a descriptor for as long as that process lives, and closing it would end the process at its next write.
  private func leave(_ ending: ChildProcess.Ending) {
    guard outputWatch != nil else { return tell(ending) }
    outputWatch?.cancel()
    outputWatch = nil
    guard let output = spawn.giveUpOutput() else { return tell(ending) }
    ProgramStarter.shared.add { [self] in
      let reader = try? StartedProgram(Spawn(readingOn: output))
      close(output)
      loop.perform { self.left(to: reader, ending) }
    }
  }

  private func left(to reader: StartedProgram?, _ ending: ChildProcess.Ending) {
    guard let reader else { return tell(ending) }
    // After the shell has been reaped as well: until then the loop has work.
    let passing = Child(reader.take(), grace: grace, keeping: 0, on: loop) { _, _ in self.tell(ending) }
    passing.begin(ChildProcess.Command([], limit: .seconds(10)))
  }

  private var lastLine: String {
    let lines = String(decoding: tail, as: UTF8.self).split(whereSeparator: \.isNewline)
    return String((lines.last ?? "").prefix(200))
  }
}
