// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Glibc
internal import Links
internal import SystemFiles

/// All links of the user: one for each file in the folder, started, replaced and ended as the files change.
///
/// Confined to the loop's thread.
final class LinkService {
  private let folders: LinkFolders
  private let receiver: any PushReceiver
  /// Nil if no link sends.
  private let outbox: (any OutboxCenter)?
  private let dispatch: Dispatch?
  private let transfers: Transfers
  /// Nil without a bus.
  private let connector: Connector?
  private let timing: LinkTiming
  private let loop: EventLoop
  private var links: [LinkName: RunningLink] = [:]
  private let allowed = AllowedHosts()
  private var watch: FolderWatch?

  /// Whether there is no file of a link, not even one with a wrong name.
  private var isEmpty = false

  /// Called when the last link has gone, and nothing waits to be sent.
  var whenEmpty: () -> Void = {}

  init(
    _ folders: LinkFolders, to receiver: any PushReceiver, from outbox: (any OutboxCenter)? = nil,
    _ connector: Connector? = nil, timing: LinkTiming = LinkTiming(), on loop: EventLoop
  ) throws(TransferFailure) {
    (self.folders, self.receiver, self.outbox, self.timing, self.loop) = (folders, receiver, outbox, timing, loop)
    self.connector = connector
    let transfers = try Transfers(on: loop)
    self.transfers = transfers
    let allowed = allowed
    dispatch = outbox.map {
      let calls = CallQueue(from: $0, transfers, hosts: { allowed.hosts[$0] }, timing: timing, on: loop)
      return Dispatch(from: $0, calls, on: loop)
    }
  }

  /// Starts all links, and follows the folder.
  func start() throws(EventLoopError) {
    dispatch?.whenIdle = { [weak self] in
      guard let self, isEmpty else { return }
      whenEmpty()
    }
    watch = try loop.watch(folders: [folders.settings]) { [weak self] in self?.handle($0) }
    reload(changed: nil)
  }

  func stop() {
    watch?.cancel()
    watch = nil
    for link in links.values { link.stop() }
    links = [:]
    dispatch?.stop()
  }

  /// The center has appeared.
  func retry() {
    for link in links.values { link.retry() }
    dispatch?.refresh()
  }

  /// The center has a new message to send.
  func send() { dispatch?.refresh() }

  private func handle(_ change: FolderChange) {
    switch change {
    case .entries(_, let names): reload(changed: names)
    case .replaced, .overflow: reload(changed: nil)
    }
  }

  /// - Parameter changed: the names of the files that have changed; nil for any.
  private func reload(changed: Set<String>?) {
    let (names, others) = folders.names()
    for other in others where changed?.contains(other) ?? true {
      LinkLog.error(nil, "the file '\(Self.printable(other))' is no link: the name of a link must be \(LinkName.form)")
    }
    // A file that is replaced is often reported twice.
    for (name, link) in links
    where !names.contains(name) || link.files != RunningLink.files(of: name, in: folders) {
      link.stop(isRemoved: !names.contains(name))
      links[name] = nil
      if !names.contains(name) {
        for file in [folders.state(of: name), folders.session(of: name)] { unlink(file) }
        PictureFetcher.removeAll(of: name, in: folders)
      }
    }
    for name in names where links[name] == nil {
      links[name] = RunningLink(
        name, in: folders, to: receiver, from: outbox, transfers, connector, timing: timing, on: loop)
    }
    allowed.hosts = Dictionary(uniqueKeysWithValues: links.map { ($0.key.text, $0.value.hosts) })
    dispatch?.set(
      links.values.compactMap(\.sending).sorted { $0.name < $1.name },
      answering: links.values.compactMap(\.answering).sorted { $0.name < $1.name })
    isEmpty = links.isEmpty && others.isEmpty
    if isEmpty { dispatch?.refresh() ?? whenEmpty() }
  }

  private static func printable(_ text: String) -> String {
    String(text.unicodeScalars.prefix(60).map { $0.value < 32 || $0.value == 127 ? "?" : Character($0) })
  }
}

/// The servers that the messages of each link may call at present, by the name of the link.
///
/// Confined to the loop's thread.
private final class AllowedHosts {
  var hosts: [String: [CallHost]] = [:]
}
