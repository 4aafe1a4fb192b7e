// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
package import EventLoop
internal import Glibc
package import Links
internal import SystemFiles

/// The program: it connects to the session bus, runs the links, and ends with a signal, with its bus, or with its last
/// link.
///
/// Confined to the loop's thread.
package final class LinkProcess {
  private let folders: LinkFolders
  private let loop: EventLoop
  private var service: LinkService?
  private var givingUp: EventLoop.Deadline?
  private var lock: RunningLock?
  private var isEnding = false
  /// The exit status, once the loop has ended.
  package private(set) var status: Int32 = EX_OK

  /// How long to wait for a bus that went away. The bus of a session that ended does not come back.
  private static let busTimeout: Duration = .seconds(120)

  package init(_ folders: LinkFolders, on loop: EventLoop) { (self.folders, self.loop) = (folders, loop) }

  package func run() async {
    do {
      for signal in [SIGTERM, SIGINT, SIGHUP] { try loop.onSignal(signal) { [unowned self] in end() } }
      guard let lock = try RunningLock(folders) else { return end("suzu-link runs already", EX_UNAVAILABLE) }
      self.lock = lock
      var options = Connection.Options()
      options.reconnects = true
      options.longestReply = 1 << 20
      options.longestSignal = 1 << 16
      let connection = try await Connection.open(try BusAddress.session(), on: loop, options: options)
      try await serve(on: connection)
    } catch {
      end("\(error)", EX_UNAVAILABLE)
    }
  }

  private func serve(on connection: Connection) async throws {
    if isEnding { return }
    let outbox = BusOutbox(on: connection, device: try DeviceID(in: folders))
    let connector = Connector(on: connection, loop)
    let service = try LinkService(folders, to: BusCenter(on: connection), from: outbox, connector, on: loop)
    // With a file of a wrong name, systemd would start it again at once.
    service.whenEmpty = { [unowned self] in
      end("no link is set up, and nothing waits to be sent; see 'suzu link add --help'", EX_OK)
    }
    self.service = service
    let owners = try await connection.owners(of: CenterBus.name)
    loop.startLater { for await owner in owners where owner != nil { self.service?.retry() } }
    let waiting = try await connection.signals(CenterSignals.outgoingWaiting, of: CenterBus.runningCenter)
    loop.startLater { do { for try await _ in waiting { self.service?.send() } } catch {} }
    try service.start()
    try await connector.open()
    for await event in await connection.events() {
      switch event {
      case .disconnected:
        LinkLog.warning(nil, "the session bus is gone; waiting for it")
        givingUp = loop.schedule(after: Self.busTimeout) { [unowned self] in
          end("the session bus did not come back", EX_UNAVAILABLE)
        }
      case .reconnected:
        givingUp?.cancel()
        givingUp = nil
        self.service?.retry()
        connector.restart()
      case .lost, .acquired: break
      }
    }
  }

  private func end(_ problem: String? = nil, _ status: Int32 = EX_OK) {
    if isEnding { return }
    isEnding = true
    if let problem {
      if status == EX_OK { LinkLog.info(nil, problem) } else { LinkLog.error(nil, problem) }
    }
    self.status = status
    service?.stop()
    service = nil
    loop.stop()
  }
}
