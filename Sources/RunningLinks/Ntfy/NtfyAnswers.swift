// SPDX-License-Identifier: Apache-2.0
internal import Links
internal import NotificationModel

/// The answers to the messages of a topic, which come on another topic of the server.
///
/// Confined to the loop's thread.
final class NtfyAnswers {
  let topic: String
  private let app: String
  /// This desktop; nil if its id cannot be read.
  private let device: DeviceID?
  /// The messages that were answered while the link was not connected: they come after that.
  private var answered: Set<String> = []

  private static let most = 10_000

  /// What a user of the server needs, behind the words that a right is missing.
  static let rights = "; answers also need the right to read and to write TOPIC-answers"

  /// Nil if the link has none.
  init?(of link: LinkDefinition, _ device: DeviceID?) {
    guard let topic = link.answerTopic else { return nil }
    (self.topic, self.device, app) = (topic, device, link.app.text)
  }

  /// Where the answers are that the server has kept.
  func address(on server: ServerAddress, query: String) -> String {
    "\(server.text)/\(topic)/json\(query)&poll=1"
  }

  /// A connection begins.
  func reset() { answered = [] }

  /// Reads a line of the answers that the server has kept.
  func note(_ line: LineReader.Line) {
    guard case .bytes(let bytes) = line, case .message(let message)? = NtfyEvent(bytes),
      let answer = LinkAnswer(message), answered.count < Self.most
    else { return }
    answered.insert(answer.id)
  }

  func hasAnswer(to message: NtfyMessage) -> Bool { answered.contains(message.id) }

  /// An answer of another desktop, or the own one as the server has it: its order is that of the server.
  func item(_ message: NtfyMessage) -> PushQueue.Item {
    guard let answer = LinkAnswer(message) else { return .skip(id: message.id) }
    return .answered(
      id: message.id, message: answer.id, name: answer.device == device?.text ? nil : answer.name, app: app)
  }
}
