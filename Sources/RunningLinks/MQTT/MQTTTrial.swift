// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Links

/// One connection to a server of MQTT that publishes a message and waits for it: most servers do not say whether a user
/// may read a topic.
///
/// Confined to the loop's thread.
final class MQTTTrial: Trial {
  private let link: LinkDefinition
  private let credentials: Transfer.Credentials?
  private let files: LinkFiles
  private let loop: EventLoop
  private var connection: MQTTConnection?
  private var waiting: EventLoop.Deadline?

  /// How long the server may take to bring the message.
  private static let limit: Duration = .seconds(5)

  init(_ opened: OpenedLink, on loop: EventLoop) {
    (link, credentials, files, self.loop) = (opened.link, opened.credentials, opened.files, loop)
  }

  func start(_ ended: @escaping (TrialOutcome) -> Void) {
    var generator = SystemRandomNumberGenerator()
    // The session of the link goes on elsewhere.
    let name = MQTTSession.new(using: &generator).client
    var settings = MQTTConnection.Settings(link, credentials, files, client: name)
    settings.subscriber.isTrial = true
    var start = EventLoop.Clock.monotonic.now
    var result = ""
    let connection = MQTTConnection(settings, on: loop) { [weak self] event in
      guard let self else { return }
      switch event {
      case .subscribed:
        result = "the server took the subscription within \(start.millisecondsSince) ms"
        start = EventLoop.Clock.monotonic.now
        self.connection?.publish(.test(name, to: link.topic))
        waiting = loop.schedule(after: Self.limit) {
          ended(
            .failed("the server took the subscription, but brings no message; check that the user may read the topic"))
        }
      case .published(_, let reason) where reason >= 0x80:
        ended(.worked(result + "; the user may not publish there, so no message was sent"))
      case .message(let message):
        if let number = message.number { self.connection?.acknowledge(number) }
        if message.word(MQTTMessage.testKey) == name {
          ended(.worked(result + ", and brought a message within \(start.millisecondsSince) ms"))
        }
      case .leftOut(_, let number): if let number { self.connection?.acknowledge(number) }
      case .lost(let problem, _): ended(.failed(problem))
      case .connected, .read, .asked, .answered, .published: break
      }
    }
    self.connection = connection
    connection.start()
  }

  func stop() {
    waiting?.cancel()
    connection?.stop()
    connection = nil
  }
}
