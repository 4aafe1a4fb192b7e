// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Foundation
import TestSupport
import Testing

/// Tests what a child process gets: descriptors, signals, environment, folder and arguments.
extension ChildProcessTests {
  // MARK: What the child has

  @Test func `A child has three descriptors and no others`() async throws {
    // Left open on purpose, without close-on-exec, as by a careless library.
    let careless = open("/dev/null", O_RDONLY)
    let high = fcntl(careless, F_DUPFD, 200)
    defer {
      close(careless)
      close(high)
    }
    // 3 is the folder that the shell reads to answer.
    #expect(try await Self.shell("cd /proc/$$/fd; echo *") == .exited(0, lastLine: "0 1 2 3"))
    #expect(try await Self.shell("cd /proc/$$/fd; echo *", input: "") == .exited(0, lastLine: "0 1 2 3"))
  }

  @Test func `A child blocks and ignores no signals`() async throws {
    signal(SIGPIPE, SIG_IGN)
    let ending = try await withLoop { loop in
      // The loop's thread blocks all of them.
      await ChildProcess.run(
        .init(["/bin/sh", "-c", "echo $(grep -E '^Sig(Blk|Ign)' /proc/self/status)"], limit: .seconds(20)), on: loop)
    }
    guard case .exited(0, let line) = ending else {
      Issue.record("\(ending)")
      return
    }
    // glibc reserves 32 and 33: it may ignore them, and lets no program change that.
    let signals = line.split(separator: " ").compactMap { UInt64($0, radix: 16).map { $0 & ~0x1_8000_0000 } }
    #expect(signals == [0, 0])
  }

  @Test func `A child leads its own session`() async throws {
    let script = "set -- $$ $(cut -d' ' -f5,6 /proc/$$/stat); test $1 = $2 && test $2 = $3 && echo own"
    #expect(try await Self.shell(script) == .exited(0, lastLine: "own"))
  }

  @Test func `A child's environment is ours and the added variables`() async throws {
    let environment = ["SUZU_TEST_VALUE": "a=b\nc", "HOME": "/nowhere"]
    let script = "echo \"$PATH\" \"$HOME\" $(printf %s \"$SUZU_TEST_VALUE\" | tr '\\n' +)"
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    #expect(
      try await Self.shell(script, environment: environment)
        == .exited(0, lastLine: String("\(path) /nowhere a=b+c".prefix(200))))
  }

  @Test func `A child does not get withheld variables`() async throws {
    let script = "tr '\\0' '\\n' </proc/$$/environ | grep -E '^(PATH|HOME)='"
    var command = ChildProcess.Command(["/bin/sh", "-c", script], limit: .seconds(20))
    command.withheld = ["PATH", "HOME", "SUZU_NOBODY_HAS_THIS"]
    // Variables that are set take precedence over those that are removed.
    command.environment = ["HOME": "/nowhere"]
    #expect(try await Self.run(command) == .exited(0, lastLine: "HOME=/nowhere"))
  }

  @Test func `A child runs in the given folder`() async throws {
    let folder = try TemporaryFolder()
    var command = ChildProcess.Command(["pwd"], limit: .seconds(20))
    command.folder = folder.path("")
    #expect(try await Self.run(command) == .exited(0, lastLine: folder.url.path))
    command.folder = "/nowhere/at-all"
    #expect(try await Self.run(command) == .notStarted("pwd: No such file or directory"))
  }

  @Test func `The process number is known before the child's end`() async throws {
    let numbers = Inbox<Int32>()
    var command = ChildProcess.Command(["/bin/sh", "-c", "echo $$"], limit: .seconds(20))
    command.whenStarted = { numbers.put($0) }
    let ending = try await Self.run(command)
    #expect(try await ending == .exited(0, lastLine: "\(numbers.next())"))
    command.words = ["/nowhere/at-all"]
    _ = try await Self.run(command)
    #expect(numbers.waiting.isEmpty)
  }

  @Test func `Arguments arrive unchanged`() async throws {
    let words = ["printf", "%s|", "", " a  b ", "$HOME", "`id`", "\"'", "-n", "ü"]
    #expect(
      try await Self.run(.init(words, limit: .seconds(20))) == .exited(0, lastLine: "| a  b |$HOME|`id`|\"'|-n|ü|"))
  }
}
