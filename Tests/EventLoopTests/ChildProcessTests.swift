// SPDX-License-Identifier: Apache-2.0
// Sleeps are meant: programs that last, and readers that begin late.
import EventLoop
import Foundation
import TestSupport
import Testing

/// Tests starting programs: their endings, time limits, output and input.
@Suite(.timeLimit(.minutes(2))) struct ChildProcessTests {
  static func run(_ command: ChildProcess.Command) async throws -> ChildProcess.Ending {
    try await withLoop { loop in await ChildProcess.run(command, on: loop) }
  }

  /// Runs a shell's line and gives what it printed last.
  static func shell(
    _ script: String, environment: [String: String] = [:], input: String? = nil, limit: Duration = .seconds(30)
  ) async throws -> ChildProcess.Ending {
    try await run(.init(["/bin/sh", "-c", script], environment: environment, input: input, limit: limit))
  }

  // MARK: Endings

  @Test(
    arguments: [
      ("exit 0", .exited(0, lastLine: "")), ("exit 3", .exited(3, lastLine: "")),
      ("exit 255", .exited(255, lastLine: "")),
      ("echo one; echo two", .exited(0, lastLine: "two")), ("printf 'one\\ntwo'", .exited(0, lastLine: "two")),
      ("echo one; echo; printf '\\n\\n'", .exited(0, lastLine: "one")),
      ("echo out; echo err >&2", .exited(0, lastLine: "err")),
      ("echo früh; exit 1", .exited(1, lastLine: "früh")), ("printf '10%%\\r20%%\\r'", .exited(0, lastLine: "20%")),
      ("kill -TERM $$", .signalled(SIGTERM)), ("kill -KILL $$", .signalled(SIGKILL)),
      ("kill -PIPE $$", .signalled(SIGPIPE)),
    ] as [(String, ChildProcess.Ending)])
  func `The ending of a program is reported`(_ script: String, _ ending: ChildProcess.Ending) async throws {
    #expect(try await Self.shell(script) == ending)
  }

  /// The child's end and its output become known in the same turn of the loop, with a whole pipe yet unread.
  @Test func `The last line is found behind any amount of output`() async throws {
    for count in [5_000, 60_000, 65_536, 300_000] {
      let script = "head -c \(count) /dev/zero | tr '\\0' '\\n'; echo last"
      #expect(try await Self.shell(script) == .exited(0, lastLine: "last"))
    }
  }

  @Test func `A long last line is cut`() async throws {
    let ending = try await Self.shell("head -c 100000 /dev/zero | tr '\\0' x")
    #expect(ending == .exited(0, lastLine: String(repeating: "x", count: 200)))
  }

  @Test func `The errors of a program without a limit are kept, and not its output`() async throws {
    try await withLoop { loop in
      for (script, line) in [
        ("echo out; echo a >&2; echo last >&2", "last"), ("echo out", ""), ("echo reopened >/dev/stderr", "reopened"),
        ("head -c 60000 /dev/zero | tr '\\0' '\\n' >&2; echo last >&2", "last"),
      ] {
        var command = ChildProcess.Command(["/bin/sh", "-c", script])
        command.keepsErrors = true
        #expect(await ChildProcess.run(command, on: loop) == .exited(0, lastLine: line), "\(script)")
      }
    }
  }

  /// A browser that xdg-open has started goes on writing to standard error, which has no reader then.
  @Test func `A process left behind may write errors without a reader, and is neither ended nor held up`() async throws
  {
    let folder = try TemporaryFolder()
    try await withLoop { loop in
      var command = ChildProcess.Command([
        "/bin/sh", "-c",
        """
        (read line <\(folder.path("go")); head -c 200000 /dev/zero >&2 2>/dev/null; echo lives >\(folder.path("end"))) &
        echo last >&2; exit 3
        """,
      ])
      #expect(mkfifo(folder.path("go"), 0o600) == 0 && mkfifo(folder.path("end"), 0o600) == 0)
      command.keepsErrors = true
      #expect(await ChildProcess.run(command, on: loop) == .exited(3, lastLine: "last"))
    }
    let file = try #require(fopen(folder.path("go"), "w"))
    fputs("go\n", file)
    fclose(file)
    let end = try #require(FileHandle(forReadingAtPath: folder.path("end")))
    #expect(try end.readToEnd() == Data("lives\n".utf8))
  }

  @Test func `A process left behind does not delay the ending`() async throws {
    let start = ContinuousClock.now
    #expect(try await Self.shell("sleep 20 & echo first") == .exited(0, lastLine: "first"))
    #expect(ContinuousClock.now - start < .seconds(10))
  }

  @Test(arguments: [
    (["/nowhere/at-all"], "/nowhere/at-all: No such file or directory"),
    (["surely-no-such-program"], "surely-no-such-program: No such file or directory"),
    (["/etc/passwd"], "/etc/passwd: Permission denied"), (["/tmp"], "/tmp: Permission denied"),
    ([], "no program given: No such file or directory"), ([""], "no program given: No such file or directory"),
  ])
  func `A program that cannot be started gives the reason`(_ words: [String], _ reason: String) async throws {
    #expect(try await Self.run(.init(words, input: "a", limit: .seconds(5))) == .notStarted(reason))
  }

  @Test func `A text file is not run by a shell`() async throws {
    let folder = try TemporaryFolder()
    let script = try folder.write("exit 0\n", to: "script", executable: true)
    #expect(try await Self.run(.init([script])) == .notStarted("\(script): Exec format error"))
  }

  // MARK: Time

  @Test func `A program over its limit is asked to end with all that it started`() async throws {
    let folder = try TemporaryFolder()
    let script = "sleep 60 & echo $! >\(folder.path("child")); echo $$ >\(folder.path("self")); wait"
    #expect(try await Self.shell(script, limit: .milliseconds(300)) == .timedOut)
    for name in ["self", "child"] {
      let process = try #require(folder.read(name).flatMap { Int32($0.trimmingCharacters(in: .newlines)) })
      // Gone, or about to be: the kernel takes its time, and init collects it.
      let isGone = try await withLoop { loop in
        guard let handle = ProcessHandle(process) else { return true }
        return await loop.awaitEnd(of: handle, within: .seconds(20))
      }
      #expect(isGone)
    }
  }

  @Test func `A program that ignores the request to end is killed`() async throws {
    let start = ContinuousClock.now
    #expect(try await Self.shell("trap '' TERM; while :; do sleep 1; done", limit: .milliseconds(100)) == .timedOut)
    #expect(ContinuousClock.now - start > .seconds(5))
  }

  @Test func `A program that ends on request is reported as timed out`() async throws {
    #expect(try await Self.shell("trap 'exit 0' TERM; sleep 60 & wait", limit: .milliseconds(100)) == .timedOut)
  }

  @Test func `The limit of the wait ends it and not the program`() async throws {
    try await withLoop { loop in
      let folder = try TemporaryFolder()
      let (number, gate) = (folder.path("number"), folder.path("gate"))
      #expect(mkfifo(gate, 0o600) == 0)
      var command = ChildProcess.Command(["/bin/sh", "-c", "echo $$ >\(number); read line <\(gate)"])
      command.waitLimit = .milliseconds(300)
      #expect(await ChildProcess.run(command, on: loop) == .running)
      let process = try #require(folder.read("number"))
      // Opening waits for the reader, so the reader is known to run.
      try FileHandle(forWritingTo: URL(filePath: gate)).close()
      // A zombie still has its number: this ends only when the loop has collected it.
      let witness = "while kill -0 \(process.dropLast()); do sleep 0.01; done 2>/dev/null; echo gone"
      let ending = await ChildProcess.run(.init(["/bin/sh", "-c", witness], limit: .seconds(20)), on: loop)
      #expect(ending == .exited(0, lastLine: "gone"))
    }
  }

  /// It stayed a zombie, which keeps a later exit test from seeing the end of its own process.
  @Test func `A program that outlives its loop is collected`() async throws {
    let folder = try TemporaryFolder()
    let gate = folder.path("gate")
    #expect(mkfifo(gate, 0o600) == 0)
    let started = Inbox<Int32>()
    var command = ChildProcess.Command(["/bin/sh", "-c", "read line <\(gate)"])
    command.whenStarted = { started.put($0) }
    let loop = try EventLoop.onOwnThread(named: "short")
    let running = Task { [command] in await ChildProcess.run(command, on: loop) }
    let process = try await started.next()
    loop.stopAndWait()
    #expect(await running.value == .running)
    // Opening waits for the reader.
    try FileHandle(forWritingTo: URL(filePath: gate)).close()
    // A zombie still has its number.
    let witness = "while kill -0 \(process); do sleep 0.01; done 2>/dev/null; echo gone"
    #expect(try await Self.shell(witness, limit: .seconds(20)) == .exited(0, lastLine: "gone"))
  }

  /// One of the two deadlines used to be forgotten, and later hit another process with the same number.
  @Test func `The limits of the wait and of the program work together`() async throws {
    try await withLoop { loop in
      let quick = ChildProcess.Command(["true"], limit: .milliseconds(200), waitLimit: .seconds(60))
      #expect(await ChildProcess.run(quick, on: loop) == .exited(0, lastLine: ""))
      let slow = ChildProcess.Command(["sleep", "60"], limit: .milliseconds(100), waitLimit: .seconds(60))
      #expect(await ChildProcess.run(slow, on: loop) == .timedOut)
      let folder = try TemporaryFolder()
      let number = folder.path("number")
      let running = ChildProcess.Command(
        ["/bin/sh", "-c", "echo $$ >\(number); exec sleep 0.5"], limit: .seconds(60), waitLimit: .milliseconds(300))
      #expect(await ChildProcess.run(running, on: loop) == .running)
      // It is still collected when it ends.
      let process = try #require(folder.read("number"))
      let witness = "while kill -0 \(process.dropLast()); do sleep 0.01; done 2>/dev/null"
      #expect(
        await ChildProcess.run(.init(["/bin/sh", "-c", witness], limit: .seconds(20)), on: loop)
          == .exited(0, lastLine: ""))
    }
  }

  // MARK: Answers

  @Test(
    arguments: [
      ("printf 'früh\\n\\n'; echo no >&2; exit 3", .exited(3, lastLine: ""), "früh\n\n"),
      ("true", .exited(0, lastLine: ""), ""), ("head -c 100 /dev/zero", .exited(0, lastLine: ""), nil),
      ("printf %099d 1", .exited(0, lastLine: ""), String(repeating: "0", count: 98) + "1"),
      ("echo half; kill -KILL $$", .signalled(SIGKILL), "half\n"),
    ] as [(String, ChildProcess.Ending, String?)])
  func `An answer is the whole standard output`(
    _ script: String, _ ending: ChildProcess.Ending, _ output: String?
  ) async throws {
    let answer = try await withLoop { loop in
      await ChildProcess.ask(.init(["/bin/sh", "-c", script], limit: .seconds(30)), longest: 99, on: loop)
    }
    #expect(answer.output == output)
    switch (answer.ending, ending) {
    case (.exited(let status, _), .exited(let expected, _)): #expect(status == expected)
    default: #expect(answer.ending == ending)
    }
  }

  @Test func `Cancelling the wait for an answer ends the program`() async throws {
    try await withLoop { loop in
      let folder = try TemporaryFolder()
      try #require(mkfifo(folder.path("started"), 0o600) == 0)
      // One of them does not want to go.
      for (manners, graceIsOver) in [("", false), ("trap '' TERM;", true)] {
        let script = "\(manners) echo >\(folder.path("started")); while :; do sleep 0.01; done"
        let command = ChildProcess.Command(["/bin/sh", "-c", script], grace: .milliseconds(100))
        let asking = Task { await ChildProcess.ask(command, on: loop) }
        #expect(await ChildProcess.run(.init(["cat", folder.path("started")]), on: loop) == .exited(0, lastLine: ""))
        let start = ContinuousClock.now
        asking.cancel()
        #expect(await asking.value.ending == .timedOut)
        #expect((ContinuousClock.now - start >= .milliseconds(100)) == graceIsOver)
      }
      let late = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return await ChildProcess.ask(.init(["/bin/sh", "-c", "echo >\(folder.path("late"))"]), on: loop)
      }
      #expect(await late.value.ending == .timedOut)
      #expect(folder.read("late") == nil)
    }
  }

  // MARK: Input

  @Test func `A program reads the given input`() async throws {
    #expect(try await Self.shell("cat", input: "früh\n") == .exited(0, lastLine: "früh"))
    #expect(try await Self.shell("wc -c", input: "") == .exited(0, lastLine: "0"))
    let long = String(repeating: "a line\n", count: 300_000)
    #expect(try await Self.shell("sleep 0.2; wc -c", input: long) == .exited(0, lastLine: "\(long.utf8.count)"))
    // Back and forth through both pipes.
    #expect(try await Self.shell("cat", input: long + "last") == .exited(0, lastLine: "last"))
  }

  @Test func `A program without input reads from /dev/null`() async throws {
    #expect(try await Self.shell("wc -c; readlink /proc/self/fd/0") == .exited(0, lastLine: "/dev/null"))
  }

  @Test func `A program that does not read its input is not waited for`() async throws {
    let long = String(repeating: "x", count: 1_000_000)
    #expect(try await Self.shell("echo enough", input: long) == .exited(0, lastLine: "enough"))
    #expect(try await Self.shell("exec <&-; sleep 0.3; echo enough", input: long) == .exited(0, lastLine: "enough"))
    #expect(try await Self.shell("head -c 1 | wc -c", input: long) == .exited(0, lastLine: "1"))
  }

  /// libdbus ignores SIGPIPE for the whole program, which hid that we did not.
  @Test func `A child that does not read its input causes no SIGPIPE`() async throws {
    await #expect(processExitsWith: .success) {
      signal(SIGPIPE, SIG_DFL)
      let loop = try EventLoop()
      // A thread that takes all signals, as main does.
      Foundation.Thread.detachNewThread { loop.run() }
      for _ in 0..<20 {
        let command = ChildProcess.Command(
          ["/bin/sh", "-c", "exec <&-; sleep 0.05; echo enough"], input: String(repeating: "x", count: 200_000),
          limit: .seconds(20))
        let ending = await ChildProcess.run(command, on: loop)
        guard ending == .exited(0, lastLine: "enough") else { exit(1) }
      }
      exit(0)
    }
  }

  // MARK: Many

  @Test func `Five hundred concurrent children leave neither processes nor descriptors`() async throws {
    await #expect(processExitsWith: .success) {
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      limit.rlim_cur = limit.rlim_max
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      let loop = try EventLoop.onOwnThread(named: "many")
      func turn() async { await withCheckedContinuation { turn in loop.perform { turn.resume() } } }
      await turn()
      let before = OpenDescriptors.count
      let good = await withTaskGroup { group in
        for number in 0..<500 {
          group.addTask {
            // The suite's limit counts: how long this takes is up to the machine.
            let command = ChildProcess.Command(
              ["/bin/sh", "-c", "read line; echo \"$line\"; exit \(number % 3)"], input: "\(number)\n",
              limit: .seconds(3600))
            return await ChildProcess.run(command, on: loop) == .exited(Int32(number % 3), lastLine: "\(number)")
          }
        }
        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      await turn()
      #expect(good == 500)
      #expect(OpenDescriptors.count == before)
      #expect(waitpid(-1, nil, WNOHANG) == -1 && errno == ECHILD)
    }
  }

  /// What a child leaves behind holds its output for as long as it lives.
  @Test func `Processes that children leave behind cost no descriptors, and may print without limit`() async throws {
    await #expect(processExitsWith: .success) {
      let loop = try EventLoop.onOwnThread(named: "left")
      let folder = try TemporaryFolder()
      let (gate, said) = (folder.path("gate"), folder.path("said"))
      #expect(mkfifo(gate, 0o600) == 0 && mkfifo(said, 0o600) == 0)
      // Held open, so that opening one of them does not wait for the other side.
      let (key, ear) = (open(gate, O_RDWR | O_CLOEXEC), open(said, O_RDWR | O_CLOEXEC))
      func turn() async { await withCheckedContinuation { turn in loop.perform { turn.resume() } } }
      await turn()
      let before = OpenDescriptors.count
      // More than a pipe holds: it would block if the pipe were not read, and end if the pipe were closed.
      let script = """
        (read go <"$0"; head -c 200000 /dev/zero; echo talking; echo . >"$1") & echo hi
        """
      for _ in 0..<200 {
        let command = ChildProcess.Command(["/bin/sh", "-c", script, gate, said], limit: .seconds(3600))
        #expect(await ChildProcess.run(command, on: loop) == .exited(0, lastLine: "hi"))
      }
      let asked = await ChildProcess.ask(
        .init(["/bin/sh", "-c", script, gate, said], limit: .seconds(3600)), on: loop)
      #expect(asked.output == "hi\n")
      await turn()
      #expect(OpenDescriptors.count == before)
      #expect(waitpid(-1, nil, WNOHANG) == -1 && errno == ECHILD)
      #expect(write(key, String(repeating: "\n", count: 201), 201) == 201)
      var dots = 0
      var buffer = [UInt8](repeating: 0, count: 1024)
      while dots < 201 { dots += buffer[..<read(ear, &buffer, buffer.count)].count { $0 == UInt8(ascii: ".") } }
      #expect(dots == 201)
    }
  }

  /// If descriptors run out, some programs do not start; the call fails, and their descriptors are closed.
  @Test func `A start without free descriptors fails without a leak`() async throws {
    await #expect(processExitsWith: .success) {
      let loop = try EventLoop.onOwnThread(named: "few")
      func turn() async { await withCheckedContinuation { turn in loop.perform { turn.resume() } } }
      let folder = try TemporaryFolder()
      let gate = folder.path("gate")
      #expect(mkfifo(gate, 0o600) == 0)
      let key = open(gate, O_RDWR | O_CLOEXEC)
      await turn()
      let before = OpenDescriptors.count
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      limit.rlim_cur = rlim_t(try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count + 20)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      // Those that run wait until one could not: however slow the machine is, the descriptors run out.
      let command = ChildProcess.Command(
        ["/bin/sh", "-c", "read line <\"$0\"", gate], input: "a", limit: .seconds(3600))
      let endings = await withTaskGroup { group in
        for _ in 0..<50 { group.addTask { await ChildProcess.run(command, on: loop) } }
        var endings: [ChildProcess.Ending] = []
        while let ending = await group.next() {
          endings.append(ending)
          if endings.count == 1 { #expect(write(key, String(repeating: "\n", count: 50), 50) == 50) }
        }
        return endings
      }
      await turn()
      #expect(endings.count == 50 && endings.contains(.exited(0, lastLine: "")))
      let rest = endings.filter { $0 != .exited(0, lastLine: "") }
      #expect(!rest.isEmpty)
      for ending in rest {
        if case .notStarted(let why) = ending, !why.isEmpty { continue }
        Issue.record("\(ending)")
      }
      #expect(OpenDescriptors.count == before)
      #expect(waitpid(-1, nil, WNOHANG) == -1 && errno == ECHILD)
      close(key)
    }
  }
}
