// SPDX-License-Identifier: Apache-2.0
public import DBus
public import EventLoop
public import Scheduling

/// The sources of conditions of this machine. Each connects to its service when the first request needs it, and not
/// before.
public struct AllSources {
  /// One for each kind of condition.
  public let conditions: [any ConditionSource]
  /// More of those for `unlocked` and `idle`: one source has one receiver.
  public let presence: [any ConditionSource]
  /// Finds where the machine is.
  public let positions: any PositionFinder

  /// - Parameters:
  ///   - places: the places that the user has named.
  ///   - system: the address of the system bus, which may not exist.
  public init(
    on loop: EventLoop, session: Connection, places: NamedPlaces, system: BusAddress? = try? .system()
  ) {
    let link = SystemBusLink(system, on: loop)
    let positions = PositionFeed(on: loop, system: link)
    self.positions = positions
    presence = [
      SessionSource(on: loop, system: system, session: session),
      IdleSource(on: loop, system: link, session: session, wayland: .session),
    ]
    conditions = [
      NetworkSource(on: loop, system: link), PowerSource(on: loop, system: link),
      PlaceSource(positions, places), BeaconSource(on: loop, system: link),
      UnitSource(on: loop, system: link, session: session), FileSource(on: loop),
      DeviceSource(on: loop), SignalSource(on: loop, system: link, session: session),
      SessionSource(on: loop, system: system, session: session),
      IdleSource(on: loop, system: link, session: session, wayland: .session),
    ]
  }
}
