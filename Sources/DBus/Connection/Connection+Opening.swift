// SPDX-License-Identifier: Apache-2.0
public import EventLoop
internal import Synchronization

extension Connection {
  /// Connects to the bus of the user's session.
  ///
  ///     let bus = try await Connection.session()
  ///     let names = try await bus.call("ListNames", of: .bus, returning: [String].self)
  ///
  /// Without a loop, it shares one with all such connections, on a thread of its own.
  public static func session(
    on loop: EventLoop? = nil, options: Options = Options()
  ) async throws(CallError) -> Connection {
    let address: BusAddress
    do throws(BusError) { address = try .session() } catch { throw .failed(error) }
    return try await open(address, on: loopToUse(loop), options: options)
  }

  /// Connects to the bus of the system.
  public static func system(
    on loop: EventLoop? = nil, options: Options = Options()
  ) async throws(CallError) -> Connection {
    let address: BusAddress
    do throws(BusError) { address = try .system() } catch { throw .failed(error) }
    return try await open(address, on: loopToUse(loop), options: options)
  }

  /// Connects to a bus, on the loop that all connections without one share.
  public static func open(_ address: BusAddress, options: Options = Options()) async throws(CallError) -> Connection {
    try await open(address, on: loopToUse(nil), options: options)
  }

  /// Never ends, because a connection may come at any time.
  private static let loop = Mutex<EventLoop?>(nil)

  private static func loopToUse(_ own: EventLoop?) throws(CallError) -> EventLoop {
    if let own { return own }
    do throws(EventLoopError) {
      return try loop.withLock { loop throws(EventLoopError) in
        if let loop { return loop }
        let new = try EventLoop.onOwnThread(named: "dbus")
        loop = new
        return new
      }
    } catch {
      throw .failed(BusError(.outOfResources, error.description))
    }
  }

  // MARK: Serving

  /// Exports an object and owns a name: other programs can call it when this returns. After a reconnection, both are
  /// restored.
  ///
  /// Throws ``BusError/Code/nameTaken`` if another program owns the name.
  public func serve(_ interface: Interface, at path: ObjectPath, as name: BusName) async throws(CallError) {
    do throws(BusError) { try export(interface, at: path) } catch { throw .failed(error) }
    do throws(CallError) {
      if try await requestName(name) == .taken {
        throw .failed(BusError(.nameTaken, "another program owns the name '\(name)'"))
      }
    } catch {
      withdraw(interface.name, at: path)
      throw error
    }
  }

  /// Returns when the connection is closed, or lost without being restored: the end of a program that only serves.
  public func untilClosed() async {
    for await _ in events() {}
  }
}
