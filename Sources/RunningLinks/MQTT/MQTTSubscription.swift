// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Links
internal import NotificationModel

/// The subscription of a filter of MQTT. A message is acknowledged once the center has it on disk, and not before; the
/// server sends the others again.
///
/// Confined to the loop's thread.
final class MQTTSubscription: Subscription {
  /// A message in the queue.
  private struct Waiting {
    let number: UInt16?
    let flight: MQTTSession.Flight
    /// The state of a topic, to be remembered once it is shown.
    let state: MQTTMessage?
  }

  private let link: LinkDefinition
  private let name: LinkName
  private let record: LinkRecord
  private let queue: PushQueue
  private let attempts: Attempts
  private let loop: EventLoop
  private let settings: MQTTConnection.Settings
  private var session: MQTTSession

  private var connection: MQTTConnection?
  private var openedAt: Duration?
  private var isResumed = false
  /// In the order of the queue.
  private var waiting: [Waiting] = []
  /// The numbers of messages that the center has, whose acknowledgment the server may not have got.
  private var taken: Set<UInt16> = []
  /// On this connection: the numbers that are not acknowledged yet, and those that are; the topics whose state has
  /// come.
  private var received: Set<UInt16> = []
  private var acknowledged: Set<UInt16> = []
  private var topics: Set<MQTTDigest> = []
  /// The acknowledgments since the last ping, and those before each ping that the server has not answered.
  private var unasked: [(number: UInt16, count: Int64)] = []
  private var asked: [[(number: UInt16, count: Int64)]] = []
  private var answers = 0
  private var hasToWrite = false
  /// This desktop; nil if its id cannot be read.
  private let device: DeviceID?
  /// The answers under way, by their numbers, and how each ends.
  private var publishing: [UInt16: (SendAnswer) -> Void] = [:]
  private var lastPublished: UInt16 = 1
  /// The messages that were answered on other desktops: a new session may bring an answer before its message.
  private var answered: Set<String> = []

  private static let mostAnswered = 1000

  init(_ opened: OpenedLink, _ parts: SubscriptionParts, on loop: EventLoop) {
    (link, name) = (opened.link, opened.name)
    (record, queue, device) = (parts.record, parts.queue, parts.device)
    self.loop = loop
    var generator = SystemRandomNumberGenerator()
    session = record.state.session ?? MQTTSession.new(using: &generator)
    settings = MQTTConnection.Settings(link, opened.credentials, opened.files, client: session.client)
    attempts = Attempts(record, timing: parts.timing, on: loop)
    attempts.whenDue = { [weak self] in self?.connect() }
    queue.whenRoom = { [weak self] in self?.connection?.isPaused = false }
    queue.whenFinished = { [weak self] in self?.finished() }
  }

  // MARK: Connecting

  func start() {
    record.enter(.connecting)
    // Before the server knows the name: a session whose name is forgotten would keep messages for no one.
    if record.state.session == nil {
      note()
      record.finish()
    }
    connect()
  }

  func stop(isRemoved: Bool) {
    attempts.cancel()
    connection?.stop(forgetting: isRemoved)
    connection = nil
    queue.stop()
    endPublishing()
    note()
  }

  private func connect() {
    let connection = MQTTConnection(settings, on: loop) { [weak self] in self?.handle($0) }
    self.connection = connection
    connection.start()
  }

  private func lost(_ problem: String, isTemporary: Bool) {
    connection = nil
    endPublishing()
    (received, acknowledged, topics, unasked, asked, answers) = ([], [], [], [], [], 0)
    attempts.plan(after: problem, isTemporary: isTemporary, openedAt: openedAt)
    openedAt = nil
  }

  // MARK: Events

  private func handle(_ event: MQTTConnection.Event) {
    switch event {
    case .connected(let isResumed):
      self.isResumed = isResumed
      if !isResumed {
        session.restart()
        record.add(.restarted)
        (taken, answered) = ([], [])
        note()
      }
    case .subscribed:
      openedAt = EventLoop.Clock.monotonic.now
      record.enter(.connected)
    case .message(let message): take(message.number, message.digest, message)
    case .leftOut(let omission, let number): take(number, MQTTDigest([]), nil, omission)
    case .read: if hasToWrite { write() } else { note() }
    case .asked:
      asked.append(unasked)
      unasked = []
    case .answered: confirm()
    case .published(let number, let reason): published(number, reason)
    case .lost(let problem, let isTemporary): lost(problem, isTemporary: isTemporary)
    }
  }

  /// - Parameters:
  ///   - message: nil if it cannot be passed on.
  ///   - omission: why.
  private func take(
    _ number: UInt16?, _ digest: MQTTDigest, _ message: MQTTMessage?, _ omission: LinkState.Omission = .unreadable
  ) {
    var flight: MQTTSession.Flight?
    if let number {
      guard received.insert(number).inserted else { connection?.fail(.wrongPacket); return }
      // On one connection, nothing comes twice: the number is used again. Whether a message comes again is not only
      // what the server says: one that was killed may not know that it has sent it.
      if !acknowledged.contains(number), session.knows(number, digest) {
        flight = session.flights[number]
        if taken.contains(number) { return acknowledge(number) }
        // It is on its way.
        if waiting.contains(where: { $0.number == number && $0.flight == flight }) { return }
      }
    }
    if flight == nil {
      let new = session.begin(number, digest)
      flight = new
      if let number {
        taken.remove(number)
        record.add(.began(number, new))
      }
      // A message without an id of its own gets one, which must be on disk before the center gets the message.
      if number != nil, message != nil, message?.ownID == nil { hasToWrite = true }
    }
    guard let flight else { return }
    let (item, state) = item(message, session.id(flight), omission)
    waiting.append(Waiting(number: number, flight: flight, state: state))
    queue.add(item)
    if queue.isFull { connection?.isPaused = true }
  }

  /// Decides what to do with a message; a retained one is also the state of its topic.
  private func item(
    _ message: MQTTMessage?, _ id: String, _ omission: LinkState.Omission
  ) -> (PushQueue.Item, MQTTMessage?) {
    guard let message else {
      record.omit(
        omission,
        because: omission == .tooLong
          ? "it is longer than \(link.limits.longestMessage) bytes, the limit of the link" : "it cannot be read")
      return (.skip(id: id), nil)
    }
    if message.word(MQTTMessage.testKey) != nil { return (.skip(id: id), nil) }
    if message.word(LinkAnswer.mark) != nil { return (answer(message, id), nil) }
    if message.isTombstone {
      let notification = LinkPush.id(of: MQTTMessage.sequence(of: message.topic), from: name)
      return (.withdraw(id: id, notification: notification, app: link.app.text), message)
    }
    // A new session begins with the states of all topics, also those that were shown in an earlier one.
    if message.isRetained, !isResumed, isFirst(message.topic), session.hasShown(message) {
      return (.skip(id: id), nil)
    }
    if let own = message.ownID, answered.contains(own) {
      // The notification of an earlier state may still be there.
      guard message.isRetained else { return (.skip(id: id), nil) }
      let notification = LinkPush.id(of: MQTTMessage.sequence(of: message.topic), from: name)
      return (.withdraw(id: id, notification: notification, app: link.app.text), message)
    }
    guard let content = message.content(id: id, now: LinkRecord.now) else {
      record.omit(.binary, because: "it is not text")
      return (.skip(id: id), nil)
    }
    guard !content.text.isEmpty || content.title != nil else {
      record.omit(.unreadable, because: "it is empty")
      return (.skip(id: id), nil)
    }
    guard let push = LinkPush(content, of: link, name) else {
      record.omit(.badPayload, because: "its text is no payload as for Apple's push service")
      return (.skip(id: id), nil)
    }
    return (.push(push), message.isRetained ? message : nil)
  }

  // MARK: Answers

  /// An answer of another desktop, or the own one as the server has it: its order is that of the server.
  private func answer(_ message: MQTTMessage, _ id: String) -> PushQueue.Item {
    guard link.answers, let text = String(validating: message.payload, as: UTF8.self), let answer = LinkAnswer(text),
      message.topic.hasSuffix("/answers/\(answer.id)")
    else { return .skip(id: id) }
    if answered.count < Self.mostAnswered { answered.insert(answer.id) }
    return .answered(
      id: id, message: answer.id, name: answer.device == device?.text ? nil : answer.name, app: link.app.text)
  }

  /// Publishes an answer; `done` is called once.
  func publish(_ answer: OutgoingAnswer, done: @escaping (SendAnswer) -> Void) {
    guard let connection, openedAt != nil else {
      return done(.unavailable("there is no connection", isTemporary: true))
    }
    repeat { lastPublished = lastPublished == .max ? 2 : lastPublished + 1 } while publishing[lastPublished] != nil
    publishing[lastPublished] = done
    connection.publish(answer.answer.message(to: answer.topic, number: lastPublished))
  }

  private func published(_ number: UInt16, _ reason: UInt8) {
    publishing.removeValue(forKey: number)?(
      reason < 0x80
        ? .sent : .unavailable("the user may not publish answers on the server", isTemporary: false))
  }

  /// It is not known what the server has of them; the same answer again is no harm.
  func endPublishing() {
    let ended = publishing.values
    publishing = [:]
    for done in ended { done(.unavailable("the connection to the server was lost", isTemporary: true)) }
  }

  /// Whether nothing of this topic has come on this connection.
  private func isFirst(_ topic: String) -> Bool {
    topics.count < MQTTSession.mostShown && topics.insert(MQTTDigest(topic.utf8)).inserted
  }

  // MARK: Acknowledging

  /// The center has the first message of the queue, or will not take it.
  private func finished() {
    guard !waiting.isEmpty else { return }
    let item = waiting.removeFirst()
    if let state = item.state {
      record.add(session.note(state))
      note()
    }
    guard let number = item.number, session.flights[number] == item.flight else { return }
    taken.insert(number)
    // Otherwise the connection was lost, and it comes again.
    if received.contains(number) { acknowledge(number) }
  }

  private func acknowledge(_ number: UInt16) {
    guard let connection, let flight = session.flights[number] else { return }
    received.remove(number)
    acknowledged.insert(number)
    unasked.append((number, flight.count))
    connection.acknowledge(number)
    // A flood of messages must not make the list grow without a limit.
    if unasked.count >= link.limits.mostPending { connection.ask() }
  }

  /// The server has answered a ping, so it has the acknowledgments before it.
  private func confirm() {
    guard !asked.isEmpty else { return }
    for (number, count) in asked.removeFirst() where session.flights[number]?.count == count { end(number) }
    answers += 1
    // By the second answer, everything that the server had to send again has come.
    if answers == 2 {
      let rest = Set(waiting.compactMap(\.number)).union(received).union(acknowledged)
      for number in session.flights.keys where !rest.contains(number) { end(number) }
    }
    note()
  }

  private func end(_ number: UInt16) {
    if let flight = session.flights[number] { record.add(.ended(number, flight)) }
    session.end(number)
    taken.remove(number)
  }

  // MARK: Remembering

  /// Writes what is remembered within a moment.
  private func note() {
    let session = session
    record.change { $0.session = session }
  }

  /// Keeps it now, before the center gets the messages: with their ids, it knows them if they come again.
  private func write() {
    hasToWrite = false
    record.keep(session)
  }
}
