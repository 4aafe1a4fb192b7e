// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import FoundationEssentials
internal import Glibc
internal import Links
internal import NotificationModel
internal import TestStage

/// A broker, two processes with a half of the desktops each, and a publisher.
///
/// Confined to the loop's thread.
final class Fleet {
  let size: Int
  let tally: Tally
  let broker: Broker
  let loop: EventLoop
  private let isForgetful: Bool
  private let folder: TemporaryFolder
  private let publisher: Publisher
  private var halves: [RunningProgram] = []
  /// All payloads that each desktop must show once.
  private(set) var published: [Int] = []
  private var last = 0

  /// How long a message may take to reach all.
  static let limit: Duration = .seconds(120)

  init(_ size: Int, of plan: FleetPlan, on loop: EventLoop) throws {
    (self.size, self.loop, isForgetful) = (size, loop, plan.isForgetful)
    let tally = Tally(size, on: loop)
    self.tally = tally
    folder = try TemporaryFolder()
    broker = try Broker(on: loop, loop.confine { tally.takeBroker($0) })
    publisher = try Publisher(to: broker.address, on: loop)
    for number in 0..<size {
      // The usual limit of messages is for people; this is a trial.
      try folder.write(
        """
        {"app": "org.example.Fleet", "server": "\(broker.address)", "topic": "\(Publisher.topic)/#",
          "messagesPerMinute": 6000, "silence": "\(plan.silence)s"}
        """, to: ".config/suzu/links.d/d\(number).json")
    }
  }

  var processIDs: [Int32] { halves.map(\.processID) }
  /// The desktops of the second process.
  var lastHalf: Int { size - size / 2 }

  /// Starts all, and returns how long it took until all desktops were connected.
  func start() async throws -> Duration {
    try broker.start()
    try await publisher.connect()
    let start = EventLoop.Clock.monotonic.now
    let tally = tally
    for numbers in [0..<size / 2, size / 2..<size] where !numbers.isEmpty {
      let half = try RunningProgram(
        CommandLine.arguments[0],
        ["desktops", folder.url.path, "\(numbers.lowerBound)", "\(numbers.count)"]
          + (isForgetful ? [LinkFleet.forgetful] : []),
        environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"])
      halves.append(half)
      try Lines.follow(of: half, isError: false, on: loop, loop.confine { tally.take($0) })
      try Lines.follow(of: half, isError: true, on: loop, loop.confine { tally.takeLog($0) })
    }
    try await waitForAll()
    return EventLoop.Clock.monotonic.now - start
  }

  func stop() throws {
    for half in halves {
      half.signal(SIGTERM)
      guard half.waitForExit(within: 60) == 0 else {
        throw FleetError("desktops do not end: \(half.errors.suffix(500))")
      }
    }
    halves = []
    publisher.stop()
    try broker.stop()
  }

  /// Ends what still runs.
  func kill() {
    for half in halves { half.kill() }
    broker.kill()
  }

  // MARK: Steps of a trial

  func waitForAll() async throws {
    guard await tally.wait(within: Self.limit, until: { self.tally.connected.count == self.size }) else {
      throw FleetError("only \(tally.connected.count) of \(size) desktops are connected")
    }
  }

  /// Publishes a message without waiting for the desktops.
  @discardableResult
  func send(id: String? = nil, isRetained: Bool = false) async throws -> (payload: Int, start: Duration) {
    last += 1
    published.append(last)
    return (last, try await publisher.publish(Self.text(last), id: id, isRetained: isRetained))
  }

  /// Publishes a message once more, as it was.
  func `repeat`(_ payload: Int, id: String? = nil, isRetained: Bool = false) async throws {
    _ = try await publisher.publish(Self.text(payload), id: id, isRetained: isRetained)
  }

  /// Publishes a message, and waits until all desktops have shown it, or the time is over. On one connection, messages
  /// keep their order: what was sent before has been shown, too.
  @discardableResult
  func publish() async throws -> (payload: Int, start: Duration) {
    let (payload, start) = try await send()
    _ = await tally.wait(within: Self.limit) { self.tally.count(of: payload) == self.size }
    return (payload, start)
  }

  /// Ends the broker as systemd does, and starts it again.
  func restartBroker(forgetting isForgetful: Bool = false) async throws {
    try broker.stop()
    if isForgetful { broker.forget() }
    // Its end is noticed before the start: nothing is as it was.
    guard await tally.wait(within: Self.limit, until: { self.tally.connected.isEmpty }) else {
      throw FleetError("\(tally.connected.count) desktops do not notice the end of the broker")
    }
    try broker.start()
    try await publisher.connect()
  }

  /// Lets the second process hold still, as a laptop does that is closed: no connection ends.
  func freezeHalf() { halves.last?.signal(SIGSTOP) }
  func thawHalf() { halves.last?.signal(SIGCONT) }

  /// A desktop reads the number of the payload from its first word.
  private static func text(_ payload: Int) -> String { "\(payload) of a fleet of desktops" }
}
