// SPDX-License-Identifier: Apache-2.0
public import DBus
public import EventLoop

/// An event that a system service reports about the machine.
public enum MachineEvent: Hashable, Sendable {
  /// The services are followed from here on. Earlier changes were not reported, so check the current state.
  case listening
  /// The bus cannot be reached, or is gone. It may be tried again.
  case unreachable
  /// The machine is about to sleep.
  case willSleep
  /// The machine woke up, or did not go to sleep after all.
  case resumed
  /// The machine's time zone was changed.
  case zoneChanged
  /// Clock synchronization was turned on or off.
  case synchronizationChanged
}

/// Events from `logind` and `timedated` on the system bus.
///
/// The events are hints only: without these services (a container, another init system) none arrive, and callers must
/// check the state themselves.
public enum MachineEvents {
  /// The delays before reconnecting to a missing bus. After the last one the search ends, so that a machine without a
  /// system bus is not polled.
  public static let usualRetries: [Duration] = [.seconds(10), .seconds(60), .seconds(300)]

  /// Events from now on. The sequence ends when the bus is gone for good; it may never begin.
  public static func events(
    on loop: EventLoop, from bus: BusAddress? = try? .system(), retries: [Duration] = usualRetries
  ) -> AsyncStream<MachineEvent> {
    let (events, continuation) = AsyncStream<MachineEvent>.makeStream(bufferingPolicy: .bufferingNewest(64))
    let reading = Task(executorPreference: loop) {
      if let bus { await follow(bus, on: loop, retries, into: continuation) }
      continuation.finish()
    }
    continuation.onTermination = { _ in reading.cancel() }
    return events
  }

  private static func follow(
    _ bus: BusAddress, on loop: EventLoop, _ retries: [Duration], into events: AsyncStream<MachineEvent>.Continuation
  ) async {
    let longest = retries.max() ?? .zero
    var left = retries[...]
    while !Task.isCancelled {
      let start = EventLoop.Clock.monotonic.now
      await follow(bus, on: loop, into: events)
      events.yield(.unreachable)
      // A bus that comes and goes all the time counts as missing.
      if EventLoop.Clock.monotonic.now - start > longest { left = retries[...] }
      guard let wait = left.popFirst() else { return }
      try? await loop.sleep(for: wait)
    }
  }

  /// Follows the services until the bus disconnects.
  private static func follow(
    _ bus: BusAddress, on loop: EventLoop, into events: AsyncStream<MachineEvent>.Continuation
  ) async {
    guard let connection = try? await Connection.open(bus, on: loop) else { return }
    if let sleep = try? await connection.signals(matching: sleep, buffering: 16),
      let setting = try? await connection.signals(matching: setting, buffering: 16)
    {
      events.yield(.listening)
      await withTaskGroup { group in
        group.addTask { await read(sleep, into: events, event(ofSleep:)) }
        group.addTask { await read(setting, into: events, event(ofSetting:)) }
      }
    }
    await connection.close()
  }

  private static func read(
    _ signals: SignalStream, into events: AsyncStream<MachineEvent>.Continuation,
    _ event: (Signal) -> MachineEvent?
  ) async {
    do {
      for try await signal in signals {
        if let event = event(signal) { events.yield(event) }
      }
    } catch {
      // The bus is gone.
    }
  }

  // MARK: The services

  /// [logind](https://www.freedesktop.org/software/systemd/man/latest/org.freedesktop.login1.html)
  private static let sleep = MatchRule(
    sender: "org.freedesktop.login1", path: "/org/freedesktop/login1", interface: "org.freedesktop.login1.Manager",
    member: prepareForSleep.name)
  private static let prepareForSleep = SignalDescription("PrepareForSleep", ("start", Bool.self))

  /// [timedated](https://www.freedesktop.org/software/systemd/man/latest/org.freedesktop.timedate1.html)
  private static let setting = MatchRule(
    sender: "org.freedesktop.timedate1", path: "/org/freedesktop/timedate1",
    interface: StandardInterfaces.properties, member: StandardInterfaces.propertiesChanged.name,
    firstArgument: "org.freedesktop.timedate1")

  private static func event(ofSleep signal: Signal) -> MachineEvent? {
    signal.arguments(as: prepareForSleep).map { $0 ? .willSleep : .resumed }
  }

  private static func event(ofSetting signal: Signal) -> MachineEvent? {
    guard let (_, changed, invalidated) = signal.arguments(as: StandardInterfaces.propertiesChanged) else { return nil }
    let names = Set(changed.keys).union(invalidated)
    if names.contains("Timezone") { return .zoneChanged }
    return names.isDisjoint(with: ["NTP", "NTPSynchronized"]) ? nil : .synchronizationChanged
  }
}
