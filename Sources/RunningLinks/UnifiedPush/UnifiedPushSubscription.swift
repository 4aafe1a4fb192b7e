// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop
internal import Links
internal import NotificationModel

/// The registration of one link at a distributor of UnifiedPush, and the messages that come over it. A message is
/// acknowledged to the distributor once the center has it on disk, and not before.
///
/// Confined to the loop's thread.
final class UnifiedPushSubscription: Subscription, PushRecipient {
  private let link: LinkDefinition
  private let name: LinkName
  private let keys: PushKeys
  private let cipher: MessageCipher
  private let record: LinkRecord
  private let queue: PushQueue
  /// Nil without a bus.
  private let connector: Connector?
  private let attempts: Attempts
  private let timing: LinkTiming
  private let loop: EventLoop

  /// The distributor that is followed on the bus, and the program that has its name.
  private var distributor: BusName?
  private var owner: BusName?
  private var following: Task<Void, Never>?
  private var registering: Task<Void, Never>?
  /// The version that the distributor speaks; nil if it is not known.
  private var version: Int?
  private var hasEndpoint = false
  private var openedAt: Duration?
  private var waitingForEndpoint: EventLoop.Deadline?
  private(set) var isSearching = false
  private var isStopped = false
  /// The calls whose messages are in the queue, in its order.
  private var waiting: [CheckedContinuation<Bool, Never>] = []

  init(_ opened: OpenedLink, _ parts: SubscriptionParts, on loop: EventLoop) throws(SecretError) {
    (link, name) = (opened.link, opened.name)
    (record, queue, connector, timing) = (parts.record, parts.queue, parts.connector, parts.timing)
    self.loop = loop
    keys = try PushKeys(of: link, in: opened.folders)
    cipher = try MessageCipher(keys)
    attempts = Attempts(record, timing: timing, on: loop)
    attempts.whenDue = { [weak self] in self?.begin() }
    queue.whenFinished = { [weak self] in self?.finished() }
  }

  // MARK: Registering

  func start() {
    let publicKey = Base64URL.encoded(cipher.publicKey)
    record.change {
      // With other keys, the token is another one, too.
      if $0.publicKey != publicKey { $0.endpoint = nil }
      $0.publicKey = publicKey
    }
    record.enter(.connecting)
    connector?.add(self, token: keys.token)
  }

  func stop(isRemoved: Bool) {
    isStopped = true
    attempts.cancel()
    waitingForEndpoint?.cancel()
    registering?.cancel()
    following?.cancel()
    connector?.remove(self, token: keys.token)
    if isRemoved, let distributor = distributor ?? record.state.distributor.flatMap({ BusName($0) }) {
      connector?.unregister(keys.token, of: distributor, version: version)
    }
    queue.stop()
    // They come again, if the distributor keeps what is not acknowledged.
    for call in waiting { call.resume(returning: false) }
    waiting = []
  }

  func begin() {
    if isStopped { return }
    attempts.cancel()
    isSearching = false
    registering?.cancel()
    if let problem = connector?.problem { return lost(problem, isTemporary: false) }
    registering = loop.start { await self.register() }
  }

  private func register() async {
    guard let connector else { return }
    (hasEndpoint, openedAt) = (false, nil)
    let chosen: Distributor
    switch await Distributor.choose(link.server.distributor ?? record.state.distributor, on: connector.connection) {
    case .success(let distributor): chosen = distributor
    case .failure(let problem):
      if isStopped || Task.isCancelled { return }
      return wait(for: problem)
    }
    if isStopped || Task.isCancelled { return }
    follow(chosen.name)
    let answer = await chosen.register(keys.token, for: name, vapid: link.vapid)
    if isStopped || Task.isCancelled { return }
    registering = nil
    switch answer {
    case .registered(let version):
      self.version = version
      record.change { $0.distributor = chosen.name.text }
      if !hasEndpoint { waitForEndpoint() }
    case .refused(let problem, let isTemporary): lost(problem, isTemporary: isTemporary)
    }
  }

  /// Waits until the distributor is on the bus; an attempt now and then finds one that was installed.
  private func wait(for problem: DistributorProblem) {
    registering = nil
    if let name = (link.server.distributor ?? record.state.distributor).flatMap({ BusName($0) }) {
      follow(name)
    } else {
      isSearching = true
      connector?.search()
    }
    let pause = problem.isTemporary ? nil : timing.pauseAfterRefusal
    attempts.plan(after: problem.text, isTemporary: !problem.isChoice, pause: pause, openedAt: nil)
  }

  private func waitForEndpoint() {
    waitingForEndpoint?.cancel()
    waitingForEndpoint = loop.schedule(after: timing.endpointLimit) { [weak self] in
      self?.lost("the distributor " + Self.withoutAddress, isTemporary: true)
    }
  }

  /// What is said of a distributor that takes the registration, and then calls nothing.
  static let withoutAddress =
    "gives the link no address; look in its settings whether it has a push server, and reaches it"

  private func lost(_ problem: String, isTemporary: Bool) {
    waitingForEndpoint?.cancel()
    waitingForEndpoint = nil
    registering?.cancel()
    registering = nil
    attempts.plan(after: problem, isTemporary: isTemporary, openedAt: openedAt)
    openedAt = nil
  }

  // MARK: The distributor on the bus

  private func follow(_ name: BusName) {
    if distributor == name, following != nil { return }
    following?.cancel()
    (distributor, owner) = (name, nil)
    following = loop.start {
      guard let owners = try? await self.connector?.connection.owners(of: name) else { return }
      for await owner in owners {
        if self.isStopped || Task.isCancelled { return }
        self.changed(to: owner)
      }
    }
  }

  private func changed(to owner: BusName?) {
    let earlier = self.owner
    self.owner = owner
    if let owner {
      // Where it has appeared because of the registration, or before it, that goes on, also until there is an endpoint.
      let isRegistered = registering != nil || hasEndpoint || waitingForEndpoint != nil
      if owner != earlier, registering == nil, !isRegistered || earlier != nil { begin() }
    } else if earlier != nil {
      hasEndpoint = false
      lost("the distributor '\(distributor?.text ?? "")' has left the bus", isTemporary: true)
    }
  }

  // MARK: What the distributor says

  func take(endpoint: String) {
    guard PushSubscription.isEndpoint(endpoint) else {
      return lost("the distributor gives the link an address that is not a web address", isTemporary: false)
    }
    waitingForEndpoint?.cancel()
    waitingForEndpoint = nil
    attempts.cancel()
    hasEndpoint = true
    if openedAt == nil { openedAt = EventLoop.Clock.monotonic.now }
    record.change { $0.endpoint = endpoint }
    record.enter(.connected)
  }

  func unregistered() {
    hasEndpoint = false
    record.change { $0.endpoint = nil }
    lost("the distributor has ended the registration", isTemporary: true)
  }

  func take(_ bytes: [UInt8]) async -> Bool {
    if isStopped { return false }
    let longest = min(EncryptedMessage.longest, link.limits.longestMessage)
    guard bytes.count <= longest else {
      record.omit(.tooLong, because: "it is longer than \(longest) bytes, the limit of the link")
      return true
    }
    guard let message = EncryptedMessage(bytes) else {
      record.omit(.unencrypted, because: "it is not encrypted as Web Push wants it")
      return true
    }
    guard let text = cipher.open(message) else {
      record.omit(.undecipherable, because: "it was encrypted for another key, or is damaged")
      return true
    }
    guard let text = String(validating: text, as: UTF8.self) else {
      record.omit(.binary, because: "it is not text")
      return true
    }
    guard !text.isEmpty else {
      record.omit(.unreadable, because: "it is empty")
      return true
    }
    guard let push = LinkPush(LinkMessage(message.id, text: text), of: link, name) else {
      record.omit(.badPayload, because: "its text is no payload as for Apple's push service")
      return true
    }
    guard !queue.isFull else {
      record.omit(.overflow, because: "\(link.limits.mostPending) others wait, the limit of the link")
      return false
    }
    return await withCheckedContinuation { call in
      waiting.append(call)
      queue.add(.push(push))
    }
  }

  /// The center has the first message of the queue, or will not take it.
  private func finished() { if !waiting.isEmpty { waiting.removeFirst().resume(returning: true) } }
}
