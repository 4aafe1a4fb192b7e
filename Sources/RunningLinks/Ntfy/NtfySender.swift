// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Links

/// Publishes messages on the topic of a link.
///
/// Confined to the loop's thread.
final class NtfySender: MessageSender {
  private let link: LinkDefinition
  private let topic: String
  private let credentials: Transfer.Credentials?
  private let files: LinkFiles
  private let transfers: Transfers
  private var transfer: Transfer?

  /// - Parameter topic: the topic of the server to which the link sends.
  init(_ opened: OpenedLink, to topic: String, _ transfers: Transfers) {
    (link, credentials, files) = (opened.link, opened.credentials, opened.files)
    (self.topic, self.transfers) = (topic, transfers)
  }

  func send(_ message: OutgoingMessage) async -> SendAnswer { await send(NtfyPublication(message, on: topic)) }

  func send(_ answer: OutgoingAnswer) async -> SendAnswer {
    await send(NtfyPublication(answer.answer, on: answer.topic))
  }

  private func send(_ publication: NtfyPublication) async -> SendAnswer {
    do throws(TransferFailure) {
      let transfer = try Transfer(
        Transfer.Request(
          url: link.server.text + "/", server: link.server, authority: files.authority, credentials: credentials,
          certificate: files.certificate, sending: Transfer.Sending(json: publication.json)))
      return answer(to: await end(of: transfer))
    } catch {
      return .unavailable(error.problem, isTemporary: error.isTemporary)
    }
  }

  private func end(of transfer: Transfer) async -> Transfer.End {
    self.transfer = transfer
    let end = await transfers.end(of: transfer)
    self.transfer = nil
    return end
  }

  private func answer(to end: Transfer.End) -> SendAnswer {
    switch end {
    case .failed(let failure): return .unavailable(failure.problem, isTemporary: failure.isTemporary)
    case .answered(200..<300, _): return .sent
    case .answered(let status, _) where [400, 413, 422].contains(status):
      return .refused("the server refuses the message (HTTP \(status))")
    case .answered(let status, let retryAfter):
      let answer = ServerAnswer(status: status, retryAfter: retryAfter, hasSecret: credentials != nil)
      let advice = topic == link.answerTopic && answer.isDenial ? NtfyAnswers.rights : ""
      return .unavailable(answer.problem + advice, isTemporary: answer.isTemporary, pause: answer.pause)
    }
  }

  func stop() {
    guard let transfer else { return }
    self.transfer = nil
    transfers.stop(transfer)
    transfer.whenEnded(.failed(TransferFailure(problem: "the link has ended")))
  }
}
