// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Links
internal import NotificationModel

/// One subscription of a topic of ntfy, which ends with its beginning.
///
/// Confined to the loop's thread.
final class NtfyTrial: Trial {
  private let link: LinkDefinition
  private let credentials: Transfer.Credentials?
  private let files: LinkFiles
  private let transfers: Transfers
  private var transfer: Transfer?

  init(_ opened: OpenedLink, on loop: EventLoop) throws(TransferFailure) {
    (link, credentials, files) = (opened.link, opened.credentials, opened.files)
    transfers = try Transfers(on: loop)
  }

  func start(_ ended: @escaping (TrialOutcome) -> Void) throws(TransferFailure) {
    let start = EventLoop.Clock.monotonic.now
    let (hasSecret, hasAnswers) = (credentials != nil, link.answers)
    var lines = LineReader(longest: link.limits.longestMessage)
    let transfer = try Transfer(
      Transfer.Request(
        url: NtfySubscription.address(of: link), server: link.server, authority: files.authority,
        credentials: credentials, certificate: files.certificate))
    transfer.whenRead = { bytes in
      lines.read(bytes) { line in
        guard case .bytes(let bytes) = line, case .open? = NtfyEvent(bytes) else {
          return ended(.failed("the server is not one of ntfy, or the address leads to another page of it"))
        }
        ended(.worked("the server took the subscription within \(start.millisecondsSince) ms"))
      }
      return true
    }
    transfer.whenEnded = { [weak self] end in
      self?.transfer = nil
      switch end {
      case .answered(let status, let retryAfter):
        let answer = ServerAnswer(status: status, retryAfter: retryAfter, hasSecret: hasSecret)
        ended(.failed(answer.problem + (hasAnswers && answer.isDenial ? NtfyAnswers.rights : "")))
      case .failed(let failure): ended(.failed(failure.problem))
      }
    }
    try transfers.start(transfer)
    self.transfer = transfer
  }

  func stop() {
    if let transfer { transfers.stop(transfer) }
    transfer = nil
  }
}

extension Duration {
  /// The time since this date of the monotonic clock.
  var millisecondsSince: Int64 {
    let time = (EventLoop.Clock.monotonic.now - self).components
    return time.seconds * 1000 + time.attoseconds / 1_000_000_000_000_000
  }
}
