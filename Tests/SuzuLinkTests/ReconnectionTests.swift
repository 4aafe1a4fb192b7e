// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Foundation
import NotificationModel
import Synchronization
import TestSupport
import Testing

@testable import Links
@testable import RunningLinks

/// Tests many lost connections and refused calls, with pauses of milliseconds and the links inside of this process.
@Suite(.timeLimit(.minutes(2)))
struct ReconnectionTests {
  /// A center that notes ids, and answers as it is told.
  private final class Receiver: PushReceiver {
    let ids = Inbox<String>()
    private let answer: (Int) -> PushAnswer
    private var count = 0

    init(answering answer: @escaping (Int) -> PushAnswer = { _ in .taken }) { self.answer = answer }

    func push(_ push: LinkPush) async -> PushAnswer {
      count += 1
      let answer = answer(count)
      if answer == .taken { ids.put(push.id) }
      return answer
    }

    func answered(_ id: String, of app: String, by name: String?) async -> PushAnswer { .taken }
    func withdraw(_ ids: [String], of app: String) async -> PushAnswer { .taken }
  }

  private static func folders(_ folder: TemporaryFolder) throws -> LinkFolders {
    let environment = ["XDG_CONFIG_HOME": folder.path("config"), "XDG_STATE_HOME": folder.path("state")]
    guard let folders = LinkFolders(environment: { environment[$0] }) else { throw TestFailure("no folders") }
    try FileManager.default.createDirectory(atPath: folders.states, withIntermediateDirectories: true)
    return folders
  }

  /// Runs a link in this process.
  private static func run(
    to server: HTTPStand, in folder: TemporaryFolder, answering answer: @escaping @Sendable (Int) -> PushAnswer,
    _ body: @Sendable (Inbox<String>) async throws -> Void
  ) async throws {
    try folder.write(
      #"{"app": "org.example.Tea", "server": "\#(server.address)", "topic": "tea", "messagesPerMinute": 6000}"#,
      to: "config/suzu/links.d/home.json")
    let folders = try folders(folder)
    try await withLoop { loop in
      let (ids, service) = try await withCheckedThrowingContinuation {
        (done: CheckedContinuation<Running, any Error>) in
        loop.perform {
          do {
            let receiver = Receiver(answering: answer)
            var timing = LinkTiming()
            timing.firstPause = .milliseconds(1)
            timing.longestPause = .milliseconds(2)
            timing.longestCenterPause = .milliseconds(2)
            timing.generator = SeededNumbers(seed: 3)
            let service = try LinkService(folders, to: receiver, timing: timing, on: loop)
            try service.start()
            done.resume(returning: Running(ids: receiver.ids, service: service))
          } catch {
            done.resume(throwing: error)
          }
        }
      }.parts
      try await body(ids)
      await withCheckedContinuation { done in
        loop.perform {
          service.value.stop()
          done.resume()
        }
      }
    }
  }

  private struct Running: @unchecked Sendable {
    // @unchecked: the service is used on the loop's thread only.
    let ids: Inbox<String>
    let service: LinkService
    var parts: (Inbox<String>, Unchecked) { (ids, Unchecked(value: service)) }
  }

  private struct Unchecked: @unchecked Sendable { let value: LinkService }

  @Test func `A hundred lost connections lose and repeat nothing`() async throws {
    let server = try HTTPStand()
    let folder = try TemporaryFolder()
    try await Self.run(to: server, in: folder, answering: { _ in .taken }) { ids in
      for round in 0..<100 {
        let request = try await server.requests.next()
        let wanted = round == 0 ? "GET /tea/json HTTP/1.1" : "GET /tea/json?since=m\(round - 1) HTTP/1.1"
        #expect(request.line == wanted)
        // Some die in the middle of a line, which comes again.
        request.open(HTTPStand.message("m\(round)"))
        if round % 3 == 1 { request.send(#"{"id":"m\#(round + 1)","event":"mess"#) }
        #expect(try await ids.next() == "m\(round)")
        request.close()
      }
      #expect(ids.waiting.isEmpty)
    }
    #expect(LinkState.read(folder.path("state/suzu/links/home.json"))?.count == 100)
  }

  @Test func `A hundred refused connections end with a good one`() async throws {
    let server = try HTTPStand()
    try await Self.run(to: server, in: try TemporaryFolder(), answering: { _ in .taken }) { ids in
      for round in 0..<100 {
        let request = try await server.requests.next()
        if round % 2 == 0 { request.answer(503) } else { request.close() }
      }
      try await server.requests.next().open(HTTPStand.message("m1"))
      #expect(try await ids.next() == "m1")
    }
  }

  @Test func `A center that is able only at each tenth call gets everything once and in order`() async throws {
    let server = try HTTPStand()
    try await Self.run(
      to: server, in: try TemporaryFolder(), answering: { $0 % 10 == 0 ? .taken : .unavailable("full") }
    ) { ids in
      let request = try await server.requests.next()
      request.open()
      for number in 0..<50 { request.send(HTTPStand.message("m\(number)") + "\n") }
      #expect(try await ids.next(50) == (0..<50).map { "m\($0)" })
      #expect(ids.waiting.isEmpty)
    }
  }

  @Test func `A flood of 2000 messages passes the queue whole`() async throws {
    let server = try HTTPStand()
    try await Self.run(to: server, in: try TemporaryFolder(), answering: { _ in .taken }) { ids in
      let request = try await server.requests.next()
      request.open()
      // In parts that end anywhere.
      let text = (0..<2000).map { HTTPStand.message("m\($0)", String(repeating: "y", count: $0 % 300)) + "\n" }.joined()
      Thread.detachNewThread {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
          request.send(Array(rest.prefix(7919)))
          rest = rest.dropFirst(7919)
        }
      }
      #expect(try await ids.next(2000) == (0..<2000).map { "m\($0)" })
    }
  }
}
