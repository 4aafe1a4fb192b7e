// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization

/// A child process until its end is known. Its start and the loop's watches keep it alive. @unchecked: confined to the
/// loop's thread, but for `isWanted`.
final class Child: @unchecked Sendable {
  private let command: ChildProcess.Command
  private let loop: EventLoop
  private var finish: ((ChildProcess.Ending, [UInt8]) -> Void)?
  /// Nil until it has been started.
  private var spawn: Spawn?
  /// Whether it is still to be started.
  private let isWanted = Atomic(true)
  private var endWatch: EventLoop.DescriptorWatch?
  private var inputWatch: EventLoop.DescriptorWatch?
  private var outputWatch: EventLoop.DescriptorWatch?
  private var deadline: EventLoop.Deadline?
  private var waitDeadline: EventLoop.Deadline?
  private var endObservation: EventLoop.EndObservation?
  private var unwritten: ArraySlice<UInt8> = []
  private var tail: [UInt8] = []
  private var isOverdue = false
  private var isCollected = false
  /// How many bytes at the end of the output are kept.
  private let longestTail: Int

  init(
    _ command: ChildProcess.Command, keeping longestTail: Int, on loop: EventLoop,
    finish: @escaping (ChildProcess.Ending, [UInt8]) -> Void
  ) {
    self.command = command
    self.longestTail = longestTail
    self.loop = loop
    self.finish = finish
  }

  // MARK: Starting

  func start(output: Spawn.Output) {
    let input: Spawn.Input = command.input == nil ? .nothing : .pipe
    start { [self] invocation throws(SpawnError) in
      guard isWanted.load(ordering: .relaxed) else { throw SpawnError(invocation.name, ECANCELED) }
      return try Spawn(invocation, input: input, output: output)
    }
  }

  /// Its time counts from here, because starting it may take a while.
  private func start(_ spawn: @escaping @Sendable (Invocation) throws(SpawnError) -> Spawn) {
    if let limit = command.limit { deadline = loop.schedule(after: limit) { self.timeIsOver() } }
    if let limit = command.waitLimit { waitDeadline = loop.schedule(after: limit) { self.tell(.running) } }
    endObservation = loop.onEnd { self.outliveLoop() }
    let invocation = Invocation(
      command.words, adding: command.environment, withholding: command.withheld, folder: command.folder)
    ProgramStarter.shared.add { [self] in
      let start = StartedProgram { () throws(SpawnError) in try spawn(invocation) }
      loop.perform { self.started(start) }
    }
  }

  private func started(_ start: StartedProgram) {
    do throws(SpawnError) {
      spawn = try start.take()
    } catch {
      return collected(isOverdue ? .timedOut : .notStarted(error.message))
    }
    follow()
  }

  private func follow() {
    guard let processID = spawn?.processID, let handle = spawn?.handle else { return }
    command.whenStarted?(processID)
    // It was started while the loop ended, which watches nothing any more.
    if loop.hasEnded { return outliveLoop() }
    // Without pidfd_open (before kernel 5.3), or without a free descriptor, its end could not be observed.
    endWatch = try? loop.watch(handle, for: .readable) { _ in self.hasEnded() }
    guard endWatch != nil else {
      // Its session, which it leads since before its program started. It has not been reaped: see `endSession`.
      kill(-processID, SIGKILL)
      waitpid(processID, nil, 0)
      return collected(.notStarted("no descriptor left to watch it with"))
    }
    if let input = command.input, let descriptor = spawn?.input {
      unwritten = Array(input().utf8)[...]
      inputWatch = try? loop.watch(descriptor, for: .writable) { _ in self.writeInput() }
    }
    if let descriptor = spawn?.output {
      outputWatch = try? loop.watch(descriptor, for: .readable) { _ in self.readOutput() }
    }
    // Its time has passed while it was being started.
    if isOverdue {
      deadline?.cancel()
      endSession(SIGTERM)
      deadline = loop.schedule(after: command.grace) { self.endSession(SIGKILL) }
    }
  }

  // MARK: Running

  private func tell(_ ending: ChildProcess.Ending) {
    finish?(ending, tail)
    finish = nil
  }

  private func writeInput() {
    let count = spawn?.write(unwritten) ?? nil
    unwritten.removeFirst(count ?? 0)
    // All is written, or the child does not read: in both cases it gets the end of its input.
    if unwritten.isEmpty || count == nil { endInput() }
  }

  private func endInput() {
    inputWatch?.cancel()
    inputWatch = nil
    spawn?.endInput()
  }

  /// Keeps the last few lines: a program with endless output uses no memory here.
  private func readOutput() {
    guard let descriptor = spawn?.output else { return }
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
  /// reuse that of a process group, or of a process that was not reaped. `hasEnded` and `outliveLoop` reap it, and
  /// prevent every later call of this.
  private func endSession(_ signal: Int32) {
    if let processID = spawn?.processID, !isCollected { kill(-processID, signal) }
  }

  private func timeIsOver() {
    isWanted.store(false, ordering: .relaxed)
    endSession(isOverdue ? SIGKILL : SIGTERM)
    if !isOverdue {
      isOverdue = true
      deadline = loop.schedule(after: command.grace) { self.timeIsOver() }
    } else if spawn == nil {
      // The system still tries to start it. It ends as soon as that succeeds.
      tell(.timedOut)
    }
  }

  /// The loop has ended, and watches nothing any more: a thread waits in its place, so that no zombie stays behind.
  private func outliveLoop() {
    tell(.running)
    guard let processID = spawn?.processID, !isCollected else { return }
    isCollected = true
    endWatch?.cancel()
    // If there are too many threads, it is collected when this program ends.
    _ = try? NamedThread(named: "collects", stack: 64 << 10) { waitpid(processID, nil, 0) }
  }

  private func hasEnded() {
    guard let processID = spawn?.processID else { return }
    // Processes of its session may remain; they got the same time. Signal them before the number can be reused.
    if isOverdue { endSession(SIGKILL) }
    var status: Int32 = 0
    guard waitpid(processID, &status, WNOHANG) == processID else { return }
    isCollected = true
    // Reads the last output: as much as a pipe holds, because a remaining process may still write to it.
    for _ in 0..<16 where outputWatch != nil { readOutput() }
    let signal = status & 0x7f
    if isOverdue {
      collected(.timedOut)
    } else if signal != 0 {
      collected(.signalled(signal))
    } else {
      collected(.exited((status >> 8) & 0xff, lastLine: lastLine))
    }
  }

  /// There is no process, or no longer: ends everything that waits for it, and reports the ending.
  private func collected(_ ending: ChildProcess.Ending) {
    isCollected = true
    endWatch?.cancel()
    inputWatch?.cancel()
    deadline?.cancel()
    waitDeadline?.cancel()
    endObservation?.cancel()
    leave(ending)
  }

  /// Reports the ending. If a remaining process still holds the output, a reader takes over the pipe first: keeping it
  /// would use a descriptor for as long as that process lives, and closing it would end the process at its next write.
  private func leave(_ ending: ChildProcess.Ending) {
    let output = outputWatch == nil || spawn?.needsReader == false ? nil : spawn?.giveUpOutput()
    outputWatch?.cancel()
    outputWatch = nil
    // Its descriptors are closed when the ending is known.
    spawn = nil
    guard let output else { return tell(ending) }
    // `cat` waits for its input, as most programs do.
    _ = fcntl(output, F_SETFL, 0)
    // The shell ends at once, so this process need not reap the reader. POSIX detaches the input of background commands
    // of a shell, hence the redirection through 3. If it cannot be started, a process that still writes gets SIGPIPE.
    let command = ChildProcess.Command(["/bin/sh", "-c", "{ cat <&3 3<&- & } 3<&0"], limit: .seconds(10))
    // After the shell has been reaped as well: until then the loop has work.
    let passing = Child(command, keeping: 0, on: loop) { _, _ in self.tell(ending) }
    passing.start { invocation throws(SpawnError) in
      defer { close(output) }
      return try Spawn(invocation, input: .descriptor(output), output: .discarded)
    }
  }

  private var lastLine: String { LastLine.of(tail) }
}

/// Carries the result of a start from its thread to the loop. @unchecked: the thread has let go of it when the loop
/// takes it.
private final class StartedProgram: @unchecked Sendable {
  private var spawn: Spawn?
  private var error: SpawnError?

  init(_ start: () throws(SpawnError) -> Spawn) {
    do throws(SpawnError) { spawn = try start() } catch { self.error = error }
  }

  /// The program, once.
  func take() throws(SpawnError) -> Spawn {
    if let spawn = spawn.take() { return spawn }
    throw error ?? SpawnError("", ECANCELED)
  }
}
