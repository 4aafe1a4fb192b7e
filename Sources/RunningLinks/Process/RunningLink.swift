// SPDX-License-Identifier: Apache-2.0
package import EventLoop
package import Links
internal import NotificationModel
internal import SystemFiles

/// One link of this program: its subscription, its queue and its state. A link whose file cannot be used has only a
/// state.
///
/// Confined to the loop's thread.
package final class RunningLink {
  /// The files that it was started with.
  let files: [FileStatus?]
  /// The servers that its messages may call; none if its file cannot be used.
  private(set) var hosts: [CallHost] = []
  private let record: LinkRecord
  private var queue: PushQueue?
  private var subscription: (any Subscription)?
  /// Nil if it does not send.
  private(set) var sending: SendingLink?
  /// Nil if it sends no answers.
  private(set) var answering: SendingLink?

  package init(
    _ name: LinkName, in folders: LinkFolders, to receiver: any PushReceiver, from outbox: (any OutboxCenter)?,
    _ transfers: Transfers, _ connector: Connector?, timing: LinkTiming, on loop: EventLoop
  ) {
    files = Self.files(of: name, in: folders)
    let link: LinkDefinition
    do throws(LinkFileError) { link = try folders.definition(of: name) } catch {
      record = LinkRecord(name, in: folders, on: loop)
      record.enter(.invalid, error: error.description)
      return
    }
    hosts = link.hosts
    record = LinkRecord(name, source: "\(link.server.text)/\(link.topic)", in: folders, on: loop)
    do throws(SecretError) {
      let opened = try OpenedLink(name, link, in: folders)
      let transport = link.server.transport.running
      func outgoing(by sender: (any MessageSender)?) -> SendingLink? {
        guard let sender, let outbox else { return nil }
        return SendingLink(name, sender, link.limits, record, from: outbox, timing: timing, on: loop)
      }
      sending = outgoing(by: link.send.flatMap { transport.sender(of: opened, to: $0, transfers) })
      guard link.receives else {
        record.enter(.ready)
        return
      }
      let pictures =
        link.pictures
        ? PictureFetcher(
          name, of: link, authority: opened.files.authority, in: folders, transfers, limit: timing.pictureLimit,
          on: loop)
        : nil
      let queue = PushQueue(link.limits, record, to: receiver, pictures, timing: timing, on: loop)
      self.queue = queue
      let parts = SubscriptionParts(
        record: record, queue: queue, transfers: transfers, connector: connector,
        device: link.answers ? try? DeviceID(in: folders) : nil, timing: timing)
      let (subscription, answers) = try transport.subscription(of: opened, parts, on: loop)
      answering = outgoing(by: answers)
      self.subscription = subscription
      subscription.start()
    } catch {
      record.enter(.invalid, error: error.description)
    }
  }

  /// The link's own file, and what `suzu link add` puts beside it.
  static func files(of name: LinkName, in folders: LinkFolders) -> [FileStatus?] {
    ["json", "secret", "pem", "identity"].map { try? FileStatus("\(folders.settings)/\(name).\($0)") }
  }

  /// The center has appeared.
  func retry() { queue?.retry() }

  /// Ends the link, and writes its state.
  package func stop(isRemoved: Bool = false) {
    subscription?.stop(isRemoved: isRemoved)
    sending?.stop()
    answering?.stop()
    record.finish()
  }
}
