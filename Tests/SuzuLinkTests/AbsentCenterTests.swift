// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Foundation
import TestSupport
import Testing

@testable import Links
@testable import RunningLinks

/// Tests what a link does in an hour without its center, or without its server, in simulated time.
@Suite(.serialized, .timeLimit(.minutes(1))) struct AbsentCenterTests {
  /// A center that is there, or not, and notes when it is called and what it takes.
  private final class Center: PushReceiver {
    var isPresent = false
    var calls: [Duration] = []
    var taken: [String] = []
    private let time: SimulatedTime

    init(_ time: SimulatedTime) { self.time = time }

    func push(_ push: LinkPush) async -> PushAnswer {
      calls.append(time.now)
      guard isPresent else { return .unavailable("the center does not run, and the bus cannot start it") }
      taken.append(push.id)
      return .taken
    }

    func answered(_ id: String, of app: String, by name: String?) async -> PushAnswer { .taken }
    func withdraw(_ ids: [String], of app: String) async -> PushAnswer { .taken }
  }

  /// A server that keeps what the link has no room for, as the connection does that is not read.
  private final class Server {
    private var kept: [LinkPush] = []
    private var read = 0
    private var finished = 0
    private(set) var mostPending = 0
    private let queue: PushQueue

    init(_ queue: PushQueue) {
      self.queue = queue
      queue.whenRoom = { [unowned self] in send() }
      queue.whenFinished = { [unowned self] in finished += 1 }
    }

    func publish(_ push: LinkPush) {
      kept.append(push)
      send()
    }

    private func send() {
      while !queue.isFull, !kept.isEmpty {
        queue.add(.push(kept.removeFirst()))
        read += 1
        mostPending = max(mostPending, read - finished)
      }
    }
  }

  private static let hour: Duration = .seconds(3600)

  /// The pauses between calls, checked: none is longer than the limit, and from the growth on none is shorter than half
  /// of it.
  private func check(_ calls: [Duration], limit: Duration) {
    let pauses = zip(calls, calls.dropFirst()).map { $1 - $0 }
    #expect(pauses.allSatisfy { $0 >= .milliseconds(500) && $0 <= limit }, "\(pauses)")
    // 1, 2, 4 … s, of which a part is random.
    #expect(pauses.dropFirst(6).allSatisfy { $0 >= limit / 2 }, "\(pauses)")
    #expect(pauses.prefix(3).reduce(.zero, +) <= .seconds(7))
  }

  @Test func `A center that is absent for an hour gets all messages then, each once and in order`() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path("home/.local/state/suzu/links"), withIntermediateDirectories: true)
    let folders = try #require(LinkFolders { ["HOME": folder.path("home")][$0] })
    let (name, link) = (try LinkName("home"), try LinkDefinition(Array(Self.file.utf8)))
    let time = try SimulatedTime()
    let record = LinkRecord(name, in: folders, on: time.loop)
    let center = Center(time)
    let queue = PushQueue(link.limits, record, to: center, timing: LinkTiming(), on: time.loop)
    let server = Server(queue)
    let pushes = try (0..<120).map { number in
      let line = #"{"id":"m\#(number)","time":1790000000,"event":"message","topic":"tea","message":"\#(number)"}"#
      guard case .message(let message)? = NtfyEvent(Array(line.utf8)), let push = LinkPush(message, of: link, name)
      else { throw TestFailure("no message") }
      return push
    }
    // One every thirty seconds, the last just before the center comes back: twice as many as may wait here.
    for (number, push) in pushes.enumerated() { time.at(.seconds(30 * number)) { server.publish(push) } }
    var callsInTheHour = 0
    time.at(Self.hour) {
      callsInTheHour = center.calls.count
      #expect(center.taken.isEmpty && record.state.lastID == nil)
      #expect(record.state.obstacle == "the center does not run, and the bus cannot start it")
      center.isPresent = true
      queue.retry()
    }
    time.at(Self.hour + .seconds(599)) { queue.stop() }
    time.run(until: Self.hour + .seconds(600))
    check(Array(center.calls.prefix(callsInTheHour)), limit: LinkTiming().longestCenterPause)
    #expect((120...260).contains(callsInTheHour))
    print("center absent for an hour: \(callsInTheHour) calls, at most \(server.mostPending) messages in memory")
    #expect(server.mostPending == link.limits.mostPending)
    #expect(center.taken == pushes.map(\.id))
    #expect(record.state.lastID == "m119" && record.state.obstacle == nil && record.state.count == 120)
    // As many at once as in a minute, then one a second: the first call of each counts for nothing.
    #expect(center.calls.last.map { $0 - Self.hour <= .seconds(61) } == true)
  }

  @Test func `A server that is absent for an hour is called with pauses that grow`() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path("home/.local/state/suzu/links"), withIntermediateDirectories: true)
    let folders = try #require(LinkFolders { ["HOME": folder.path("home")][$0] })
    let time = try SimulatedTime()
    let record = LinkRecord(try LinkName("home"), in: folders, on: time.loop)
    let attempts = Attempts(record, timing: LinkTiming(), on: time.loop)
    var calls: [Duration] = []
    attempts.whenDue = {
      calls.append(time.now)
      attempts.plan(after: "the server cannot be reached", isTemporary: true, openedAt: nil)
    }
    time.at(.zero) { attempts.plan(after: .zero) }
    time.at(Self.hour - .seconds(1)) { attempts.cancel() }
    time.run(until: Self.hour)
    check(calls, limit: LinkTiming().longestPause)
    #expect((60...130).contains(calls.count))
    print("server absent for an hour: \(calls.count) attempts")
  }

  private static let file = #"{"app": "org.example.Tea", "server": "http://127.0.0.1:1", "topic": "tea"}"#
}
