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
      let credentials = try Self.credentials(of: link, in: folders)
      let files = try LinkFiles(of: link, in: folders)
      if let outbox, let topic = link.send {
        sending = SendingLink(
          name, NtfySender(link, to: topic, credentials, files, transfers), link.limits, record, from: outbox,
          timing: timing, on: loop)
      }
      guard link.receives else {
        record.enter(.ready)
        return
      }
      let pictures =
        link.pictures
        ? PictureFetcher(
          name, of: link, authority: files.authority, in: folders, transfers, limit: timing.pictureLimit, on: loop)
        : nil
      let queue = PushQueue(link.limits, record, to: receiver, pictures, timing: timing, on: loop)
      self.queue = queue
      let device = link.answers ? try? DeviceID(in: folders) : nil
      let subscription: any Subscription =
        switch link.server.transport {
        case .ntfy: ntfy(link, name, credentials, files, queue, transfers, device, outbox, timing, loop)
        case .mqtt:
          mqtt(link, name, credentials, files, queue, device, outbox, timing, loop)
        case .unifiedPush:
          try UnifiedPushSubscription(
            link, name, PushKeys(of: link, in: folders), record, queue, connector, timing: timing, on: loop)
        }
      self.subscription = subscription
      subscription.start()
    } catch {
      record.enter(.invalid, error: error.description)
    }
  }

  private func ntfy(
    _ link: LinkDefinition, _ name: LinkName, _ credentials: Transfer.Credentials?, _ files: LinkFiles,
    _ queue: PushQueue, _ transfers: Transfers, _ device: DeviceID?, _ outbox: (any OutboxCenter)?,
    _ timing: LinkTiming, _ loop: EventLoop
  ) -> NtfySubscription {
    if let topic = link.answerTopic, let outbox {
      answering = SendingLink(
        name, NtfySender(link, to: topic, credentials, files, transfers), link.limits, record, from: outbox,
        timing: timing, on: loop)
    }
    return NtfySubscription(
      link, name, credentials, files, record, queue, transfers, device: device, timing: timing, on: loop)
  }

  private func mqtt(
    _ link: LinkDefinition, _ name: LinkName, _ credentials: Transfer.Credentials?, _ files: LinkFiles,
    _ queue: PushQueue, _ device: DeviceID?, _ outbox: (any OutboxCenter)?, _ timing: LinkTiming, _ loop: EventLoop
  ) -> MQTTSubscription {
    let subscription = MQTTSubscription(
      link, name, credentials, files, record, queue, device: device, timing: timing, on: loop)
    if link.answers, let outbox {
      answering = SendingLink(
        name, MQTTAnswerSender(subscription, on: loop), link.limits, record, from: outbox, timing: timing, on: loop)
    }
    return subscription
  }

  /// The link's own file, and what `suzu link add` puts beside it.
  static func files(of name: LinkName, in folders: LinkFolders) -> [FileStatus?] {
    ["json", "secret", "pem", "identity"].map { try? FileStatus("\(folders.settings)/\(name).\($0)") }
  }

  static func credentials(
    of link: LinkDefinition, in folders: LinkFolders
  ) throws(SecretError) -> Transfer.Credentials? {
    switch link.secret {
    case .token(let place): .token(try place.read(in: folders.settings))
    case .password(let login, let place): .password(login: login, try place.read(in: folders.settings))
    // They go nowhere: the distributor signs in.
    case .keys, nil: nil
    }
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

extension PushKeys {
  /// The keys of a link over UnifiedPush.
  init(of link: LinkDefinition, in folders: LinkFolders) throws(SecretError) {
    guard case .keys(let place)? = link.secret else { throw SecretError("the link has no keys") }
    try self.init(try place.read(in: folders.settings))
  }
}

/// The files for TLS that a link names: like a secret, relative to the folder of the links.
package struct LinkFiles {
  let authority: String?
  /// With its key, which others may not read.
  let certificate: String?

  package init(of link: LinkDefinition, in folders: LinkFolders) throws(SecretError) {
    func path(_ text: String) -> String { text.hasPrefix("/") ? text : "\(folders.settings)/\(text)" }
    authority = link.authority.map(path)
    certificate = link.clientCertificate.map(path)
    if let certificate { try SecretPlace.checkIsPrivate(certificate) }
  }
}
