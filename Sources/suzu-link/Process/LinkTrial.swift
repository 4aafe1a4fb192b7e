// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Glibc
internal import Links
internal import NotificationModel

/// `suzu-link --test NAME`: connects once, and says what happened. It passes on no message.
///
/// Confined to the loop's thread.
final class LinkTrial {
  private let loop: EventLoop
  private var transfers: Transfers?
  private var transfer: Transfer?
  private var sender: NtfySender?
  private(set) var status: Int32 = EX_UNAVAILABLE

  private static let limit: Duration = .seconds(15)

  init(on loop: EventLoop) { self.loop = loop }

  func run(_ text: String, in folders: LinkFolders) {
    do {
      let name = try LinkName(text)
      let link = try folders.definition(of: name)
      let credentials = try RunningLink.credentials(of: link, in: folders)
      let transfers = try Transfers(on: loop)
      self.transfers = transfers
      if link.receives {
        try begin(link, credentials, in: folders, transfers)
      } else if let topic = link.send {
        send(to: topic, link, credentials, in: folders, transfers)
      }
      _ = loop.schedule(after: Self.limit) { [weak self] in
        self?.end("the server does not answer within \(Self.limit.text)")
      }
    } catch let error as RequestError {
      end("the name of a link \(error.problem)", EX_DATAERR)
    } catch let error as TransferFailure {
      end(error.problem)
    } catch {
      end("\(error)", EX_CONFIG)
    }
  }

  private func begin(
    _ link: LinkDefinition, _ credentials: Transfer.Credentials?, in folders: LinkFolders, _ transfers: Transfers
  ) throws {
    let start = EventLoop.Clock.monotonic.now
    var lines = LineReader(longest: link.limits.longestMessage)
    let transfer = try Transfer(
      Transfer.Request(
        url: NtfySubscription.address(of: link), server: link.server,
        authority: RunningLink.authority(of: link, in: folders), credentials: credentials))
    transfer.whenRead = { [unowned self] bytes in
      lines.read(bytes) { line in
        guard case .bytes(let bytes) = line, case .open? = NtfyEvent(bytes) else {
          return end("the server is not one of ntfy, or the address leads to another page of it")
        }
        let time = (EventLoop.Clock.monotonic.now - start).components
        let milliseconds = time.seconds * 1000 + time.attoseconds / 1_000_000_000_000_000
        let text = "the server took the subscription within \(milliseconds) ms"
        guard let topic = link.send else { return succeed(text) }
        // In a later turn: libcurl is calling.
        loop.performNext { self.send(to: topic, link, credentials, in: folders, transfers, after: text + ", and ") }
      }
      return true
    }
    transfer.whenEnded = { [unowned self] end in
      self.transfer = nil
      switch end {
      case .answered(let status, let retryAfter):
        self.end(ServerAnswer(status: status, retryAfter: retryAfter, hasSecret: credentials != nil).problem)
      case .failed(let failure): self.end(failure.problem)
      }
    }
    try transfers.start(transfer)
    self.transfer = transfer
  }

  /// Sends a message, which says that it is a test.
  private func send(
    to topic: String, _ link: LinkDefinition, _ credentials: Transfer.Credentials?, in folders: LinkFolders,
    _ transfers: Transfers, after earlier: String = ""
  ) {
    if hasEnded || sender != nil { return }
    let sender = NtfySender(
      link, to: topic, credentials, authority: RunningLink.authority(of: link, in: folders), transfers, on: loop)
    self.sender = sender
    let message = OutgoingMessage(
      id: "suzu-test", title: "Test", text: "This is a test of 'suzu link test'.", level: .active)
    loop.start {
      switch await sender.send(message) {
      case .sent: self.succeed(earlier + "the server took a test message")
      case .refused(let problem), .unavailable(let problem, _, _): self.end(problem)
      }
    }
  }

  private var hasEnded = false

  private func end(_ problem: String, _ status: Int32 = EX_UNAVAILABLE) {
    if hasEnded { return }
    LinkLog.error(nil, problem)
    stop(status)
  }

  private func succeed(_ text: String) {
    if hasEnded { return }
    _ = (text + "\n").withCString { write(STDOUT_FILENO, $0, strlen($0)) }
    stop(EX_OK)
  }

  /// In a later turn: libcurl may be calling.
  private func stop(_ status: Int32) {
    hasEnded = true
    self.status = status
    loop.performNext { [self] in
      if let transfer { transfers?.stop(transfer) }
      loop.stop()
    }
  }
}
