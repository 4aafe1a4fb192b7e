// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop

/// The position of the machine, by [GeoClue](https://gitlab.freedesktop.org/geoclue/geoclue). It is asked for while
/// somebody follows it, and not otherwise.
public final class PositionFeed {
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
  /// Whether anything was told since this attempt began.
  private var hasAnswered = false

  private static let service: BusName = "org.freedesktop.GeoClue2"
  private static let client = "org.freedesktop.GeoClue2.Client"
  private static let location = "org.freedesktop.GeoClue2.Location"
  private static let manager = RemoteObject(
    service, "/org/freedesktop/GeoClue2/Manager", "org.freedesktop.GeoClue2.Manager")
  private static let createClient = MethodDescription("CreateClient", out: ("client", ObjectPath.self))
  private static let deleteClient = MethodDescription("DeleteClient", in: ("client", ObjectPath.self))
  private static let start = MethodDescription("Start")
  private static let set = MethodDescription(
    "Set", in: ("interface", String.self), ("property", String.self), ("value", Value.self))
  private static let locationUpdated = SignalDescription(
    "LocationUpdated", ("old", ObjectPath.self), ("new", ObjectPath.self))
  /// The id of our desktop entry, by which the user allows or denies it.
  private static let desktopID = "dev.suzu.Suzu"
  /// As exact as it can be.
  private static let exact: UInt32 = 8
  /// After this time without an answer, the reason is told: GeoClue does not answer before a program can ask the user.
  private let limit: Duration
  /// The time limit of calls. It is long, because such a program may start at any time, and GeoClue then answers.
  private static let patience: Duration = .seconds(86_400)

  init(on loop: EventLoop, system: SystemBusLink, limit: Duration = .seconds(10)) {
    self.loop = loop
    self.system = system
    self.limit = limit
  }

  // MARK: Following

  /// Calls `tell` with the state as soon as it is known, and with each change; returns a number for ``unfollow(_:)``.
  func follow(_ tell: @escaping (State) -> Void) -> Int {
    lastFollower += 1
    followers[lastFollower] = tell
    if task == nil {
      task = loop.startLater { [weak self] in await self?.run() }
    } else if let state {
      tell(state)
    }
    return lastFollower
  }

  func unfollow(_ number: Int) {
    followers[number] = nil
    guard followers.isEmpty else { return }
    task?.cancel()
    (task, state) = (nil, nil)
  }

  /// Why there is no position.
  public struct Obstacle: Error, Hashable, Sendable {
    /// In a few words.
    public let reason: String
  }

  /// The position now; waits for it for at most `patience`.
  public func current(within patience: Duration) async throws(Obstacle) -> Position {
    let (states, state) = AsyncStream<State>.makeStream()
    let number = follow { state.yield($0) }
    let deadline = loop.schedule(after: patience) { state.finish() }
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
        if problem != Self.silence { throw Obstacle(reason: reason) }
      }
    }
    throw Obstacle(reason: reason)
  }

  private func tell(_ state: State) {
    self.state = state
    hasAnswered = true
    for (_, tell) in followers.sorted(by: { $0.key < $1.key }) { tell(state) }
  }

  // MARK: GeoClue

  private enum Event {
    case moved(ObjectPath)
    case failed(String)
    /// GeoClue has ended, or the connection is closed.
    case ended(isBusGone: Bool)
  }

  private func run() async {
    var retries = SystemBusLink.retries[...]
    while !Task.isCancelled {
      if let connection = await system.acquire() {
        if await followClient(on: connection) { retries = SystemBusLink.retries[...] }
        system.release()
      } else {
        tell(.unknown("the system bus cannot be reached"))
      }
      guard !Task.isCancelled, let wait = retries.popFirst() else { return }
      try? await loop.sleep(for: wait)
    }
  }

  /// Follows the position until GeoClue ends, or the task is cancelled; returns whether there was one.
  private func followClient(on connection: Connection) async -> Bool {
    let (events, event) = AsyncStream<Event>.makeStream()
    hasAnswered = false
    var readers: [Task<Void, Never>] = []
    var client: RemoteObject?
    let notice = loop.schedule(after: limit) { [weak self] in
      guard let self, !hasAnswered else { return }
      tell(.unknown(Self.silence))
    }
    defer {
      notice.cancel()
      for reader in readers { reader.cancel() }
      // Otherwise GeoClue goes on looking for the position, because this connection may stay.
      if let client {
        let manager = RemoteObject(client.peer, Self.manager.path, Self.manager.interface, startsService: false)
        loop.startLater { [limit] in
          _ = try? await connection.call(Self.deleteClient, of: manager, client.path, limit: limit)
        }
      }
    }
    do throws(CallError) {
      // This starts GeoClue.
      let path = try await connection.call(Self.createClient, of: Self.manager, limit: Self.patience)
      let owner = try await connection.call(BusMethods.getNameOwner, of: .bus, Self.service, limit: Self.patience)
      let object = RemoteObject(owner, path, "org.freedesktop.GeoClue2.Client", startsService: false)
      client = object
      try await readers.append(contentsOf: subscribe(on: connection, owner, path, event))
      for (property, value): (String, Value) in [
        ("DesktopId", .string(Self.desktopID)), ("RequestedAccuracyLevel", .uint32(Self.exact)),
      ] {
        let properties = RemoteObject(owner, path, StandardInterfaces.properties, startsService: false)
        try await connection.call(Self.set, of: properties, Self.client, property, value, limit: Self.patience)
      }
      readers.append(
        loop.startLater {
          do throws(CallError) {
            try await connection.call(Self.start, of: object, limit: Self.patience)
          } catch {
            event.yield(.failed(Self.reason(error)))
          }
        })
      return await receive(events, on: connection, owner)
    } catch {
      if !Task.isCancelled { tell(.unknown(Self.reason(error))) }
      return false
    }
  }

  private func subscribe(
    on connection: Connection, _ owner: BusName, _ path: ObjectPath, _ event: AsyncStream<Event>.Continuation
  ) async throws(CallError) -> [Task<Void, Never>] {
    let moves = try await connection.signals(
      matching: MatchRule(
        sender: owner, path: path, interface: "org.freedesktop.GeoClue2.Client", member: Self.locationUpdated.name),
      buffering: 64)
    let owners = try await connection.owners(of: Self.service)
    return [
      loop.startLater {
        do {
          for try await signal in moves {
            if let (_, new) = signal.arguments(as: Self.locationUpdated) { event.yield(.moved(new)) }
          }
        } catch {
          // The connection was closed.
        }
        event.yield(.ended(isBusGone: true))
      },
      loop.startLater {
        for await current in owners where current != owner { event.yield(.ended(isBusGone: false)) }
        event.yield(.ended(isBusGone: true))
      },
    ]
  }

  private func receive(_ events: AsyncStream<Event>, on connection: Connection, _ owner: BusName) async -> Bool {
    var wasKnown = false
    for await event in events {
      if Task.isCancelled { return wasKnown }
      switch event {
      case .ended(let isBusGone):
        tell(.unknown(isBusGone ? "the system bus cannot be reached" : "GeoClue has ended"))
        return wasKnown
      // It may still begin to tell positions, when the user has allowed it.
      case .failed(let reason): if !wasKnown { tell(.unknown(reason)) }
      case .moved(let path):
        // A newer one may have replaced it.
        guard let found = try? await connection.properties(of: Self.location, at: path, owner),
          case .double(let latitude)? = found["Latitude"], case .double(let longitude)? = found["Longitude"]
        else { continue }
        var accuracy = 0.0
        if case .double(let metres)? = found["Accuracy"] { accuracy = metres }
        wasKnown = true
        tell(.known(Position(latitude: latitude, longitude: longitude, accuracy: accuracy)))
      }
    }
    return wasKnown
  }

  private static let silence =
    "GeoClue does not answer: it waits for a program that asks the user; allow 'dev.suzu.Suzu' in "
    + "/etc/geoclue/geoclue.conf, or start such a program"

  private static func reason(_ error: CallError) -> String {
    if case .refused(let refusal) = error {
      if refusal.name == .serviceUnknown { return "GeoClue is not installed; install geoclue-2.0" }
      if refusal.name.text == "org.freedesktop.DBus.Error.AccessDenied" {
        return
          "GeoClue does not tell Suzu the position; allow it in the privacy settings, or in /etc/geoclue/geoclue.conf"
      }
    }
    return "GeoClue: \(error.description)"
  }
}
