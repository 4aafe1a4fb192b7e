// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Links
internal import NotificationModel
internal import RunningLinks

/// Publishes to the fleet, over the client of `suzu-link`.
///
/// Confined to the loop's thread.
final class Publisher {
  private let settings: MQTTConnection.Settings
  private let loop: EventLoop
  private var connection: MQTTConnection?
  private var waiting: (done: CheckedContinuation<String?, Never>, limit: EventLoop.Deadline)?

  /// The topic that desktops subscribe to.
  static let topic = "fleet/all"

  init(to address: String, on loop: EventLoop) throws {
    self.loop = loop
    let folder = "/nonexistent"
    guard let folders = LinkFolders(environment: { ["HOME": folder][$0] }) else { throw FleetError("no folders") }
    let link = try LinkDefinition(
      app: AppID("dev.suzu.Fleet"), server: ServerAddress(address), topic: "fleet/publisher")
    settings = MQTTConnection.Settings(link, nil, try LinkFiles(of: link, in: folders), client: "publisher")
  }

  func connect() async throws {
    connection?.stop()
    try await wait("connect") {
      let connection = MQTTConnection(settings, on: loop) { [weak self] event in
        switch event {
        case .subscribed: self?.end(nil)
        case .published(_, let reason): self?.end(reason < 0x80 ? nil : "the broker refuses messages")
        case .lost(let problem, _):
          self?.connection = nil
          self?.end(problem)
        default: break
        }
      }
      self.connection = connection
      connection.start()
    }
  }

  func stop() { connection?.stop() }

  /// Publishes, and waits until the broker has the message.
  ///
  /// - Returns: when it was written.
  func publish(_ text: String, id: String? = nil, isRetained: Bool = false) async throws -> Duration {
    guard let connection else { throw FleetError("the publisher has no connection") }
    var properties = MQTTProperties()
    if let id { properties.words = [MQTTProperties.Word("id", id)] }
    let message = MQTTMessage(
      topic: isRetained ? Self.topic + "/state" : Self.topic, number: 2, isRetained: isRetained, properties,
      Array(text.utf8))
    let start = EventLoop.Clock.monotonic.now
    try await wait("publish") { connection.publish(message) }
    return start
  }

  private func wait(_ what: String, _ begin: () -> Void) async throws {
    let problem = await withCheckedContinuation { done in
      waiting = (done, loop.schedule(after: .seconds(30)) { [weak self] in self?.end("the broker does not answer") })
      begin()
    }
    if let problem { throw FleetError("the publisher cannot \(what): \(problem)") }
  }

  private func end(_ problem: String?) {
    guard let waiting else { return }
    self.waiting = nil
    waiting.limit.cancel()
    waiting.done.resume(returning: problem)
  }
}
