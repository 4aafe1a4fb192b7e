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
      try begin(link, credentials, in: folders, transfers)
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
        succeed("the server took the subscription within \(milliseconds) ms")
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
