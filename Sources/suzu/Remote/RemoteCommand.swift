// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import EventLoop
internal import Glibc
internal import NotificationModel

extension Verb {
  static let remote = Verb(
    name: "remote", synopsis: "serve HOST", summary: "let programs of another machine notify you, over SSH",
    words: [.words(["serve"])],
    notes: [
      "HOST is a name for that machine, which you choose. Its requests belong to the app dev.suzu.Remote.HOST, and can do",
      "what a sandboxed program can do: they run and launch nothing. 'suzu doctor --ssh HOST' prints the lines for ssh.",
      "The command runs until it is ended; nothing is passed on without it.",
    ],
    examples: ["suzu remote serve build", "suzu remote serve db.example.org"]
  ) { arguments, loop in
    try await RemoteCommand(arguments).run(on: loop)
  }
}

/// `suzu remote serve`: passes on what another machine asks.
struct RemoteCommand {
  private let host: RemoteHost

  init(_ arguments: Arguments) throws(CommandError) {
    guard let word = arguments.words.first else { throw .usage("'serve' is missing") }
    guard word == "serve" else {
      throw .usage(
        "'\(PrintableText.line(word, atMost: 60))' must be 'serve'\(suggestion(for: word, among: ["serve"]))")
    }
    guard arguments.words.count > 1 else { throw .usage("a name for the machine is missing") }
    try arguments.refuseWords(after: 2)
    host = try Self.host(arguments.words[1])
  }

  static func host(_ name: String) throws(CommandError) -> RemoteHost {
    guard let host = RemoteHost(name) else {
      throw .data("'\(PrintableText.line(name, atMost: 60))' is no name for a machine: it must have \(RemoteHost.form)")
    }
    return host
  }

  func run(on loop: EventLoop) async throws -> Int32 {
    let passed = try PassedSocket.take()
    let center = try await Center.connect(on: loop)
    try await allow(center)
    let (signals, continuation) = AsyncStream<Int32>.makeStream()
    for signal in [SIGINT, SIGTERM, SIGHUP] where !Process.ignores(signal) {
      try loop.onSignal(signal) { continuation.yield(signal) }
    }
    let path = HomeSocket.path(for: host.name)
    let server = try RemoteServer(for: host, of: center, at: path, passed: passed, on: loop)
    try server.start()
    Console.print("serving '\(host.name)' at \(path)")
    for await signal in signals {
      server.stop()
      await center.close()
      Process.end(by: signal)
    }
    return EX_OK
  }

  /// Who serves a machine wants to see its notifications. A decision that the user has made stays.
  private func allow(_ center: Center) async throws(SuzuError) {
    let settings = try await center.settings(app: host.app)
    if !settings.isDecided { try await center.allow(app: host.app, [.alert, .sound, .badge]) }
  }
}
