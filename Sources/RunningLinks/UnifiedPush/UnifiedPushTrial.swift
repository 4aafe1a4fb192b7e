// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop
internal import Links

/// One registration of a link at its distributor. The address goes to the running suzu-link, as after each
/// registration.
///
/// Confined to the loop's thread.
final class UnifiedPushTrial: Trial {
  private let link: LinkDefinition
  private let name: LinkName
  private let keys: PushKeys
  /// The distributor that the link has used, if it is to have any.
  private let distributor: String?
  private let loop: EventLoop
  private var task: Task<Void, Never>?

  init(
    _ link: LinkDefinition, _ name: LinkName, in folders: LinkFolders, on loop: EventLoop
  ) throws(SecretError) {
    (self.link, self.name, self.loop) = (link, name, loop)
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
        return .worked(
          "the distributor '\(distributor.name)' took the registration within \(start.millisecondsSince) ms")
      }
    }
  }
}
