// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Scheduling

/// A machine that only exists in memory: its clocks, its sleep, and what happens on it, one thing after the other.
///
/// It moves the clocks of an event loop to the next deadline or event whenever the loop has nothing left to do, so a
/// year takes no longer than what happens in it.
final class SimulatedMachine {
  let loop: EventLoop
  private let clocks: SimulatedClocks
  /// The milliseconds since the simulation began, whatever the machine's clocks show.
  private(set) var now: Int64 = 0
  /// What the wall clock would show if it had never been set, when the simulation began.
  private let epoch: Int64
  /// By how much the wall clock has been set since.
  private var shift: Int64 = 0
  private var bootedAt: Int64 = 0
  /// How long it has slept since its start.
  private var slept: Int64 = 0
  /// How long it has slept since the simulation began.
  private var sleptInAll: Int64 = 0
  /// The number of starts of the machine.
  private(set) var boots = 1
  /// Since when it has slept; nil if it does not sleep.
  private var asleepSince: Int64?
  private var events = EventQueue()
  /// Those that came while the machine slept.
  private var deferred: [() -> Void] = []
  private var end: Int64 = 0
  /// Called before each thing that happens.
  var whenGoingOn: () -> Void = {}
  /// What the elapsed time begins with: a machine takes a while to start a session.
  private static let startTime: Int64 = 20_000

  /// The loop of the machines before, which has descriptors: a center that was killed leaves tasks that keep its loop.
  // Machines are made and used on one thread after the other.
  nonisolated(unsafe) private static var spare: (loop: EventLoop, clocks: SimulatedClocks)?

  /// A machine that starts at this time.
  init(_ start: Timestamp) throws {
    epoch = start.milliseconds
    if let spare = Self.spare {
      (loop, clocks) = spare
      Self.spare = nil
    } else {
      clocks = SimulatedClocks(monotonic: .zero, elapsed: .zero, wall: .zero)
      loop = try EventLoop(simulating: clocks)
    }
    showTime()
  }

  /// Ends it. The loop is idle.
  func retire() {
    after(0) { [self] in loop.dropDeadlines() }
    run(until: now)
    // What was to happen later holds the machine, and all that is on it.
    events = EventQueue()
    deferred = []
    whenGoingOn = {}
    Self.spare = (loop, clocks)
  }

  /// What the wall clock shows, in milliseconds since 1970.
  var wall: Int64 { epoch + now + shift }
  /// The time since the machine's start, in milliseconds, with its sleep.
  var elapsed: Int64 { now - bootedAt + Self.startTime }

  /// The time since the simulation began, in milliseconds, without its sleep.
  var awake: Int64 { (asleepSince ?? now) - sleptInAll }

  private var isAsleep: Bool { asleepSince != nil }

  // MARK: Events

  /// Something that happens on the machine after that time; when it wakes up, if it sleeps then.
  func after(_ milliseconds: Int64, _ body: @escaping () -> Void) {
    events.add(at: now + milliseconds) { [self] in
      if isAsleep { deferred.append(body) } else { body() }
    }
  }

  /// Runs everything up to a moment, on the calling thread.
  func run(until end: Int64) {
    self.end = end
    clocks.install()
    defer { clocks.uninstall() }
    clocks.whenIdle = { [unowned self] in goOn() }
    loop.run()
    clocks.whenIdle = {}
  }

  /// Moves to the next thing that happens, and lets it.
  private func goOn() {
    let deadline = isAsleep ? nil : nearestDeadline
    let moment = [deadline, events.nearest].compactMap { $0 }.min() ?? .max
    guard moment <= end else {
      now = max(now, end)
      showTime()
      return loop.stop()
    }
    now = max(now, moment)
    showTime()
    whenGoingOn()
    // What the center waits for comes first: an alarm at the very moment at which it is killed has rung.
    if let deadline, deadline <= now { loop.runDeadlines() } else { events.takeFirst()?() }
  }

  private var nearestDeadline: Int64? {
    EventLoop.Clock.allCases.compactMap { clock in
      loop.nearestDeadline(on: clock).map { now + max(0, ($0 - clock.now).milliseconds) }
    }.min()
  }

  private func showTime() {
    clocks.wall = .milliseconds(wall)
    clocks.elapsed = .milliseconds(elapsed)
    clocks.monotonic = .milliseconds(elapsed - slept)
  }

  // MARK: Its clocks, sleep and start

  /// Sets the wall clock.
  func setWall(by milliseconds: Int64) {
    shift += milliseconds
    showTime()
    loop.tellClockWasSet()
  }

  /// Sleeps, and calls `awake` when it wakes up, before the center notices.
  func suspend(for milliseconds: Int64, awake: @escaping () -> Void) {
    asleepSince = now
    events.add(at: now + milliseconds) { [self] in
      asleepSince = nil
      slept += milliseconds
      sleptInAll += milliseconds
      showTime()
      awake()
      loop.tellClockWasSet()
      let deferred = deferred
      self.deferred = []
      // In their order, each with a turn of the loop of its own.
      for body in deferred { after(0, body) }
    }
  }

  /// Starts anew after the power was off.
  func boot() {
    boots += 1
    bootedAt = now
    slept = 0
    showTime()
  }
}

extension Duration {
  /// Rounded up, so that a deadline has passed then.
  fileprivate var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1000 + (attoseconds + (attoseconds > 0 ? 999_999_999_999_999 : 0)) / 1_000_000_000_000_000
  }
}

/// What will happen, in the order of time; at the same time, in the order of insertion.
private struct EventQueue {
  private var events: [(at: Int64, order: Int, body: () -> Void)] = []
  private var count = 0

  var nearest: Int64? { events.last?.at }

  mutating func add(at moment: Int64, _ body: @escaping () -> Void) {
    count += 1
    // The next one is the last. There are few: those of one script, and what the server and the user are about to do.
    var (low, high) = (0, events.count)
    while low < high {
      let middle = (low + high) / 2
      if events[middle].at > moment { low = middle + 1 } else { high = middle }
    }
    events.insert((moment, count, body), at: low)
  }

  mutating func takeFirst() -> (() -> Void)? { events.popLast()?.body }
}
