// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
internal import Scheduling
public import Suzu
internal import Synchronization
internal import Triggers
internal import Zoneinfo

/// The clock of a machine that only exists in a test: it walks through days in a millisecond, sleeps, is set, and moves
/// from zone to zone.
///
///     let clock = try VirtualClock("2026-03-28 12:00", in: "Europe/Paris")
///     let spy = SpyCenter(clock: clock)
///     try await spy.notify("Good morning", at: .daily(at: "07:30"))
///     clock.advance(by: .seconds(86_400))
///
/// Each ``SpyCenter`` on the clock delivers what comes due on the way, in order and at the right time. Nothing happens
/// while the clock stands still, and it stands still unless a test moves it.
public final class VirtualClock: Sendable {
  /// Everything that moves with the clock. Nothing in it calls the program under test: that happens after the lock is
  /// released, or a program that answers at once would wait for itself.
  private let world: Mutex<World>

  /// A clock that shows 09:00 on Monday, 5 January 2026, in UTC.
  public init() {
    world = Mutex(World(wall: VirtualTime.date("2026-01-05T09:00:00Z"), zone: Zone.utc.name, folder: nil))
  }

  /// A clock that shows a local time or a moment.
  ///
  /// - Parameters:
  ///   - start: a local time, such as `2026-03-28 12:00`, or a moment, such as `2026-03-28T11:00:00Z`.
  ///   - zone: the IANA name of the machine's time zone, such as `Europe/Paris`.
  ///   - zoneinfo: a folder of compiled time zones; nil for that of the system.
  public init(_ start: String, in zone: String = "UTC", zoneinfo: String? = nil) throws(SuzuError) {
    let zones = try Self.zones(zone, zoneinfo)
    let wall = try Self.time(start, zones)
    world = Mutex(World(wall: wall, zone: zone, folder: zoneinfo))
  }

  // MARK: Reading

  /// What the clock shows.
  public var now: Date { Date(timestamp) }

  /// What the clock on the wall shows: `2026-03-29 07:30:00`.
  public var localTime: String {
    let (wall, name, folder) = world.withLock { ($0.wall, $0.zone, $0.folder) }
    return wall.localTime((try? Self.zones(name, folder).rules(nil)) ?? .utc)
  }

  /// The machine's time zone.
  public var zone: String { world.withLock { $0.zone } }

  /// When something is due next: a date of a request, or the end of a waiting time; nil if nothing is.
  public var nextDate: Date? { world.withLock { world in world.nearest.map { Date(world.wall + $0) } } }

  var timestamp: Timestamp { world.withLock { $0.wall } }

  // MARK: Walking

  /// Lets time pass while the machine is on: everything comes on time.
  public func advance(by duration: Duration) { change { $0.pass(Self.milliseconds(duration)) } }

  /// Lets time pass until the clock shows this local time or moment, which must not be in its past.
  public func advance(to time: String) throws(SuzuError) {
    let end = try self.time(time)
    try advance(to: end, time)
  }

  /// Lets time pass until the clock shows this date, which must not be in its past.
  public func advance(to date: Date) throws(SuzuError) { try advance(to: Timestamp(date), "\(date)") }

  /// Lets time pass until the next thing is due, and lets that happen. Returns false, and moves nothing, if nothing is
  /// due up to `end`.
  @discardableResult
  public func advanceToNext(until end: Date = .distantFuture) -> Bool {
    change { world in
      // A request is recorded a moment before it comes, which is no step of its own for a test.
      let came = world.cameCount
      let last = Timestamp(end)
      while let step = world.nearest, world.wall + step <= last {
        world.pass(step)
        if world.cameCount != came || step > 0 && world.nearest.map({ $0 > Self.moment }) ?? true { return true }
      }
      return world.cameCount != came
    }
  }

  /// The time before its date at which a scheduler records a request, and a little more.
  private static let moment: Int64 = 100

  // MARK: The machine

  /// Suspends the machine for some time. What comes due meanwhile comes when the machine wakes up, as its `missed` and
  /// `grace` say; a request that wakes the machine comes on time.
  public func suspend(for duration: Duration) { change { $0.suspend(Self.milliseconds(duration)) } }

  /// Suspends the machine until the clock shows this local time or moment, which must not be in its past.
  public func suspend(until time: String) throws(SuzuError) {
    let wait = try wait(until: try self.time(time), time)
    change { $0.suspend(wait) }
  }

  /// Switches the machine off for some time: the center ends, and starts again with what it has stored.
  public func switchOff(for duration: Duration) { change { $0.switchOff(Self.milliseconds(duration)) } }

  /// Sets the clock, as its user or a time server does. No time passes.
  public func set(to time: String) throws(SuzuError) {
    let date = try self.time(time)
    change { $0.set(date) }
  }

  /// Moves the machine to another time zone.
  public func move(to zone: String) throws(SuzuError) {
    _ = try Self.zones(zone, world.withLock { $0.folder })
    change { $0.move(zone) }
  }

  /// Gives a zone other rules, as an update of the time zone database does: a POSIX text such as
  /// `CET-1CEST,M3.5.0,M10.5.0/3`.
  public func update(zone: String, to rules: String) throws(SuzuError) {
    do throws(ZoneError) { _ = try ZoneRules(posix: rules) } catch {
      throw SuzuError(.invalidRequest, "\(error)")
    }
    change { $0.update(zone, rules) }
  }

  // MARK: Its centers

  /// Adds the inside of a center, which moves with the clock until ``remove(_:)``.
  func add() -> Int { change { $0.add() } }

  func remove(_ number: Int) { world.withLock { world in world.agendas[number] = nil } }

  /// Uses the inside of a center.
  func with<T: Sendable, E: Error>(
    _ number: Int, _ body: (SpyAgenda) throws(E) -> T
  ) throws(E) -> T {
    let (result, later): (Result<T, E>, [@Sendable () -> Void]) = world.withLock { world in
      guard let agenda = world.agendas[number] else { preconditionFailure("the center has left its clock") }
      let result: Result<T, E>
      do throws(E) { result = .success(try body(agenda)) } catch { result = .failure(error) }
      return (result, world.takeLater())
    }
    for call in later { call() }
    return try result.get()
  }

  @discardableResult
  private func change<T: Sendable>(_ body: (inout World) -> T) -> T {
    let (result, later): (T, [@Sendable () -> Void]) = world.withLock { world in
      let result = body(&world)
      return (result, world.takeLater())
    }
    for call in later { call() }
    return result
  }

  // MARK: Times

  private func time(_ text: String) throws(SuzuError) -> Timestamp {
    let (zone, folder) = world.withLock { ($0.zone, $0.folder) }
    return try Self.time(text, try Self.zones(zone, folder))
  }

  private func advance(to end: Timestamp, _ text: String) throws(SuzuError) {
    let wait = try wait(until: end, text)
    change { $0.pass(wait) }
  }

  private func wait(until end: Timestamp, _ text: String) throws(SuzuError) -> Int64 {
    let left = end - timestamp
    guard left >= 0 else {
      throw SuzuError(.invalidRequest, "'\(text)' is in the past of the clock, which shows \(localTime); use set(to:)")
    }
    return left
  }

  private static func milliseconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    return max(0, seconds * 1000 + attoseconds / 1_000_000_000_000_000)
  }

  private static func zones(_ name: String, _ folder: String?) throws(SuzuError) -> VirtualZones {
    do throws(ZoneError) { return try VirtualZones(name, folder: folder) } catch {
      throw SuzuError(.invalidRequest, "\(error)")
    }
  }

  /// A moment in RFC 3339, or a local time; midnight if there is no time of day.
  private static func time(_ text: String, _ zones: VirtualZones) throws(SuzuError) -> Timestamp {
    if let instant = Instant(rfc3339: text) { return Timestamp(milliseconds: instant.seconds * 1000) }
    guard let civil = CivilDateTime(text) ?? CivilDateTime(text + "T00:00"), let rules = try? zones.rules(nil) else {
      throw SuzuError(.invalidRequest, "'\(text)' is not a time such as '2026-03-28 12:00' or '2026-03-28T11:00:00Z'")
    }
    return Timestamp(milliseconds: rules.resolve(civil).seconds * 1000)
  }
}
