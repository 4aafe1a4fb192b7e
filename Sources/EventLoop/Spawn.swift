// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc
internal import SystemFiles

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

  /// Which output to capture.
  enum Output {
    case discarded
    /// Standard output and standard error together.
    case all
    /// Standard output only.
    case answer
  }

  init(
    _ words: [String], adding variables: [String: String], withholding withheld: Set<String> = [],
    folder: String? = nil,
    hasInput: Bool, reading source: Int32? = nil, output wanted: Output
  ) throws(SpawnError) {
    guard let name = words.first, !name.isEmpty else { throw SpawnError("no program given", ENOENT) }
    // Not by posix_spawnp: it would look in the working folder if PATH has an empty or relative entry.
    guard let program = name.contains("/") ? name : ProgramSearch.current.path(of: name) else {
      throw SpawnError(name, ENOENT)
    }
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    let inputPipe = hasInput ? try Self.pipe() : nil
    let outputPipe = wanted == .discarded ? nil : try? Self.pipe()
    if let inputPipe {
      posix_spawn_file_actions_adddup2(&actions, inputPipe.reading, 0)
    } else if let source {
      posix_spawn_file_actions_adddup2(&actions, source, 0)
    } else {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    if let outputPipe {
      posix_spawn_file_actions_adddup2(&actions, outputPipe.writing, 1)
    } else {
      posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    }
    if wanted == .answer {
      posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    } else {
      posix_spawn_file_actions_adddup2(&actions, 1, 2)
    }
    posix_spawn_file_actions_addclosefrom_np(&actions, 3)
    if let folder { posix_spawn_file_actions_addchdir_np(&actions, folder) }
    Self.prepare(&attributes)

    var processID: pid_t = 0
    let code = program.withCString { program in
      Self.withStrings(words) { arguments in
        Self.withEnvironment(adding: variables, withholding: withheld) { environment in
          DescriptorLimit.withOriginal {
            posix_spawn(&processID, program, &actions, &attributes, arguments, environment)
          }
        }
      }
    }
    // The child has its ends now, or there is no child.
    if let inputPipe { close(inputPipe.reading) }
    if let outputPipe { close(outputPipe.writing) }
    guard code == 0 else {
      if let inputPipe { close(inputPipe.writing) }
      if let outputPipe { close(outputPipe.reading) }
      throw SpawnError(name, code)
    }
    self.processID = processID
    // It has not been reaped, so the number is still valid.
    handle = pidfd_open(processID, 0)
    input = inputPipe?.writing
    output = outputPipe?.reading
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

  /// Starts a program that reads and discards what processes of another child's session still write to a pipe. If it
  /// cannot be started and the pipe is closed, a process that writes gets SIGPIPE.
  init(readingOn output: Int32) throws(SpawnError) {
    // `cat` waits for its input, as most programs do.
    _ = fcntl(output, F_SETFL, 0)
    // The shell ends at once, so this process need not reap the reader. POSIX detaches the input of background commands
    // of a shell, hence the redirection through 3.
    try self.init(
      ["/bin/sh", "-c", "{ cat <&3 3<&- & } 3<&0"], adding: [:], hasInput: false, reading: output, output: .discarded)
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

  private static func prepare(_ attributes: inout posix_spawnattr_t) {
    // Our loop blocks the signals that it reads, and libdbus ignores SIGPIPE; the child must not inherit either.
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF) | linux_spawn_setsid)
  }

  /// Our environment without removed and replaced variables, plus the added ones. Unchanged variables are not copied:
  /// there may be a hundred, and a user waits for the click.
  private static func withEnvironment<T>(
    adding variables: [String: String], withholding withheld: Set<String>,
    _ body: ([UnsafeMutablePointer<CChar>?]) -> T
  ) -> T {
    let added = variables.map { "\($0)=\($1)" }
    return withStrings(added) { added in
      var all: [UnsafeMutablePointer<CChar>?] = []
      all.reserveCapacity(128)
      var next = environ
      while let entry = next.pointee {
        next += 1
        // Skip entries without `=`.
        guard let end = strchr(entry, Int32(UInt8(ascii: "="))) else { continue }
        let length = end - entry
        // Includes the `=`.
        let isReplaced =
          added.contains { $0.map { strncmp($0, entry, length + 1) == 0 } ?? false }
          || withheld.contains { $0.utf8.count == length && strncmp($0, entry, length) == 0 }
        if !isReplaced { all.append(entry) }
      }
      return body(all + added)
    }
  }

  private static func withStrings<T>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> T
  ) -> T {
    let copies: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return body(copies)
  }
}
