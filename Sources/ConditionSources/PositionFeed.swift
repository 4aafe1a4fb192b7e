// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// The position of the machine, by GeoClue, which is asked only while there is a follower.
final class PositionFeed: PositionFinder {
  /// What is known.
  enum State: Hashable {
    case known(Position)
    case unknown(String)
  }

  private let loop: EventLoop
  private let system: SystemBusLink
  private var followers: [Int: (State) -> Void] = [:]
  private var lastFollower = 0
  private var task: Task<Void, Never>?
  /// What was told last; nil if nothing was since the first follower.
  private(set) var state: State?
  /// After this time without an answer of GeoClue, the reason is told.
  private let limit: Duration
  /// The delays between attempts. After the last one, it waits until some program starts GeoClue.
  private let retries: [Duration]
  /// Whether all attempts have failed.
  private var hasGivenUp = false

  init(
    on loop: EventLoop, system: SystemBusLink, limit: Duration = .seconds(10),
    retries: [Duration] = SystemBusLink.retries
  ) {
    self.loop = loop
    self.system = system
    self.limit = limit
    self.retries = retries
  }

  // MARK: Following

  /// Calls `tell` with the state as soon as it is known, and with each change; returns a number for ``unfollow(_:)``.
  func follow(_ tell: @escaping (State) -> Void) -> Int {
    lastFollower += 1
    followers[lastFollower] = tell
    if let state, !hasGivenUp { tell(state) }
    if task == nil { start() }
    retry()
    return lastFollower
  }

  private func start() { task = loop.startLater { [weak self] in await self?.run() } }

  /// Attempts once more if all attempts have failed: GeoClue may be installed by now, or allowed.
  func retry() {
    guard hasGivenUp else { return }
    task?.cancel()
    hasGivenUp = false
    start()
  }

  func unfollow(_ number: Int) {
    followers[number] = nil
    guard followers.isEmpty else { return }
    task?.cancel()
    (task, state, hasGivenUp) = (nil, nil, false)
  }

  /// The position now; waits for it for at most `limit`.
  func position(within limit: Duration) async throws(PositionObstacle) -> Position {
    let (states, state) = AsyncStream<State>.makeStream()
    let number = follow { state.yield($0) }
    let deadline = loop.schedule(after: limit) { state.finish() }
    defer {
      deadline.cancel()
      unfollow(number)
    }
    var reason = "GeoClue did not find the position"
    for await state in states {
      switch state {
      case .known(let position): return position
      case .unknown(let problem):
        reason = problem
        // While the user is being asked, it is worth waiting.
        if problem != GeoClueClient.silence { throw PositionObstacle(reason: reason) }
      }
    }
    throw PositionObstacle(reason: reason)
  }

  private func tell(_ state: State) {
    self.state = state
    for (_, tell) in followers.sorted(by: { $0.key < $1.key }) { tell(state) }
  }

  // MARK: Attempts

  private func run() async {
    var left = retries[...]
    while !Task.isCancelled {
      if let connection = await system.acquire() {
        let attempt = await GeoClueClient(on: loop, connection, limit: limit) { [weak self] in self?.tell($0) }.follow()
        if attempt == .succeeded { left = retries[...] }
        if left.isEmpty, !Task.isCancelled {
          hasGivenUp = true
          let isThere = await GeoClueClient.awaitStart(on: connection, isMissing: attempt == .isMissing)
          system.release()
          guard isThere, !Task.isCancelled else { return }
          (hasGivenUp, left) = (false, retries[...])
          continue
        }
        system.release()
      } else {
        tell(.unknown("the system bus cannot be reached"))
      }
      if Task.isCancelled { return }
      guard let wait = left.popFirst() else {
        hasGivenUp = true
        return
      }
      try? await loop.sleep(for: wait)
    }
  }
}
