// SPDX-License-Identifier: Apache-2.0
// Sleeps are meant: a sleep of the shell is the long command.
import EventLoop
import Foundation
import TestSupport
import Testing

/// Tests the hooks of `suzu run --hook` in the real shells, on real terminals.
@Suite(
  .onOwnThread, .timeLimit(.minutes(3)),
  .enabled(
    if: TypedShell.canMakeTerminals, "no pseudo-terminals here: is /dev/pts mounted, as in a chroot it may not be?"))
struct ShellHookTests {
  private static let shells = TypedShell.Kind.allCases.filter(\.isInstalled)

  private static func load(_ shell: TypedShell.Kind, _ flags: String = "--over 200ms") -> String {
    switch shell {
    case .bash, .zsh: "eval \"$(suzu run --hook \(shell.rawValue) \(flags))\""
    case .fish: "suzu run --hook fish \(flags) | source"
    }
  }

  private static func run(
    _ kind: TypedShell.Kind, variables: [String: String] = [:],
    _ body: @escaping @Sendable (TypedShell, ScriptedServer) async throws -> Void
  ) async throws {
    let session = try Session()
    try await withLoop { loop in
      let server = try await ScriptedServer.start(on: session.bus, loop, capabilities: ["actions", "body"])
      try await body(try TypedShell(kind, in: session, variables: variables), server)
    }
  }

  @Test(arguments: shells)
  func `A long command is told, with its status`(kind: TypedShell.Kind) async throws {
    try await Self.run(kind) { shell, server in
      shell.type(Self.load(kind))
      shell.type("true")
      shell.type("sleep 0.3")
      let first = try await server.posted.next(within: .seconds(20))
      #expect(first.summary == "sleep 0.3 finished" && first.body.hasPrefix("took 3"), "\(first)")
      shell.type("sh -c 'sleep 0.3; exit 3'")
      let second = try await server.posted.next(within: .seconds(20))
      #expect(second.summary == "sh -c 'sleep 0.3; exit 3' failed" && second.body.hasPrefix("exit status 3 after 3"))
    }
  }

  @Test(arguments: shells)
  func `Programs that the user works in are no news, and a hidden command is not named`(
    kind: TypedShell.Kind
  ) async throws {
    try await Self.run(kind) { shell, server in
      if kind == .bash { shell.type("HISTCONTROL=ignorespace") }
      shell.type(Self.load(kind, "--over 200ms --skip sleep"))
      shell.type("sleep 0.3")
      shell.type("/bin/sleep 0.3")
      shell.type(kind == .fish ? "function gdb; sleep 0.3; end" : "gdb() { sleep 0.3; }")
      shell.type("gdb")
      shell.type(" env SECRET=1 sleep 0.3")
      let posted = try await server.posted.next(within: .seconds(20))
      #expect(posted.summary == "A command finished")
    }
  }

  // The flags of the request come from the user's start-up file.
  @Test(arguments: shells)
  func `The flags of the hook are those of each notification`(kind: TypedShell.Kind) async throws {
    try await Self.run(kind) { shell, server in
      shell.type(Self.load(kind, "--over 200ms --app-name \"It's mine\" --level critical"))
      shell.type("sleep 0.3")
      let posted = try await server.posted.next(within: .seconds(20))
      #expect(
        posted.appName == "It's mine" && posted.hints["urgency"].map { "\($0)" }?.contains("2") == true, "\(posted)")
    }
  }

  @Test func `What others have put into bash's hooks goes on, with the right status`() async throws {
    try await Self.run(.bash) { shell, server in
      shell.type("PROMPT_COMMAND='echo \"theirs $? ${PIPESTATUS[*]}\"'; PS0='begins $((6 * 7)) '")
      shell.type(Self.load(.bash))
      shell.type(Self.load(.bash))
      shell.type("(exit 7)")
      let first = try await offPool { shell.readLines(until: "theirs 7 7") }
      #expect(first?.contains { $0.contains("begins 42 ") } == true)
      shell.type("true | false | true")
      let second = try await offPool { shell.readLines(until: "theirs 0 0 1 0") }
      #expect(second != nil)
      shell.type("sleep 0.3")
      #expect(try await server.posted.next(within: .seconds(20)).summary == "sleep 0.3 finished")
    }
  }

  @Test(.enabled(if: TypedShell.Kind.zsh.isInstalled, "no zsh here"))
  func `What others have put into zsh's hooks goes on, with the right status`() async throws {
    try await Self.run(.zsh) { shell, server in
      shell.type("precmd() { print \"theirs $? $pipestatus\" }")
      shell.type(Self.load(.zsh))
      shell.type("(exit 7)")
      let first = try await offPool { shell.readLines(until: "theirs 7 7") }
      #expect(first != nil)
      shell.type("sleep 0.3")
      #expect(try await server.posted.next(within: .seconds(20)).summary == "sleep 0.3 finished")
    }
  }

  // The limit is 1 ms; a tenth of that is usual.
  @Test(arguments: [
    (
      TypedShell.Kind.bash,
      """
      f() { local i=0 from=${EPOCHREALTIME/[.,]/}; for ((; i < 200; i++)); do : "${PS0@P}"; _suzu_ended; done; \
      c=cost; echo "$c: $(( (${EPOCHREALTIME/[.,]/} - from) / 200 )) us"; }; f
      """
    ),
    (
      .zsh,
      """
      f() { local -F from=$EPOCHREALTIME; local -i i; for ((i = 0; i < 200; i++)); do _suzu_begun true; _suzu_ended; done; \
      c=cost; print "$c: $(( int(($EPOCHREALTIME - from) * 1000000 / 200) )) us"; }; zmodload zsh/mathfunc; f
      """
    ),
  ])
  func `A short command costs less than a millisecond`(kind: TypedShell.Kind, line: String) async throws {
    guard kind.isInstalled else { return print("hooks: no \(kind) here, not tested") }
    try await Self.run(kind) { shell, _ in
      shell.type(Self.load(kind, ""))
      shell.type(line)
      let lines = try await offPool { shell.readLines(until: "cost: ") }
      let cost = lines?.last?.firstMatch(of: /cost: (\d+) us/).flatMap { Int($0.1) }
      #expect(try #require(cost, "\(lines ?? [])") < 1000)
    }
  }

  @Test func `A command in the window that is in front is not told`() async throws {
    let folder = try TemporaryFolder()
    // As the real one answers. Each question is told to the shell.
    try folder.write(
      """
      #!/bin/sh
      echo '_NET_ACTIVE_WINDOW: window id # '"$(cat '\(folder.path("active"))')"
      echo asked >'\(folder.path("asked"))'

      """, to: "bin/xprop", executable: true)
    mkfifo(folder.path("asked"), 0o600)
    try folder.write("0x2a", to: "active")
    let variables = ["PATH": folder.path("bin") + ":/usr/bin:/bin", "DISPLAY": ":97", "WINDOWID": "42"]
    try await Self.run(.bash, variables: variables) { shell, server in
      shell.type(Self.load(.bash))
      // Open for reading and writing, so that no program waits for the shell to read.
      shell.type("exec 9<>'\(folder.path("asked"))'")
      shell.type("sleep 0.3; echo first done")
      let isDone = try await offPool { shell.readLines(until: "first done\r") }
      #expect(isDone != nil)
      // The hook asks in the background.
      shell.type("read -r answer <&9")
      // In the foreground, so that it has ended before the window changes.
      shell.type("suzu run --away -- sh -c 'exit 1'")
      shell.type("echo 0x2b >'\(folder.path("active"))'")
      shell.type("sleep 0.31; true")
      #expect(try await server.posted.next(within: .seconds(20)).summary == "sleep 0.31; true finished")
    }
  }
}
