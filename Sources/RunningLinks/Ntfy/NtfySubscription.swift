// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Links
internal import NotificationModel

/// The subscription of one topic of ntfy.
///
/// Confined to the loop's thread.
final class NtfySubscription: Subscription {
  private let link: LinkDefinition
  private let name: LinkName
  private let credentials: Transfer.Credentials?
  private let files: LinkFiles
  private let record: LinkRecord
  private let queue: PushQueue
  private let transfers: Transfers
  private let attempts: Attempts
  private let timing: LinkTiming
  private let loop: EventLoop
  /// Nil if answers do not come and go.
  private let answers: NtfyAnswers?

  private var transfer: Transfer?
  private var lines: LineReader
  /// Ends a connection from which nothing comes.
  private var silence: EventLoop.Deadline?
  private var openedAt: Duration?
  /// When bytes last came. The clock includes sleep: after it, a connection is likely dead, and is made again at once.
  private var readAt: Duration = .zero
  private var isPaused = false
  /// Whether the server has asked to read again, which happens once the connection is old enough.
  private var isPolling = false

  init(_ opened: OpenedLink, _ parts: SubscriptionParts, on loop: EventLoop) {
    (link, name, credentials, files) = (opened.link, opened.name, opened.credentials, opened.files)
    (record, queue, transfers, timing) = (parts.record, parts.queue, parts.transfers, parts.timing)
    self.loop = loop
    answers = NtfyAnswers(of: link, parts.device)
    lines = LineReader(longest: link.limits.longestMessage)
    attempts = Attempts(record, timing: timing, on: loop)
    attempts.whenDue = { [weak self] in
      self?.disconnect()
      self?.connect()
    }
    queue.whenRoom = { [weak self] in self?.resume() }
  }

  /// The address of a subscription.
  static func address(of link: LinkDefinition, query: String = "") -> String {
    let topics = [link.topic, link.answerTopic].compactMap(\.self).joined(separator: ",")
    return "\(link.server.text)/\(topics)/json\(query)"
  }

  // MARK: Connecting

  func start() {
    record.enter(.connecting)
    connect()
  }

  func stop(isRemoved: Bool) {
    attempts.cancel()
    disconnect()
    queue.stop()
  }

  private func connect() {
    answers?.reset()
    guard let answers, !query.isEmpty else { return subscribe() }
    // First, so that a message that was answered meanwhile is not shown at all.
    begin(answers.address(on: link.server, query: query)) { [weak self] bytes in
      self?.noteLife()
      self?.lines.read(bytes) { answers.note($0) }
      return true
    } ended: { [weak self] end in
      if case .answered(200, _) = end { self?.subscribe() } else { self?.ended(end) }
    }
  }

  private func subscribe() {
    begin(Self.address(of: link, query: query)) { [weak self] in
      self?.read($0) ?? true
    } ended: { [weak self] in
      self?.ended($0)
    }
  }

  private func begin(
    _ url: String, read: @escaping (UnsafeRawBufferPointer) -> Bool, ended: @escaping (Transfer.End) -> Void
  ) {
    silence?.cancel()
    lines = LineReader(longest: link.limits.longestMessage)
    do throws(TransferFailure) {
      let transfer = try Transfer(
        Transfer.Request(
          url: url, server: link.server, authority: files.authority, credentials: credentials,
          certificate: files.certificate))
      transfer.whenRead = read
      transfer.whenEnded = ended
      try transfers.start(transfer)
      self.transfer = transfer
      noteLife()
      watchSilence()
    } catch {
      lost(error.problem, isTemporary: true, pause: nil)
    }
  }

  /// Everything since the last message that has come; or since the link was first connected, by the server's clock.
  private var query: String {
    (queue.lastID ?? record.state.began.map(String.init)).map { "?since=\($0)" } ?? ""
  }

  private func disconnect() {
    silence?.cancel()
    silence = nil
    openedAt = nil
    (isPaused, isPolling) = (false, false)
    if let transfer {
      self.transfer = nil
      transfers.stop(transfer)
    }
  }

  private func ended(_ end: Transfer.End) {
    transfer = nil
    switch end {
    case .answered(let status, let retryAfter):
      let answer = ServerAnswer(status: status, retryAfter: retryAfter, hasSecret: credentials != nil)
      let advice = answers != nil && answer.isDenial ? NtfyAnswers.rights : ""
      lost(answer.problem + advice, isTemporary: answer.isTemporary || status == 200, pause: answer.pause)
    case .failed(let failure): lost(failure.problem, isTemporary: failure.isTemporary, pause: nil)
    }
  }

  private func lost(_ problem: String, isTemporary: Bool, pause: Duration?) {
    let openedAt = openedAt
    disconnect()
    attempts.plan(after: problem, isTemporary: isTemporary, pause: pause, openedAt: openedAt)
  }

  // MARK: Reading

  private func noteLife() { readAt = EventLoop.Clock.elapsed.now }

  /// One deadline for a long time, not a new one for each part that comes.
  private func watchSilence() {
    let end = readAt + link.silence
    silence = loop.schedule(at: end, on: .elapsed) { [weak self] in
      guard let self, transfer != nil else { return }
      // A paused link does not listen.
      if isPaused { noteLife() }
      if readAt + link.silence > EventLoop.Clock.elapsed.now { return watchSilence() }
      lost(TransferFailure.silent.problem, isTemporary: true, pause: nil)
    }
  }

  private func read(_ bytes: UnsafeRawBufferPointer) -> Bool {
    noteLife()
    if queue.isFull {
      isPaused = true
      return false
    }
    lines.read(bytes) { handle($0) }
    return true
  }

  private func resume() {
    guard isPaused, let transfer else { return }
    isPaused = false
    noteLife()
    transfers.resume(transfer)
  }

  private func handle(_ line: LineReader.Line) {
    switch line {
    case .tooLong:
      record.omit(.tooLong, because: "it is longer than \(link.limits.longestMessage) bytes, the limit of the link")
    case .bytes(let bytes):
      guard let event = NtfyEvent(bytes) else {
        return record.omit(.unreadable, because: "the server has sent a line that is no message of ntfy")
      }
      handle(event)
    }
  }

  private func handle(_ event: NtfyEvent) {
    switch event {
    case .open(let date):
      openedAt = EventLoop.Clock.monotonic.now
      record.change { if $0.began == nil { $0.began = date } }
      record.enter(.connected)
    case .keepalive, .other: break
    case .message(let message): handle(message)
    case .withdraw(let id, let sequence):
      queue.add(.withdraw(id: id, notification: LinkPush.id(of: sequence, from: name), app: link.app.text))
    case .pollRequest: poll()
    }
  }

  private func handle(_ message: NtfyMessage) {
    if let answers {
      if message.topic == answers.topic { return queue.add(answers.item(message)) }
      if answers.hasAnswer(to: message) {
        // Of an earlier message with its sequence, the notification may still be there.
        guard let sequence = message.sequence else { return queue.add(.skip(id: message.id)) }
        let notification = LinkPush.id(of: sequence, from: name)
        return queue.add(.withdraw(id: message.id, notification: notification, app: link.app.text))
      }
    }
    if message.isBinary {
      record.omit(.binary, because: "it is not text")
      return queue.add(.skip(id: message.id))
    }
    guard let push = LinkPush(message, of: link, name) else {
      record.omit(.badPayload, because: "its text is no payload as for Apple's push service")
      return queue.add(.skip(id: message.id))
    }
    if message.hasOtherActions {
      record.omit(
        .actions, because: "of its actions, only one that opens a page of the web, and calls of servers are carried out"
      )
    } else if push.hasOtherCalls {
      record.omit(.actions, because: "it asks for a call of a server that the link does not allow; see --hosts")
    }
    queue.add(.push(push))
  }

  /// Connects again, which brings what was not sent. In a later turn, and not more often than a server may ask for.
  private func poll() {
    guard !isPolling else { return }
    isPolling = true
    let age = openedAt.map { EventLoop.Clock.monotonic.now - $0 } ?? .zero
    attempts.plan(after: max(timing.pollPause - age, .zero))
  }
}
