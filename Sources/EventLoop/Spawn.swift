// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc

/// The reason why a program could not be started.
struct SpawnError: Error, Sendable {
  let message: String

  init(_ what: String, _ code: Int32) {
    // The system's text, 'Argument list too long', names only one of the two.
    let reason =
      code == E2BIG ? "the arguments and the environment are too long in total" : String(cString: strerror(code))
    message = "\(what): \(reason)"
  }
}

/// Owns the descriptors of a started child: its handle, its input and its output.
///
/// The child gets a session of its own, no descriptors but the three standard ones, no blocked signals, and runs its
/// program directly, without a shell.
struct Spawn: ~Copyable {
  let processID: pid_t
  /// Readable once the child has ended; closed with this value.
  let handle: Int32
  /// The pipe to its input; nil if it has none, or one that is not ours.
  private(set) var input: Int32?
  /// The pipe from its output; nil if the output is discarded.
  private(set) var output: Int32?
  /// Whether a process that goes on writing needs a reader of the pipe.
  let needsReader: Bool

  /// What the child reads.
  enum Input {
    case nothing
    /// What is written to this value.
    case pipe
    /// The descriptor, which stays the caller's.
    case descriptor(Int32)
  }

  /// Which output to capture.
  enum Output {
    case discarded
    /// Standard output and standard error together.
    case all
    /// Standard output only.
    case answer
    /// Standard error only, as long as it is read: later, what fits into the pipe goes there, and more is refused.
    case errors
  }

  /// Waits until the child has reached its program: call it on a thread that may wait.
  init(_ invocation: Invocation, input wantedInput: Input, output wantedOutput: Output) throws(SpawnError) {
    let program = try invocation.findProgram()
    let inputPipe: (reading: Int32, writing: Int32)? = if case .pipe = wantedInput { try Self.pipe() } else { nil }
    let outputPipe = wantedOutput == .discarded ? nil : try? Self.pipe()
    var start = linux_start()
    start.input = inputPipe?.reading ?? -1
    if case .descriptor(let descriptor) = wantedInput { start.input = descriptor }
    let writing = outputPipe.map { pipe in wantedOutput == .errors ? Self.independent(pipe.writing) : pipe.writing }
    start.output = wantedOutput == .errors ? -1 : writing ?? -1
    start.errors = wantedOutput == .answer ? -1 : writing ?? -1
    var processID: pid_t = 0
    let code = invocation.start(program, &start, &processID)
    // The child has its ends now, or there is no child.
    if let inputPipe { close(inputPipe.reading) }
    if let writing, writing >= 0 { close(writing) }
    guard code == 0 else {
      if let inputPipe { close(inputPipe.writing) }
      if let outputPipe { close(outputPipe.reading) }
      throw SpawnError(invocation.name, code)
    }
    self.processID = processID
    // It has not been reaped, so the number is still valid.
    handle = pidfd_open(processID, 0)
    input = inputPipe?.writing
    output = outputPipe?.reading
    needsReader = wantedOutput != .errors
    if let input { _ = fcntl(input, F_SETFL, O_NONBLOCK) }
    if let output { _ = fcntl(output, F_SETFL, O_NONBLOCK) }
  }

  deinit {
    for descriptor in [handle, input ?? -1, output ?? -1] where descriptor >= 0 { close(descriptor) }
  }

  /// Writes as much as the child's pipe accepts now. Returns the number of bytes, or nil if the child does not read any
  /// more.
  func write(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard let input else { return nil }
    // SIGPIPE, from a child that ended without reading, must not end us. Whether the program ignores the signal is up
    // to the program.
    var pipeSignal = sigset_t()
    var before = sigset_t()
    sigemptyset(&pipeSignal)
    sigaddset(&pipeSignal, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &pipeSignal, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let count = bytes.withUnsafeBytes { Glibc.write(input, $0.baseAddress, $0.count) }
    if count >= 0 { return count }
    let reason = errno
    var atOnce = timespec()
    if reason == EPIPE { sigtimedwait(&pipeSignal, nil, &atOnce) }
    return reason == EAGAIN ? 0 : nil
  }

  /// Closes the child's input.
  mutating func endInput() {
    if let input { close(input) }
    input = nil
  }

  /// Returns the pipe from the child's output, which the caller must close.
  mutating func giveUpOutput() -> Int32? { output.take() }

  /// An end of the pipe for a program that may run for days: it can also read, so that it never gets SIGPIPE, and it
  /// does not wait for a reader. Closes the given end; returns -1 on failure, which discards the output.
  private static func independent(_ writing: Int32) -> Int32 {
    defer { close(writing) }
    return open("/proc/self/fd/\(writing)", O_RDWR | O_NONBLOCK | O_CLOEXEC)
  }

  private static func pipe() throws(SpawnError) -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    guard pipe2(&ends, O_CLOEXEC) == 0 else { throw SpawnError("pipe2", errno) }
    if DescriptorLimit.isReserved(ends[1]) {
      for end in ends { close(end) }
      throw SpawnError("pipe2", EMFILE)
    }
    return (ends[0], ends[1])
  }
}
