// SPDX-License-Identifier: Apache-2.0
public import DBus
public import EventLoop
public import Scheduling

/// The sources of conditions. Each connects to its service when the first request needs it, and not before.
public enum AllSources {
  /// The sources of this machine.
  ///
  /// - Parameter system: the address of the system bus, which may not exist.
  public static func make(
    on loop: EventLoop, session: Connection, system: BusAddress? = try? .system()
  ) -> [any ConditionSource] {
    let link = SystemBusLink(system, on: loop)
    return [
      NetworkSource(on: loop, system: link), PowerSource(on: loop, system: link),
      UnitSource(on: loop, system: link, session: session), FileSource(on: loop),
      DeviceSource(on: loop), SignalSource(on: loop, system: link, session: session),
      SessionSource(on: loop, system: system, session: session),
    ]
  }
}
