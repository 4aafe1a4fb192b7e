// SPDX-License-Identifier: Apache-2.0
public import DBus
public import EventLoop

/// What the system's services tell of the machine.
public enum MachineEvent: Hashable, Sendable {
  /// The services are followed from here on; what happened before was not told, so look.
  case listening
  /// It is about to sleep.
  case willSleep
  /// It slept, and is back; or it did not go to sleep after all.
  case resumed
  /// Somebody set its time zone.
  case zoneChanged
  /// Its clock is kept right by somebody from now on, or no longer.
  case synchronizationChanged
}

/// What `logind` and `timedated` tell on the system's bus.
///
/// It is news and no more: where neither is there (a container, another init system), nothing is told, and whoever needs
/// to know finds out by itself.
public enum MachineEvents {
  /// After how long a bus that is not there is looked for again; after the last time no more, so that a machine without
  /// one is left in peace.
  public static let usualRetries: [Duration] = [.seconds(10), .seconds(60), .seconds(300)]

  /// What happens from now on. The sequence ends when there is no bus any more; there may never be one.
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
      // One that comes and goes all the time is as good as none.
      if EventLoop.Clock.monotonic.now - start > longest { left = retries[...] }
      guard let wait = left.popFirst() else { return }
      try? await loop.sleep(for: wait)
    }
  }

  /// As long as the bus is there.
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
    member: "PrepareForSleep")

  /// [timedated](https://www.freedesktop.org/software/systemd/man/latest/org.freedesktop.timedate1.html)
  private static let setting = MatchRule(
    sender: "org.freedesktop.timedate1", path: "/org/freedesktop/timedate1",
    interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged",
    firstArgument: "org.freedesktop.timedate1")

  private static func event(ofSleep signal: Signal) -> MachineEvent? {
    signal.arguments.first?.boolean.map { $0 ? .willSleep : .resumed }
  }

  private static func event(ofSetting signal: Signal) -> MachineEvent? {
    guard signal.arguments.count == 3 else { return nil }
    let names = Set(signal.arguments[1].properties?.keys.map { $0 } ?? []).union(signal.arguments[2].strings ?? [])
    if names.contains("Timezone") { return .zoneChanged }
    return names.isDisjoint(with: ["NTP", "NTPSynchronized"]) ? nil : .synchronizationChanged
  }
}
