// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import ConditionSources
internal import DBus
internal import EventLoop
internal import Freedesktop
internal import Glibc
internal import Scheduling
internal import Synchronization

/// The center as a process: it connects to the bus, takes the name, serves, and ends.
actor CenterProcess {
  private let loop: EventLoop
  private let options: Options
  private let exitStatus = Atomic<Int32>(EX_OK)
  /// Ends the process if the bus stays away; nil while it is there.
  private var givingUp: EventLoop.Deadline?
  /// When the center of another session last asked for the store.
  private var lastAsked: Duration?

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// How long to wait for a bus that went away. The bus of a session that ended does not come back.
  private static let busTimeout: Duration = .seconds(120)

  /// The options from the command line.
  struct Options {
    /// How many notifications of an app are shown within ten seconds; 0 means no limit.
    var burst = Burst.usual
    /// How long there must be no input until the user counts as away; zero if that does not count.
    var idle = Timeouts.usual.pauses.idle
  }

  init(on loop: EventLoop, _ options: Options) {
    self.loop = loop
    self.options = options
  }

  /// The exit status, to be read when the loop has ended.
  nonisolated var status: Int32 { exitStatus.load(ordering: .relaxed) }

  func run() async {
    var options = Connection.Options()
    options.reconnects = true
    options.givesMemoryBack = true
    options.callPacing = CallPacing()
    // Handlers and servers send short messages; a malicious one could make the center parse 128 MiB.
    options.longestReply = 8 << 20
    options.longestSignal = 1 << 20
    do {
      let signals = try listenForSignals()
      let connection = try await Connection.open(try BusAddress.session(), on: loop, options: options)
      try loop.onSignal(StaleCenter.question) { [weak self] in self?.assumeIsolated { $0.wasAsked(connection) } }
      await serve(on: connection, until: signals)
      await connection.close()
    } catch {
      end("\(error)", EX_UNAVAILABLE)
    }
  }

  private func serve(on connection: Connection, until signals: AsyncStream<Void>) async {
    guard await !isTaken(on: connection) else { return end("another center runs on this bus already", EX_UNAVAILABLE) }
    let center: CenterService
    do throws(StoreError) {
      do throws(StoreError) {
        center = try makeCenter(on: connection)
      } catch {
        guard error.code == .alreadyOpen, await StaleCenter.makesWay(holding: Folders.data, on: loop) else {
          throw error
        }
        center = try makeCenter(on: connection)
      }
    } catch  where error.code == .alreadyOpen {
      return end("another center runs in this home: \(error.message)", EX_UNAVAILABLE)
    } catch {
      end(error.message, error.code == .newerSchema ? EX_CONFIG : EX_UNAVAILABLE)
      return await refuseWaitingCalls(error.message, on: connection)
    }
    await withTaskGroup { group in
      group.addTask { for await _ in signals { break } }
      group.addTask { await self.watchBus(connection, for: center) }
      group.addTask { await self.work(center, on: connection) }
      _ = Task(executorPreference: loop) { await Self.watchMachine(for: center, on: self.loop) }
      // The first of these tasks to end ends the process.
      await group.next()
      await center.finishPosting()
      // Actions whose beginning is on disk, and which would be reported as interrupted.
      await ChildProcess.finishStarting(within: .seconds(2), on: loop)
      // The store is closed before the name is released, so that a center that the bus starts next can open it.
      await center.end()
      group.cancelAll()
      await connection.close()
    }
  }

  /// Checked first, so that a second center reports that another one runs, and not that its store is in use.
  private func isTaken(on connection: Connection) async -> Bool {
    (try? await connection.owner(of: CenterBus.name)) != nil
  }

  private func makeCenter(on connection: Connection) throws(StoreError) -> CenterService {
    let time = MachineTime(on: loop)
    let store = try Store(folder: Folders.data, session: Folders.session) { [unowned time] in time.wall }
    let places = NamedPlaces()
    let sources = AllSources(on: loop, session: connection, places: places)
    let resources = CenterResources(
      store: store, time: time, zones: MachineZone(on: loop), conditions: sources.conditions,
      presence: sources.presence,
      places: places,
      positions: sources.positions, categories: Folders.categories)
    var timeouts = Timeouts.usual
    timeouts.pauses.idle = options.idle
    return CenterService(
      on: connection, resources: resources, timeouts: timeouts, burst: options.burst, desktop: .real(on: connection))
  }

  private func work(_ center: CenterService, on connection: Connection) async {
    do {
      // The objects are exported before the name is requested, because callers that wait for the name call immediately.
      try await ExportedInterfaces.export(center, on: connection)
      try await center.run {
        let reply = try await connection.requestName(CenterBus.name, .doNotQueue)
        if reply == .taken { throw NameTaken() }
      }
    } catch is NameTaken {
      end("another center runs on this bus already", EX_UNAVAILABLE)
    } catch {
      end("\(error)", EX_UNAVAILABLE)
    }
  }

  /// Runs on its own: on a machine without a system bus the events end, which must not end the process.
  private static func watchMachine(for center: CenterService, on loop: EventLoop) async {
    for await event in MachineEvents.events(on: loop) {
      switch event {
      case .willSleep, .unreachable: break
      case .listening, .resumed, .zoneChanged, .synchronizationChanged: await center.lookAtClocks()
      }
    }
  }

  private struct NameTaken: Error {}

  private func listenForSignals() throws(EventLoopError) -> AsyncStream<Void> {
    let (signals, continuation) = AsyncStream<Void>.makeStream()
    for signal in [SIGTERM, SIGINT, SIGHUP] {
      try loop.onSignal(signal) { continuation.yield() }
    }
    return signals
  }

  /// Returns when the bus has been gone for too long, or another center took the name.
  private func watchBus(_ connection: Connection, for center: CenterService) async {
    for await event in await connection.events() {
      switch event {
      case .disconnected:
        Log.warning("the session bus is gone; waiting for it")
        await center.forgetCallers()
        givingUp = loop.schedule(after: Self.busTimeout) {
          self.assumeIsolated { $0.giveUp(connection, "the session bus did not come back") }
        }
        makeWay(connection)
      case .reconnected:
        Log.info("the session bus is back")
        givingUp?.cancel()
        givingUp = nil
        if await hasLostName(on: connection) { return end("another center runs on this bus already", EX_UNAVAILABLE) }
      case .lost(CenterBus.name):
        return end("another center took over", EX_UNAVAILABLE)
      case .lost, .acquired:
        break
      }
    }
  }

  /// Whether another center took the name while this one was reconnecting.
  private func hasLostName(on connection: Connection) async -> Bool {
    (try? await connection.requestName(CenterBus.name, .doNotQueue)) == .taken
  }

  /// A center in a new session of this user asks for the store.
  private func wasAsked(_ connection: Connection) {
    lastAsked = EventLoop.Clock.monotonic.now
    makeWay(connection)
  }

  /// Gives up if the bus is gone and the store was asked for; the two may happen in either order.
  private func makeWay(_ connection: Connection) {
    guard givingUp != nil, let lastAsked, EventLoop.Clock.monotonic.now - lastAsked < StaleCenter.timeout else {
      return
    }
    givingUp?.cancel()
    giveUp(connection, "the session bus is gone, and another session has begun")
  }

  private func giveUp(_ connection: Connection, _ reason: String) {
    end(reason, EX_UNAVAILABLE)
    _ = Task(executorPreference: loop) { await connection.close() }  // which ends everything that waits for the bus
  }

  private func end(_ reason: String, _ status: Int32) {
    Log.error(reason)
    exitStatus.store(status, ordering: .relaxed)
  }
}
