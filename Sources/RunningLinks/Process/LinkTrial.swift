// SPDX-License-Identifier: Apache-2.0
package import EventLoop
internal import Glibc
package import Links
internal import NotificationModel

/// `suzu-link --test NAME`: connects once, and says what happened. It passes on no message.
///
/// Confined to the loop's thread.
package final class LinkTrial {
  private let loop: EventLoop
  private var trial: (any Trial)?
  private var sender: (any MessageSender)?
  package private(set) var status: Int32 = EX_UNAVAILABLE

  private static let limit: Duration = .seconds(15)

  package init(on loop: EventLoop) { self.loop = loop }

  package func run(_ text: String, in folders: LinkFolders) {
    do {
      let name = try LinkName(text)
      let link = try folders.definition(of: name)
      let opened = try OpenedLink(name, link, in: folders)
      if link.receives {
        try begin(opened)
      } else if let topic = link.send {
        try send(to: topic, opened)
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

  private func begin(_ opened: OpenedLink) throws {
    let trial = try opened.link.server.transport.running.trial(of: opened, on: loop)
    self.trial = trial
    try trial.start { [unowned self] outcome in
      switch outcome {
      case .worked(let text):
        guard let topic = opened.link.send else { return succeed(text) }
        // In a later turn: libcurl may be calling.
        loop.performNext {
          self.trial?.stop()
          do throws(TransferFailure) {
            try self.send(to: topic, opened, after: text + ", and ")
          } catch {
            self.end(error.problem)
          }
        }
      case .failed(let problem): end(problem)
      }
    }
  }

  /// Sends a message, which says that it is a test.
  private func send(
    to topic: String, _ opened: OpenedLink, after earlier: String = ""
  ) throws(TransferFailure) {
    if hasEnded || sender != nil { return }
    let transport = opened.link.server.transport.running
    guard let sender = transport.sender(of: opened, to: topic, try Transfers(on: loop)) else { return }
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
      trial?.stop()
      loop.stop()
    }
  }
}
