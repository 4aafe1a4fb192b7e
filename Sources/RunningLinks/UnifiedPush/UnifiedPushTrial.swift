// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop
internal import Links

/// One registration of a link at its distributor. The address goes to the running suzu-link, as after each
/// registration, and from there into the state of the link.
///
/// Confined to the loop's thread.
final class UnifiedPushTrial: Trial {
  private let link: LinkDefinition
  private let name: LinkName
  private let keys: PushKeys
  /// The distributor that the link has used, if it is to have any.
  private let distributor: String?
  private let folders: LinkFolders
  private let loop: EventLoop
  private var task: Task<Void, Never>?

  /// How long the distributor may take to give an address.
  private static let addressLimit: Duration = .seconds(5)

  init(_ opened: OpenedLink, on loop: EventLoop) throws(SecretError) {
    (link, name, folders, self.loop) = (opened.link, opened.name, opened.folders, loop)
    keys = try PushKeys(of: link, in: folders)
    distributor = link.server.distributor ?? LinkState.read(folders.state(of: name))?.distributor
  }

  func start(_ ended: @escaping (TrialOutcome) -> Void) {
    task = loop.start {
      do {
        _ = try MessageCipher(self.keys)
        let connection = try await Connection.open(try BusAddress.session(), on: self.loop)
        ended(await self.outcome(on: connection))
      } catch {
        ended(.failed("\(error)"))
      }
    }
  }

  func stop() {
    task?.cancel()
    task = nil
  }

  private func outcome(on connection: Connection) async -> TrialOutcome {
    switch await Distributor.choose(distributor, on: connection) {
    case .failure(let problem): return .failed(problem.text)
    case .success(let distributor):
      let start = EventLoop.Clock.monotonic.now
      switch await distributor.register(keys.token, for: name, vapid: link.vapid) {
      case .refused(let problem, _): return .failed(problem)
      case .registered:
        let time = start.millisecondsSince
        guard await hasAddress() else { return .failed("the distributor " + UnifiedPushSubscription.withoutAddress) }
        return .worked("the distributor '\(distributor.name)' took the registration within \(time) ms")
      }
    }
  }

  /// Waits for the address, which the first registration brings within a moment.
  private func hasAddress() async -> Bool {
    let path = folders.state(of: name)
    let (changes, change) = AsyncStream<Void>.makeStream()
    let watch = try? loop.watch(folders: [folders.states]) { _ in change.yield() }
    let end = loop.schedule(after: Self.addressLimit) { change.finish() }
    defer {
      watch?.cancel()
      end.cancel()
    }
    change.yield()
    for await _ in changes where LinkState.read(path)?.endpoint != nil { return true }
    return false
  }
}
