// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Foundation
import TestSupport
import Testing

/// Tests that a command of `suzu run` has the terminal to itself, with a real shell on a real terminal.
@Suite(
  .onOwnThread, .timeLimit(.minutes(3)),
  .enabled(
    if: TypedShell.canMakeTerminals, "no pseudo-terminals here: is /dev/pts mounted, as in a chroot it may not be?"))
struct RunTerminalTests {
  private static let kept = ["auto", "all", "none"]

  @Test(arguments: kept)
  func `Ctrl-Z stops the command, and fg continues it`(kept: String) throws {
    let session = try Session()
    let shell = try TypedShell(.bash, in: session)
    shell.type("suzu run --keep \(kept) -- sh -c 'echo ready; while read -r line; do echo \"got $line\"; done; exit 4'")
    #expect(shell.readLines(until: "ready\r") != nil)
    shell.press("\u{1A}")
    #expect(shell.readLines(until: "Stopped") != nil)
    shell.type("echo \"the shell $((40 + 2))\"")
    #expect(shell.readLines(until: "the shell 42") != nil)
    shell.type("fg")
    shell.type("tea")
    #expect(shell.readLines(until: "got tea") != nil)
    shell.press("\u{04}")
    shell.type("echo \"status $?\"")
    #expect(shell.readLines(until: "status 4") != nil)
  }

  // Only the command stops; the shell would wait for suzu run.
  @Test func `A command that stops itself gives the terminal back`() throws {
    let session = try Session()
    let shell = try TypedShell(.bash, in: session)
    shell.type("suzu run -- sh -c 'kill -STOP $$; echo continued'")
    #expect(shell.readLines(until: "Stopped") != nil)
    shell.type("fg")
    #expect(shell.readLines(until: "continued\r") != nil)
  }

  @Test(arguments: kept)
  func `Ctrl-C ends the command and a loop around it, without a notification`(kept: String) async throws {
    let session = try Session()
    try await withLoop { loop in
      let server = try await ScriptedServer.start(on: session.bus, loop)
      let shell = try TypedShell(.bash, in: session)
      // A sleep is meant: the command that Ctrl-C ends.
      shell.type("for i in 1 2; do suzu run --keep \(kept) -- sh -c 'echo \"ready $0\"; exec sleep 600' $i; done")
      let isReady = try await offPool { shell.readLines(until: "ready 1\r") }
      #expect(isReady != nil)
      shell.press("\u{03}")
      shell.type("echo \"status $?\"")
      let lines = try await offPool { shell.readLines(until: "status 130") }
      #expect(lines?.contains { $0.contains("ready 2") } == false)
      shell.type("suzu run -- sh -c 'exit 1'")
      #expect(try await server.posted.next(within: .seconds(15)).summary == "sh -c 'exit 1' failed")
    }
  }

  @Test func `With --keep all, output and errors go to a terminal of the same size, and are kept`() async throws {
    let session = try Session()
    try await withLoop { loop in
      let server = try await ScriptedServer.start(on: session.bus, loop, capabilities: ["actions", "body"])
      let shell = try TypedShell(.bash, in: session)
      shell.type("stty cols 77 rows 33")
      shell.type(
        "suzu run --keep all -- sh -c 'test -t 0 && test -t 1 && test -t 2 && stty size <&1; echo out; echo err >&2; exit 1'"
      )
      let lines = try await offPool { shell.readLines(until: "err\r") }
      #expect(lines?.suffix(3).first?.hasSuffix("33 77\r") == true, "\(lines ?? [])")
      #expect(lines?.suffix(2) == ["out\r", "err\r"])
      let posted = try await server.posted.next(within: .seconds(15))
      #expect(posted.body.hasSuffix("\nerr"), "\(posted.body)")
      // Nothing is between the command and a terminal unless it was asked for.
      shell.type("suzu run -- sh -c 'echo err >&2; exit 1'")
      let next = try await server.posted.next(within: .seconds(15))
      #expect(!next.body.contains("err") && !next.actions.contains("Show output"))
    }
  }

  @Test func `A change of the window's size reaches the second terminal`() throws {
    let session = try Session()
    let shell = try TypedShell(.bash, in: session)
    // The trap runs once the size has changed for both. A signal that comes right before bash waits for the line runs
    // its trap only afterwards, so it does not wait for long.
    shell.type(
      "suzu run --keep all -- bash -c 'trap \"stty size <&1\" WINCH; stty cols 91 rows 21 </dev/tty; "
        + "until read -r -t 0.1 line; do :; done; echo end'"
    )
    #expect(shell.readLines(until: "21 91\r") != nil)
    shell.type("")
    #expect(shell.readLines(until: "end\r") != nil)
  }
}
