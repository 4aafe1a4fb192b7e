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
    /// Whether the end of standard error is kept, also without a limit: for a program that goes on, or leaves others
    /// behind, for days. They never get SIGPIPE, and use no descriptor of ours.
    public var keepsErrors = false
    /// Receives the process id once the program has started, on the loop and before the process can be reaped.
    public var whenStarted: (@Sendable (Int32) -> Void)?
    /// Produces the standard input once the program has started; nil for none.
    public var input: (@Sendable () -> String)?
    /// The time limit, including the time to start; nil for none, in which case the output is discarded.
    public var limit: Duration?
    /// The time between SIGTERM and SIGKILL.
    public var grace: Duration
    /// The time after which the caller stops waiting for the end; nil to wait for ever.
    public var waitLimit: Duration?

    /// Creates a command.
    public init(
      _ words: [String], environment: [String: String] = [:], input: String? = nil, limit: Duration? = nil,
      grace: Duration = .seconds(5), waitLimit: Duration? = nil
    ) {
      self.words = words
      self.environment = environment
      if let input { self.input = { input } }
      self.limit = limit
      self.grace = grace
      self.waitLimit = waitLimit
    }
  }

  /// How a program ended.
  public enum Ending: Hashable, Sendable {
    /// It exited with this status; `lastLine` is the last line of its output, or of the errors that were kept.
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
          let child = Child(command, keeping: longest + 1, on: loop) { ending, output in
            let isWhole = output.count <= longest
            continuation.resume(
              returning: Answer(ending: ending, output: isWhole ? String(decoding: output, as: UTF8.self) : nil))
          }
          cancellation.child = child
          child.start(output: .answer)
        }
      }
    } onCancel: {
      loop.perform { cancellation.come() }
    }
  }

  /// Runs a command until it ends or the caller stops waiting. Programs begin to start in the order of the calls.
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
    Child(command, keeping: 4096, on: loop) { ending, _ in verdict.tell(ending) }
      .start(output: command.limit != nil ? .all : command.keepsErrors ? .errors : .discarded)
  }

  /// Waits until all programs have started or could not be started, and have got their input; at most for `limit`.
  public static func finishStarting(within limit: Duration, on loop: EventLoop) async {
    await loop.withContinuation { continuation in
      loop.perform {
        let wait = StartWait(continuation)
        wait.deadline = loop.schedule(after: limit) { wait.finish() }
        ProgramStarter.shared.whenIdle { loop.perform { wait.finish() } }
      }
    }
    // Each pipe takes its input in the turn after the start.
    await loop.nextTurn()
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

/// Waits for starts or a deadline. @unchecked: used on the loop's thread only, inside `perform`.
private final class StartWait: @unchecked Sendable {
  private var continuation: CheckedContinuation<Void, Never>?
  var deadline: EventLoop.Deadline?

  init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = continuation }

  func finish() {
    deadline?.cancel()
    continuation.take()?.resume()
  }
}

/// Carries a cancellation to a child. @unchecked: used on the loop's thread only, inside `perform`.
private final class Cancellation: @unchecked Sendable {
  private(set) var hasCome = false
  /// Weak, because its start and its watches keep it alive until it ends.
  weak var child: Child?

  func come() {
    hasCome = true
    child?.end()
  }
}
