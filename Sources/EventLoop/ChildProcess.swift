// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Programs that are started for somebody: no shell, a session of their own, nothing inherited but what is named here.
public enum ChildProcess {
  /// What to run, and how.
  public struct Command: Sendable {
    /// A name to be found in `PATH`, or a path; then its arguments.
    public var words: [String]
    /// Added to our environment, or put in the place of what is there.
    public var environment: [String: String]
    /// Variables of ours that are none of its business.
    public var withheld: Set<String> = []
    /// Where it runs, as a whole path; nil: where we do.
    public var folder: String?
    /// Hears the number of its process, on the loop and before anybody can have collected it.
    public var whenStarted: (@Sendable (Int32) -> Void)?
    /// What it reads, made once it has begun; nil: nothing.
    public var input: (@Sendable () -> String)?
    /// How long it may run; nil: as long as it wants, and what it prints is nobody's.
    public var limit: Duration?
    /// How long it then has between SIGTERM and SIGKILL.
    public var grace: Duration
    /// After how long its end does not matter any more; nil: it always does.
    public var patience: Duration?

    /// A command.
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
    /// By itself, with this status; `lastLine` is the last one that it printed.
    case exited(Int32, lastLine: String)
    /// By a signal.
    case signalled(Int32)
    /// By us, because its time was over, or that of the task that asked it.
    case timedOut
    /// It has not, and runs on; the caller's patience ended, or the loop that would have heard of it.
    case running
    /// It never began: what the system said.
    case notStarted(String)
  }

  /// What a program said, and how it ended.
  public struct Answer: Hashable, Sendable {
    /// How it ended; ``Ending/timedOut`` where the task that asked was cancelled.
    public let ending: Ending
    /// All of its standard output; nil where that was longer than wanted.
    public let output: String?
  }

  /// Runs a command for what it prints, which is `longest` bytes at most; what it complains of is nobody's.
  ///
  /// It lives as long as somebody wants the answer: cancelling the task ends it, as its limit does.
  public static func ask(_ command: Command, longest: Int = 64 << 10, on loop: EventLoop) async -> Answer {
    let cancellation = Cancellation()
    return await withTaskCancellationHandler {
      await loop.withContinuation { continuation in
        loop.perform {
          if cancellation.hasCome { return continuation.resume(returning: Answer(ending: .timedOut, output: "")) }
          do throws(SpawnError) {
            let spawn = try Spawn(
              command.words, adding: command.environment, withholding: command.withheld, folder: command.folder,
              hasInput: command.input != nil, output: .answer)
            let child = Child(spawn, grace: command.grace, keeping: longest + 1, on: loop) { ending, output in
              let isWhole = output.count <= longest
              continuation.resume(
                returning: Answer(ending: ending, output: isWhole ? String(decoding: output, as: UTF8.self) : nil))
            }
            cancellation.child = child
            child.begin(command)
          } catch {
            continuation.resume(returning: Answer(ending: .notStarted(error.message), output: ""))
          }
        }
      }
    } onCancel: {
      loop.perform { cancellation.come() }
    }
  }

  /// Runs a command to its end, or until the command's patience is over. On the loop it begins before this first waits.
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
    do throws(SpawnError) {
      let spawn = try Spawn(
        command.words, adding: command.environment, withholding: command.withheld, folder: command.folder,
        hasInput: command.input != nil, output: command.limit == nil ? .nobody : .all)
      let child = Child(spawn, grace: command.grace, keeping: 4096, on: loop) { ending, _ in verdict.tell(ending) }
      // Where there is one processor for both, the child goes first: somebody waits for it, and nobody for us.
      sched_yield()
      child.begin(command)
    } catch {
      verdict.tell(.notStarted(error.message))
    }
  }

  /// Our own environment; a variable without `=` is none.
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

/// How a child ended, for somebody who may ask later. @unchecked: it is used on the loop's thread only.
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

/// Carries a cancellation to a child. @unchecked: it is used on the loop's thread only, inside `perform`.
private final class Cancellation: @unchecked Sendable {
  private(set) var hasCome = false
  /// Weak, because the child's watches keep it as long as it lives.
  weak var child: Child?

  func come() {
    hasCome = true
    child?.end()
  }
}

/// A child until its end is known. Confined to the loop's thread; the loop's watches keep it alive.
private final class Child {
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
  /// How many bytes of its output are kept, the last ones.
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
    // A kernel without pidfd_open (before 5.3), or no descriptor left: we could never hear of its end.
    endWatch = try? loop.watch(spawn.handle, for: .readable) { _ in self.hasEnded() }
    guard endWatch != nil else {
      // Its session, which it leads since before its program began. It has not been waited for: see `endSession`.
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
    // All written, or the child does not read: either way it shall see the end.
    if unwritten.isEmpty || count == nil { endInput() }
  }

  private func endInput() {
    inputWatch?.cancel()
    inputWatch = nil
    spawn.endInput()
  }

  /// Keeps the last few lines, up to its end: whoever floods its output costs us nothing.
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

  /// Ends it before its time, unless it has ended, or is about to.
  func end() {
    if finish == nil || isOverdue || isCollected { return }
    deadline?.cancel()
    timeIsOver()
  }

  /// By number, since there is no handle of a process group. The number is still its own: the kernel gives none away that
  /// a process, even an ended one that was not waited for, or a process group has. `hasEnded` is the one place that waits
  /// for it, and cancels what could call this later.
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
    // Its session may have left others behind, which got their time as well. Before its number is free for anybody.
    if isOverdue { endSession(SIGKILL) }
    var status: Int32 = 0
    guard waitpid(spawn.processID, &status, WNOHANG) == spawn.processID else { return }
    isCollected = true
    // What it printed last: as much as a pipe holds, since somebody whom it left behind may still be printing.
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

  /// Tells its ending. Where a process that it left behind still holds its output, that is passed on first: it would cost
  /// us a descriptor for as long as that process lives, and closed, it would end that process with its next word.
  private func leave(_ ending: ChildProcess.Ending) {
    guard outputWatch != nil else { return tell(ending) }
    outputWatch?.cancel()
    outputWatch = nil
    guard let reader = spawn.passOutputOn() else { return tell(ending) }
    // Once the shell has been collected as well: until then the loop has something to do.
    let passing = Child(reader, grace: grace, keeping: 0, on: loop) { _, _ in self.tell(ending) }
    passing.begin(ChildProcess.Command([], limit: .seconds(10)))
  }

  private var lastLine: String {
    let lines = String(decoding: tail, as: UTF8.self).split(whereSeparator: \.isNewline)
    return String((lines.last ?? "").prefix(200))
  }
}
