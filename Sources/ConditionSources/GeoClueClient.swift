// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop
internal import NotificationModel

/// One attempt to follow the position with [GeoClue](https://gitlab.freedesktop.org/geoclue/geoclue).
final class GeoClueClient {
  private let loop: EventLoop
  private let connection: Connection
  private let limit: Duration
  private let tellState: (PositionFeed.State) -> Void
  private var hasAnswered = false

  /// How it ended.
  enum Attempt {
    /// There were positions.
    case succeeded
    /// The running GeoClue gave none.
    case failed
    /// GeoClue does not run, and cannot be started.
    case isMissing
  }

  private enum Event {
    case moved(ObjectPath)
    case failed(String)
    /// GeoClue has ended, or the connection is closed.
    case ended(isBusGone: Bool)
  }

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
  /// The time limit of calls. It is long, because a program that asks the user may start at any time, and GeoClue then
  /// answers.
  private static let callLimit: Duration = .seconds(86_400)

  /// - Parameters:
  ///   - limit: after this time without an answer, the reason is told: GeoClue does not answer before a program can ask
  ///     the user.
  ///   - tell: receives the state, and each change of it.
  init(
    on loop: EventLoop, _ connection: Connection, limit: Duration, _ tell: @escaping (PositionFeed.State) -> Void
  ) {
    self.loop = loop
    self.connection = connection
    self.limit = limit
    tellState = tell
  }

  private func tell(_ state: PositionFeed.State) {
    hasAnswered = true
    tellState(state)
  }

  /// Follows the position until GeoClue ends, or the task is cancelled.
  func follow() async -> Attempt {
    let (events, event) = AsyncStream<Event>.makeStream()
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
        loop.startLater { [connection, limit] in
          _ = try? await connection.call(Self.deleteClient, of: manager, client.path, limit: limit)
        }
      }
    }
    do throws(CallError) {
      // This starts GeoClue.
      let path = try await connection.call(Self.createClient, of: Self.manager, limit: Self.callLimit)
      let owner = try await connection.call(BusMethods.getNameOwner, of: .bus, Self.service, limit: Self.callLimit)
      let object = RemoteObject(owner, path, "org.freedesktop.GeoClue2.Client", startsService: false)
      client = object
      try await readers.append(contentsOf: subscribe(owner, path, event))
      for (property, value): (String, Value) in [
        ("DesktopId", .string(Self.desktopID)), ("RequestedAccuracyLevel", .uint32(Self.exact)),
      ] {
        let properties = RemoteObject(owner, path, StandardInterfaces.properties, startsService: false)
        try await connection.call(Self.set, of: properties, Self.client, property, value, limit: Self.callLimit)
      }
      readers.append(
        loop.startLater { [connection] in
          do throws(CallError) {
            try await connection.call(Self.start, of: object, limit: Self.callLimit)
          } catch {
            event.yield(.failed(Self.reason(error)))
          }
        })
      return await receive(events, owner) ? .succeeded : .failed
    } catch {
      if !Task.isCancelled { tell(.unknown(Self.reason(error))) }
      return Self.isMissing(error) ? .isMissing : .failed
    }
  }

  private func subscribe(
    _ owner: BusName, _ path: ObjectPath, _ event: AsyncStream<Event>.Continuation
  ) async throws(CallError) -> [Task<Void, Never>] {
    let moves = try await connection.signals(
      matching: MatchRule(
        sender: owner, path: path, interface: "org.freedesktop.GeoClue2.Client", member: Self.locationUpdated.name),
      buffering: 64)
    let owners = try await connection.owners(of: Self.service)
    return [
      loop.read(moves) { signal in
        if let (_, new) = signal.arguments(as: Self.locationUpdated) { event.yield(.moved(new)) }
      } end: {
        event.yield(.ended(isBusGone: true))
      },
      loop.startLater {
        for await current in owners where current != owner { event.yield(.ended(isBusGone: false)) }
        event.yield(.ended(isBusGone: true))
      },
    ]
  }

  private func receive(_ events: AsyncStream<Event>, _ owner: BusName) async -> Bool {
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
          let position = Position(found)
        else { continue }
        wasKnown = true
        tell(.known(position))
      }
    }
    return wasKnown
  }

  /// Waits until a GeoClue runs that was not asked yet; returns whether one does, because the bus may end first.
  ///
  /// - Parameter isMissing: whether none ran before: one that runs now has started in the meantime.
  static func awaitStart(on connection: Connection, isMissing: Bool) async -> Bool {
    guard let owners = try? await connection.owners(of: service) else { return false }
    var asked: BusName?? = isMissing ? .some(nil) : nil
    for await owner in owners {
      guard let known = asked else {
        asked = .some(owner)
        continue
      }
      if let owner, owner != known { return true }
    }
    return false
  }

  // MARK: Reasons

  /// The reason while it waits for the user's answer.
  static let silence =
    "GeoClue does not answer: it waits for a program that asks the user; start one, such as "
    + "/usr/libexec/geoclue-2.0/demos/agent"

  private static func isMissing(_ error: CallError) -> Bool {
    if case .refused(let refusal) = error { refusal.name == .serviceUnknown } else { false }
  }

  private static func reason(_ error: CallError) -> String {
    if isMissing(error) { return "GeoClue is not installed; install geoclue-2.0" }
    if case .refused(let refusal) = error {
      if refusal.name.text == "org.freedesktop.DBus.Error.AccessDenied" {
        return
          "GeoClue does not tell Suzu the position; allow it in the privacy settings, or in /etc/geoclue/geoclue.conf"
      }
    }
    return "GeoClue: \(error.description)"
  }
}

extension Position {
  /// Reads the properties of a location; nil if they name no place on the earth.
  init?(_ properties: [String: Value]) {
    guard case .double(let latitude)? = properties["Latitude"], case .double(let longitude)? = properties["Longitude"],
      -90...90 ~= latitude, -180...180 ~= longitude
    else { return nil }
    var accuracy = 0.0
    if case .double(let metres)? = properties["Accuracy"] { accuracy = metres }
    // Every comparison with NaN is false.
    self.init(latitude: latitude, longitude: longitude, accuracy: accuracy.isNaN ? .infinity : accuracy)
  }
}
