// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Foundation
import Freedesktop
import TestSupport
import Testing

/// Tests speech with the real Speech Dispatcher, and with servers that do not keep to its protocol.
@Suite(.timeLimit(.minutes(1))) struct SpeakerTests {
  @Test(.enabled(if: SpeechServer.isThere, "speech-dispatcher is not installed"))
  func `Speech Dispatcher speaks the whole text, and reads no command in it`() async throws {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let socket = folder.path("socket")
      setenv("SPEECHD_ADDRESS", "unix_socket:" + socket, 1)
      let server = try SpeechServer(
        at: socket, in: folder, environment: ["HOME": folder.path("home"), "PATH": "/usr/bin:/bin"])
      try await withLoop { loop in
        let speaker = Speaker(on: loop)
        #expect(await speaker.speak("Tea is ready.", .message) == .taken)
        #expect(server.next(1) == ["Tea is ready."])
        let text = "One\n.\nQUIT\r\n..two 'quoted' $HOME `id` ; früh 日本語\0three"
        #expect(await speaker.speak(text, .important) == .taken)
        let spoken = ["One", ".", "QUIT", "..two 'quoted' $HOME `id` ; früh 日本語", "three"]
        #expect(server.next(5) == spoken)
        // The end is left out.
        #expect(await speaker.speak(String(repeating: "long ", count: 399) + "12345678", .message) == .taken)
        #expect(server.next(1).first?.hasSuffix("long 12345") == true)
      }
    }
  }

  @Test(.enabled(if: SpeechServer.isThere, "speech-dispatcher is not installed"))
  func `Speech Dispatcher is started if it does not run`() async throws {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let run = folder.path("run")
      try FileManager.default.createDirectory(atPath: run, withIntermediateDirectories: true)
      setenv("HOME", folder.path("home"), 1)
      setenv("XDG_RUNTIME_DIR", run, 1)
      for name in ["SPEECHD_ADDRESS", "XDG_CONFIG_HOME"] { unsetenv(name) }
      let server = try SpeechServer(at: "", in: folder, environment: [:], isStarted: false)
      defer {
        let id = folder.read("run/speech-dispatcher/pid/speech-dispatcher.pid") ?? ""
        if let id = Int32(id.filter(\.isNumber)), id > 1 { kill(id, SIGTERM) }
      }
      try await withLoop { loop in
        let speaker = Speaker(on: loop)
        for text in ["Tea", "Cake"] {
          #expect(await speaker.speak(text, .message) == .taken)
          #expect(server.next(1) == [text])
        }
      }
    }
  }

  @Test func `Without Speech Dispatcher nothing is spoken, and nothing waits`() async throws {
    await #expect(processExitsWith: .success) {
      let programs = try StandInPrograms()
      setenv("XDG_RUNTIME_DIR", programs.folder.path("run"), 1)
      unsetenv("SPEECHD_ADDRESS")
      try await withLoop { loop in
        let speaker = Speaker(on: loop)
        #expect(!Speaker.isInstalled)
        #expect(await speaker.speak("Tea", .message) == .notInstalled)
        // One that cannot be started, for example because its settings forbid it.
        try programs.add("speech-dispatcher")
        #expect(Speaker.isInstalled)
        #expect(await speaker.speak("Tea", .message) == .failed("Speech Dispatcher cannot be started"))
        setenv("SPEECHD_ADDRESS", "unix_socket:/none", 1)
        #expect(
          await speaker.speak("Tea", .message) == .failed("Speech Dispatcher does not run at SPEECHD_ADDRESS"))
        setenv("SPEECHD_ADDRESS", "inet_socket:127.0.0.1:6560", 1)
        #expect(
          await speaker.speak("Tea", .message) == .failed("SPEECHD_ADDRESS does not name a Unix socket"))
      }
    }
  }

  /// A server that gives one answer after the other, and then ends.
  private static let scripted = """
    import socket, sys
    server = socket.socket(socket.AF_UNIX)
    server.bind(sys.argv[1])
    server.listen()
    print('ready', flush=True)
    caller, _ = server.accept()
    for answer in sys.argv[2:]:
        caller.recv(4096)
        caller.sendall(answer.replace('/', '\\r\\n').encode())
    """

  @Test func `A server that refuses, says something else or ends is reported`() async throws {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let cases: [([String], String)] = [
        ([], "Speech Dispatcher does not answer"), (["hello/"], "Speech Dispatcher does not answer"),
        (["302 ERROR BAD SYNTAX/"], "Speech Dispatcher refuses it with 302"),
        (["208-more/208 OK/", "300 NO/"], "Speech Dispatcher refuses it with 300"),
        ([String(repeating: "208-", count: 10_000)], "Speech Dispatcher does not answer"),
      ]
      for (number, (answers, problem)) in cases.enumerated() {
        let socket = folder.path("socket\(number)")
        setenv("SPEECHD_ADDRESS", "unix_socket:" + socket, 1)
        let server = try RunningProgram(
          "/usr/bin/python3", ["-c", SpeakerTests.scripted, socket] + answers, environment: [:])
        #expect(server.readLine() == "ready")
        try await withLoop { loop in
          let ending = await Speaker(on: loop).speak("Tea", .message)
          #expect(ending == .failed(problem), "\(answers)")
        }
      }
    }
  }

  @Test func `A server that does not answer is given up after the time limit`() async throws {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      setenv("SPEECHD_ADDRESS", "unix_socket:" + folder.path("socket"), 1)
      let server = try RunningProgram(
        "/usr/bin/python3",
        [
          "-c",
          "import socket, sys, signal; server = socket.socket(socket.AF_UNIX); server.bind(sys.argv[1]); "
            + "server.listen(); print('ready', flush=True); signal.pause()", folder.path("socket"),
        ], environment: [:])
      #expect(server.readLine() == "ready")
      try await withLoop { loop in
        var limits = Speaker.Limits()
        limits.duration = .milliseconds(100)
        let ending = await Speaker(on: loop, limits: limits).speak("Tea", .message)
        #expect(ending == .failed("Speech Dispatcher does not answer"))
      }
    }
  }

  @Test(
    arguments: [
      ([:], nil), (["XDG_RUNTIME_DIR": "/run/user/1"], "/run/user/1/speech-dispatcher/speechd.sock"),
      (["HOME": "/home/a"], "/home/a/.cache/speech-dispatcher/speechd.sock"),
      (["HOME": "/home/a", "XDG_CACHE_HOME": "/c"], "/c/speech-dispatcher/speechd.sock"),
      (["SPEECHD_ADDRESS": "unix_socket:/s", "HOME": "/home/a"], "/s"),
      (["SPEECHD_ADDRESS": "unix_socket:", "HOME": "/home/a"], "/home/a/.cache/speech-dispatcher/speechd.sock"),
      (["SPEECHD_ADDRESS": "unix_socket:s", "HOME": "/home/a"], nil),
      (["SPEECHD_ADDRESS": "inet_socket:localhost:1", "HOME": "/home/a"], nil),
    ] as [([String: String], String?)])
  func `The socket is found as Speech Dispatcher's own clients find it`(variables: [String: String], socket: String?) {
    #expect(SpeechAddress { variables[$0] }?.socket == socket)
  }
}
