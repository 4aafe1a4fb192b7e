// SPDX-License-Identifier: Apache-2.0
package import EventLoop
package import Links

/// One connection to a server of MQTT 5, with its subscription.
///
/// An own client, and not libmosquitto: that one acknowledges a message when its callback returns, which would have to
/// wait for the center, and it would be a second library for TLS. What the server sends is read by pure functions of
/// `Links`, which `make fuzz` knows.
///
/// Confined to the loop's thread.
package final class MQTTConnection {
  /// The server, the client and the credentials.
  package struct Settings {
    let link: LinkDefinition
    let files: LinkFiles
    var subscriber: MQTTOutput.Connection

    package init(_ link: LinkDefinition, _ credentials: Transfer.Credentials?, _ files: LinkFiles, client: String) {
      (self.link, self.files) = (link, files)
      subscriber = MQTTOutput.Connection(client: client)
      switch credentials {
      case .token(let token): subscriber.password = token
      case .password(let login, let password): (subscriber.login, subscriber.password) = (login, password)
      case nil: break
      }
      subscriber.mostPending = UInt16(clamping: link.limits.mostPending)
      // The half of the time after which a silent connection counts as dead.
      let (seconds, attoseconds) = (link.silence / 2).components
      subscriber.keepAlive = UInt16(clamping: seconds + (attoseconds > 0 ? 1 : 0))
    }

    fileprivate var hasSecret: Bool { subscriber.password != nil }

    fileprivate var request: Transfer.Request {
      Transfer.Request(
        url: link.server.connectable, server: link.server, authority: files.authority, certificate: files.certificate)
    }
  }

  /// An event of the connection.
  package enum Event {
    /// The connection is accepted; whether the server has kept the session.
    case connected(isResumed: Bool)
    case subscribed
    case message(MQTTMessage)
    /// A message that cannot be passed on.
    case leftOut(LinkState.Omission, number: UInt16?)
    /// All packets of one read have been handled.
    case read
    /// A ping was sent.
    case asked
    /// The server has answered the ping, so it has got everything that was sent before.
    case answered
    /// The server has accepted or refused a published message.
    case published(number: UInt16, reason: UInt8)
    /// The connection is over.
    case lost(String, isTemporary: Bool)
  }

  private enum Stage { case connecting, greeting, subscribing, subscribed, over }

  private let settings: Settings
  private let loop: EventLoop
  private let handle: (Event) -> Void
  private var stream: Stream?
  private var stage = Stage.connecting
  private var reader: MQTTReader
  /// The bytes that came while the link was paused.
  private var rest: ArraySlice<UInt8> = []
  private var isReading = false
  private var hasRead = false
  private var pause: Duration
  private var asking: EventLoop.Deadline?
  /// When bytes last came. This clock goes on while the machine sleeps: afterwards the connection is probably dead, and
  /// is made again at once.
  private var readAt: Duration = .zero
  private var askedAt: Duration?

  private static let subscription: UInt16 = 1
  private static let answers: UInt16 = 3

  /// - Parameter handle: called with all events; not after ``stop()``.
  package init(_ settings: Settings, on loop: EventLoop, _ handle: @escaping (Event) -> Void) {
    (self.settings, self.loop, self.handle) = (settings, loop, handle)
    reader = MQTTReader(longest: settings.link.limits.longestMessage)
    pause = settings.link.silence / 2
  }

  package func start() {
    do throws(TransferFailure) {
      let stream = try Stream(settings.request, on: loop)
      stream.whenOpened = { [weak self] in self?.greet() }
      stream.whenRead = { [weak self] in self?.read($0) }
      stream.whenLost = { [weak self] in self?.lost($0) }
      self.stream = stream
      readAt = EventLoop.Clock.elapsed.now
      watch(after: settings.link.silence)
      try stream.start()
    } catch {
      lost(error)
    }
  }

  /// Ends it.
  ///
  /// - Parameter isForgotten: whether the server need not keep the session.
  package func stop(forgetting isForgotten: Bool = false) {
    if stage == .greeting || stage == .subscribing || stage == .subscribed {
      stream?.write(isForgotten ? MQTTOutput.farewell : MQTTOutput.disconnect())
    }
    close()
  }

  private func close() {
    stage = .over
    asking?.cancel()
    asking = nil
    stream?.stop()
    stream = nil
  }

  // MARK: What the link does

  /// Whether to read no further.
  var isPaused = false {
    didSet {
      guard oldValue != isPaused else { return }
      stream?.isPaused = isPaused
      readAt = EventLoop.Clock.elapsed.now
      askedAt = nil
      if !isPaused { loop.performNext { [weak self] in self?.read([]) } }
    }
  }

  func acknowledge(_ number: UInt16) { stream?.write(MQTTOutput.acknowledge(number)) }

  package func publish(_ message: MQTTMessage) { stream?.write(MQTTOutput.publish(message)) }

  /// Sends a ping. Its answer also shows that the server has got everything that was sent before.
  func ask() {
    guard stage == .subscribed else { return }
    askedAt = EventLoop.Clock.elapsed.now
    handle(.asked)
    stream?.write(MQTTOutput.ping)
  }

  /// Ends the connection because the server broke the protocol.
  func fail(_ fault: MQTTFault) {
    guard stage != .over else { return }
    stream?.write(MQTTOutput.disconnect(fault.reason))
    let problem =
      stage == .greeting
      ? "the server is not one of MQTT 5, or another service has its port"
      : "the server sends what MQTT 5 does not permit"
    end(problem, isTemporary: true)
  }

  private func end(_ problem: String, isTemporary: Bool) {
    guard stage != .over else { return }
    close()
    handle(.lost(problem, isTemporary: isTemporary))
  }

  private func lost(_ failure: TransferFailure) {
    guard stage == .greeting, failure == .lost else { return end(failure.problem, isTemporary: failure.isTemporary) }
    // Such a server ends TLS only after the client's part of it.
    let advice =
      settings.link.server.isEncrypted && settings.files.certificate == nil ? "; it may want a client certificate" : ""
    end("the server ended the connection before it answered" + advice, isTemporary: true)
  }

  // MARK: Time

  /// One deadline for a long time, not a new one for each part that comes.
  private func watch(after pause: Duration) {
    let end = EventLoop.Clock.elapsed.now + pause
    asking = loop.schedule(at: end, on: .elapsed) { [weak self] in self?.look() }
  }

  private func look() {
    let silence = settings.link.silence
    let now = EventLoop.Clock.elapsed.now
    // A paused link does not read, but still sends pings.
    let isSilent =
      !isPaused
      && (stage == .subscribed
        ? askedAt.map { readAt < $0 && $0 + pause <= now } ?? (readAt + silence + pause < now)
        : readAt + silence <= now)
    if isSilent { return end(TransferFailure.silent.problem, isTemporary: true) }
    ask()
    if stage != .over { watch(after: pause) }
  }

  // MARK: Reading

  private func greet() {
    stage = .greeting
    stream?.write(MQTTOutput.connect(settings.subscriber))
  }

  private func read(_ bytes: ArraySlice<UInt8>) {
    if !bytes.isEmpty { readAt = EventLoop.Clock.elapsed.now }
    // An event may come back here.
    guard !isReading, stage != .over else {
      rest += bytes
      return
    }
    isReading = true
    defer { isReading = false }
    rest = rest.isEmpty ? bytes : rest + bytes
    do throws(MQTTFault) {
      // Another service may say less than its first bytes, taken for a length, announce.
      if !hasRead, let first = rest.first {
        hasRead = true
        guard first == MQTTOutput.answer else { throw .wrongPacket }
      }
      while stage != .over, !isPaused, let frame = try reader.next(&rest) { try take(frame) }
      // A copy: the stream uses its buffer again.
      rest = Array(rest)[...]
      if stage != .over { handle(.read) }
    } catch {
      fail(error)
    }
  }

  private func take(_ frame: MQTTReader.Frame) throws(MQTTFault) {
    switch frame {
    case .tooLong(let number):
      guard stage == .subscribing || stage == .subscribed, number != 0 else { throw .wrongPacket }
      handle(.leftOut(.tooLong, number: number))
    case .packet(let header, let body):
      let packet = try MQTTPacket(header: header, body: body)
      switch (stage, packet) {
      case (.greeting, .connected(let isResumed, let reason, let properties)):
        try connected(isResumed, reason, properties)
      case (.subscribing, .subscribed(Self.answers, let reason)): if reason > 1 { refused(reason) }
      case (.subscribing, .subscribed(Self.subscription, let reason)): subscribed(reason)
      // What the server has kept may come before its answer.
      case (.subscribing, .publish(let message)), (.subscribed, .publish(let message)): handle(.message(message))
      case (.subscribing, .damaged(let number)), (.subscribed, .damaged(let number)):
        handle(.leftOut(.unreadable, number: number))
      case (.subscribed, .acknowledged(let number, let reason)):
        handle(.published(number: number, reason: reason))
      case (.subscribed, .pong):
        askedAt = nil
        handle(.answered)
      case (.greeting, .disconnected), (.subscribing, .disconnected), (.subscribed, .disconnected):
        guard case .disconnected(let reason) = packet else { return }
        let answer = MQTTReason(disconnecting: reason)
        end(answer.problem, isTemporary: answer.isTemporary)
      default: throw .wrongPacket
      }
    }
  }

  private func connected(_ isResumed: Bool, _ reason: UInt8, _ properties: MQTTProperties) throws(MQTTFault) {
    guard reason == 0 else {
      let answer = MQTTReason(connecting: reason, hasSecret: settings.hasSecret)
      return end(answer.problem, isTemporary: answer.isTemporary)
    }
    if let wanted = properties.keepAlive, wanted > 0 { pause = min(pause, .seconds(Int64(wanted))) }
    stage = .subscribing
    handle(.connected(isResumed: isResumed))
    // First, so that an answer that the server has kept comes before its message.
    if settings.link.answers, let filter = LinkAnswer.filter(below: settings.link.topic) {
      stream?.write(MQTTOutput.subscribe(filter, number: Self.answers))
    }
    stream?.write(MQTTOutput.subscribe(settings.link.topic, number: Self.subscription))
  }

  private func refused(_ reason: UInt8) {
    let answer = MQTTReason(subscribing: reason)
    end(answer.problem, isTemporary: answer.isTemporary)
  }

  private func subscribed(_ reason: UInt8) {
    guard reason <= 1 else { return refused(reason) }
    stage = .subscribed
    asking?.cancel()
    watch(after: pause)
    handle(.subscribed)
  }
}
